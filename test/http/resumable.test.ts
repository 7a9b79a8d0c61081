/** Streams that can be resumed while they cannot be kept: their callers notice nothing of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { PublicEvent, StreamAnswer } from '../../lib/core/endpoint.ts';
import type { AppendBlock } from '../../lib/core/ports/event-log.ts';
import { startResumable } from '../../lib/http/resumable.ts';

const noMemory = { admit: () => false, admitAnswer: () => undefined, reserve: () => false };

function answerOf(...events: readonly PublicEvent[]): StreamAnswer {
  async function* lists() {
    for (const event of events) yield [event];
  }
  return { type: 'stream', headers: { a: 'b' }, events: lists(), onError: () => [{ data: 'failed' }] };
}

interface Options {
  readonly create?: () => Promise<never>;
  readonly append?: AppendBlock;
  readonly memory?: typeof noMemory;
}

async function send(answer: StreamAnswer, { create, append = async (n) => n + 1, memory }: Options = {}) {
  const warnings: unknown[] = [];
  const resumable = startResumable({
    create: create ?? (async () => ({ id: 'stream_1', append })),
    log: { warn: (message) => void warnings.push(message) },
    memory,
  });
  const kept = await resumable.keep(answer);
  const events: PublicEvent[] = [];
  for await (const list of kept.events) events.push(...list);
  const started = performance.now();
  await resumable.end();
  return { headers: kept.headers, events, warnings, waitedMs: performance.now() - started };
}

const one: PublicEvent = { event: 'one', data: { a: 1 } };
const two: PublicEvent = { data: '[DONE]' };
const numbered = [
  { id: 0, event: 'one', data: '{"a":1}' },
  { id: 1, data: '[DONE]' },
];

test('what is kept is what is sent, between signs of its writer and its end', async () => {
  const blocks: string[] = [];
  const append = async (n: number, text: string) => {
    blocks.push(text);
    return n + 1;
  };
  const { headers, events, warnings } = await send(answerOf(one, two), { append });
  expect(headers).toEqual({ a: 'b', 'x-stream-id': 'stream_1' });
  expect(events).toEqual(numbered);
  expect(blocks).toEqual([': sign\n\nid: 0\nevent: one\ndata: {"a":1}\n\nid: 1\ndata: [DONE]\n\n: end\n\n']);
  expect(warnings).toEqual([]);
});

test.each([
  ['rejects', () => Promise.reject(new Error('The database failed.'))],
  ['hangs', () => pause(60_000, undefined, { ref: false }) as Promise<never>],
])('without a table that answers, a stream is a plain one: it %s', async (_, create) => {
  const answer = answerOf(one, two);
  const { headers, events, warnings } = await send(answer, { create });
  expect([headers, events]).toEqual([answer.headers, [one, two]]);
  expect(warnings).toEqual(['stream not kept']);
});

test.each<[string, Options]>([
  ['the table refuses its text', { append: () => Promise.reject(new Error('The database failed.')) }],
  ['there is no memory', { memory: noMemory }],
  ['it is too large', {}],
])('a stream is sent to its end where %s', async (reason, options) => {
  const large = { data: 'x'.repeat(reason === 'it is too large' ? 17 * 1024 * 1024 : 10) };
  const { events, warnings, waitedMs } = await send(answerOf(one, large), options);
  expect(events).toEqual([numbered[0], { id: 1, ...large }]);
  expect(warnings).toEqual(['stream not kept']);
  expect(waitedMs).toBeLessThan(900);
});

test('a table that hangs does not hold the end of a stream', async () => {
  const append = () => pause(60_000, 0, { ref: false });
  const { events, waitedMs } = await send(answerOf(one, two), { append });
  expect(events).toEqual(numbered);
  expect(waitedMs).toBeLessThan(5_000);
});
