/** A stream that its reader leaves is read on to its counts, within bounds. */
import { expect, test } from 'vitest';
import type { GenerationEvent } from '../../lib/core/generation/events.ts';
import { inputOnly } from '../../lib/core/generation/usage.ts';
import { maxReadOnBytes } from '../../lib/core/read-on.ts';
import { readingOn } from '../../lib/pipeline/read-on.ts';
import { notingUse } from '../../lib/pipeline/use/attempt-use.ts';
import { testAttempt } from '../harness/ledger.ts';
import { testRequest } from '../harness/matrix/model.ts';

const text: GenerationEvent = { type: 'text', text: 'Some.', choice: 0 } as GenerationEvent;
const usage = { ...inputOnly(7), completionTokens: 20_000 };

/** Each chunk is its one event, as JSON. */
function answer(chunks: AsyncIterable<Uint8Array>, attempt = testAttempt({ uncounted: 1 })) {
  const noted = notingUse({ attempt, request: testRequest(), isWhole: false, usageSoFar: () => undefined });
  const decoding = {
    each: (bytes: Uint8Array, out: GenerationEvent[]) =>
      void out.push(bytes.length > 1_000 ? text : JSON.parse(Buffer.from(bytes).toString())),
  };
  const events = readingOn(chunks, { decoding, noted });
  return { attempt, reader: events[Symbol.asyncIterator]() };
}

const chunk = (event: object) => Buffer.from(JSON.stringify(event));

test('which are then its use', async () => {
  let isLeft = false;
  async function* body() {
    yield chunk(text);
    yield chunk(text);
    yield chunk({ type: 'usage', usage });
    isLeft = true;
    yield chunk(text);
  }
  const { attempt, reader } = answer(body());
  await reader.next();
  await reader.return?.();
  expect(attempt).toMatchObject({ usage });
  expect([attempt.estimated, isLeft]).toEqual([undefined, false]);
});

test('also where the reader waits for the next piece while it leaves', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  async function* body() {
    await promise;
    yield chunk(text);
    yield chunk({ type: 'usage', usage });
  }
  const { attempt, reader } = answer(body());
  const waiting = reader.next();
  const leaving = reader.return?.();
  resolve();
  await leaving;
  expect(await waiting).toMatchObject({ done: true });
  expect(attempt).toMatchObject({ usage });
});

test('to its end, or an error: then what was seen is estimated', async () => {
  async function* body() {
    yield chunk(text);
    yield chunk(text);
    throw new Error('The connection was lost.');
  }
  const { attempt, reader } = answer(body());
  await reader.next();
  await reader.return?.();
  expect(attempt).toMatchObject({ estimated: true, usage: { completionTokens: 3 } });
});

test('or to as many bytes as are read on', async () => {
  const large = Buffer.alloc(1024 * 1024);
  let sent = 0;
  let isClosed = false;
  async function* body() {
    try {
      for (;;) {
        sent += large.length;
        yield large;
      }
    } finally {
      isClosed = true;
    }
  }
  const { attempt, reader } = answer(body());
  await reader.next();
  await reader.return?.();
  expect([isClosed, sent]).toEqual([true, maxReadOnBytes + large.length]);
  expect(attempt.estimated).toBe(true);
});
