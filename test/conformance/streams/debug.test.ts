/** The `debug` object of a stream is sent once, on the last chunk with content. */
import { describe, expect, test } from 'vitest';
import { dataOf } from '../../harness/chat-stream.ts';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import {
  call,
  end,
  finish,
  hello,
  protocolScripts,
  type Step,
  start,
  text,
} from '../../harness/protocol-scripts.ts';

const protocols = useProtocolGateway();
const extra = { debug: ['routing'] };
const routing = [{ status: 'succeeded', provider: expect.any(String), region: expect.any(String) }];

const answers: readonly { what: string; steps: readonly Step[] }[] = [
  { what: 'text', steps: hello },
  { what: 'calls', steps: [start, call(0, 'stop'), { ...finish, reason: 'calls' }, end] },
  { what: 'no usage', steps: [start, text('Hi'), { type: 'finish', reason: 'stop' }, end] },
  { what: 'nothing', steps: [start, finish, end] },
];

describe.each(answers)('an answer of $what', ({ steps }) => {
  test.each(protocolScripts)('$protocol: on the usage chunk if usage was requested', async (script) => {
    const asked = { extra, stream_options: { include_usage: true } };
    const { chunks } = await protocols.read(script, script.stream(steps), asked);
    expect(chunks.filter(({ debug }) => debug)).toHaveLength(1);
    expect(chunks.at(-1)).toMatchObject({ choices: [], debug: { routing } });
  });

  test.each(protocolScripts)('$protocol: else on the chunk with the finish reason', async (script) => {
    const { chunks } = await protocols.read(script, script.stream(steps), { extra });
    expect(chunks.filter(({ debug }) => debug)).toHaveLength(1);
    expect(chunks.at(-1)?.debug).toMatchObject({ routing });
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toEqual(expect.any(String));
  });

  test.each(protocolScripts)('$protocol: nowhere if it was not requested', async (script) => {
    const text = await (await protocols.replay(script, script.stream(steps))).text();
    expect(dataOf(text).some((data) => data.includes('"debug"'))).toBe(false);
  });
});
