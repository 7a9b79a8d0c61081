/** The usage of a stream is sent once, at the end, and only on request. */
import { expect, test } from 'vitest';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import {
  counts,
  end,
  finish,
  protocolScripts,
  protocolsAndForms,
  publicCounts,
  type Step,
  start,
  text,
} from '../../harness/protocol-scripts.ts';

const protocols = useProtocolGateway();
const asked = { stream_options: { include_usage: true } };

const countedAt: readonly { position: string; steps: readonly Step[] }[] = [
  {
    position: 'the start',
    steps: [{ type: 'start', usage: counts }, text('Hi'), { type: 'finish', reason: 'stop' }, end],
  },
  { position: 'the end', steps: [start, text('Hi'), finish, end] },
  {
    position: 'both ends, growing',
    steps: [{ type: 'start', usage: { input: 7, output: 1 } }, text('Hi'), finish, end],
  },
];

const rows = protocolScripts.flatMap((script) =>
  countedAt.map((at) => ({ ...at, protocol: script.protocol, script })),
);

test.each(rows)('$protocol reports usage at $position: one usage chunk, last', async ({ script, steps }) => {
  const seen = await protocols.read(script, script.stream(steps), asked);
  expect(seen.usage).toMatchObject(publicCounts);
  expect(seen.chunks.filter(({ usage }) => usage)).toHaveLength(1);
  expect(seen.chunks.at(-1)?.choices).toEqual([]);
});

test.each(rows)('$protocol reports usage at $position: none if not requested', async ({ script, steps }) => {
  const seen = await protocols.read(script, script.stream(steps));
  expect(seen.chunks.every((chunk) => !('usage' in chunk) && chunk.choices.length === 1)).toBe(true);
  expect(seen.choices.get(0)?.finish).toBe('stop');
});

test.each(protocolScripts)('$protocol reports no usage: the answer is still complete', async (script) => {
  const steps = [start, text('Hi'), { type: 'finish', reason: 'stop' }, end] as const;
  const seen = await protocols.read(script, script.stream(steps), asked);
  expect(seen.choices.get(0)).toMatchObject({ content: 'Hi', finish: 'stop' });
  expect(seen.chunks.at(-1)).toMatchObject({ choices: [], usage: null });
});

test.each(protocolsAndForms)('$protocol, $form: the same usage', async (row) => {
  const { usage } = await protocols.message(row, [start, text('Hi'), finish, end]);
  expect(usage).toEqual({
    ...publicCounts,
    prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  });
});
