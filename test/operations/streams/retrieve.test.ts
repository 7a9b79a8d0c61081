/** Reading a stream whose writer is gone. */
import { expect, test } from 'vitest';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import { streamEnd, streamSign } from '../../../lib/core/ports/resumable-streams.ts';
import { retrieveStreamEndpoint } from '../../../lib/operations/streams/retrieve.ts';

const texts = ['id: 0\ndata: {"a":1}\n\n', `${streamSign}id: 1\nevent: b\ndata: {"b":2}\n\n`];

/** Of an operation, from the event after the first one; it has an end if it is whole. Each look takes half a minute. */
async function read(operation: string, isWhole: boolean) {
  let time = 1_000_000;
  const blocks = isWhole ? [...texts, streamEnd] : texts;
  const endpoint = retrieveStreamEndpoint({
    now: () => time,
    findStream: async () => ({
      operation,
      async read(n) {
        const text = blocks[n];
        if (text !== undefined) return { text, next: n + 1, at: time };
        time += 30_000;
        return undefined;
      },
    }),
  });
  const answer = await endpoint.answer({
    input: { id: 'stream_1', after: 0 },
    key: { tenant: 'acme', hash: 'a-hash', id: 'a-key' },
    requestId: 'a',
    signal: new AbortController().signal,
    facts: { attempts: [] },
    admit: async () => undefined,
    begin: () => {},
    remainingMs: () => 900_000,
  });
  if (answer.type !== 'stream') throw new Error('No stream.');
  const events: unknown[] = [];
  try {
    for await (const list of answer.events) events.push(...list);
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    events.push(...answer.onError(thrown));
  }
  return { events, time };
}

const second = { id: 1, event: 'b', data: '{"b":2}' };
const message = expect.stringContaining('The rest of the stream was not kept');

test.each([
  ['chat-completions', { data: { error: { message } } }],
  ['completions', { data: { error: { message } } }],
  ['messages', { event: 'error', data: { type: 'error', error: { message } } }],
  ['responses', { event: 'error', data: { type: 'error', sequence_number: 2, message } }],
])('a stream of %s whose writer is gone ends with an error', async (operation, error) => {
  const { events, time } = await read(operation, false);
  expect(events).toMatchObject([second, { id: 2, ...error }]);
  expect(time).toBeGreaterThan(1_060_000);
});

test('a stream that has ended ends at once', async () => {
  expect(await read('messages', true)).toEqual({ events: [second], time: 1_000_000 });
});
