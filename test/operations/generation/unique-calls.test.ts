/** The calls of an answer get ids that the conversation does not have. */
import { expect, test } from 'vitest';
import { pipe } from '../../../lib/async/pipe.ts';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import { encodeToolCallId } from '../../../lib/core/generation/tools/tool-call-id.ts';
import { uniqueCalls } from '../../../lib/pipeline/generation/generate.ts';

const call = (id: string, call = 0): GenerationEvent => ({
  type: 'tool-call',
  choice: 0,
  call,
  id,
  name: 'f',
});
const signature = (id: string, format = 'google-gemini-v1'): GenerationEvent => ({
  type: 'reasoning-detail',
  choice: 0,
  detail: { type: 'reasoning.encrypted', data: 's', format, index: 0, id },
});

async function idsOf(earlier: readonly string[], events: readonly GenerationEvent[]) {
  const source = (async function* () {
    for (const event of events) yield [event];
  })();
  const seen = (await Array.fromAsync(pipe(source, uniqueCalls(earlier)))).flat();
  return seen.map((event) => {
    if (event.type === 'tool-call') return event.id;
    return event.type === 'reasoning-detail' ? event.detail.id : undefined;
  });
}

const other = expect.stringMatching(/^call_\w{10,}$/);

test.each<[string, readonly string[], readonly GenerationEvent[], readonly unknown[]]>([
  ['a new id stays', ['a'], [call('b')], ['b']],
  ['one of the conversation is replaced', ['a'], [call('a'), call('b', 1)], [other, 'b']],
  ['two of one answer are two', [], [call('a'), call('a', 1)], ['a', other]],
  ['one that Messages has written in its form is known', [encodeToolCallId('f:0')], [call('f:0')], [other]],
  ["another's detail keeps its id", ['rs_1'], [signature('rs_1', 'openai-responses-v1')], ['rs_1']],
])('%s', async (_, earlier, events, expected) => {
  expect(await idsOf(earlier, events)).toEqual(expected);
});

test('the signature of a call names it, before and after it', async () => {
  const [before, id, after] = await idsOf(['a'], [signature('a'), call('a'), signature('a')]);
  expect(id).toEqual(other);
  expect([before, after]).toEqual([id, id]);
});
