/** Events are sent as soon as they are ready. Comments keep an idle stream open, only between its events. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { streamBody } from '../../lib/http/stream-body.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Moves the timers on, with turns of the event loop for what they bring about. */
async function sleep(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 10) {
    await turn();
    await vi.advanceTimersByTimeAsync(10);
  }
  await turn();
}

async function* paced(...steps: readonly (string | number)[]): AsyncGenerator<string> {
  for (const step of steps) {
    if (typeof step === 'number') await sleep(step);
    else yield step;
  }
}

test('a stream without pauses gets no comments, however long it is', async () => {
  const letters = [...'steadily'];
  const steps = letters.flatMap((letter) => [letter, 40]);
  expect(await Array.fromAsync(streamBody(paced(...steps), 50))).toEqual(letters);
});

test('each period without events gives one comment', async () => {
  const seen = await Array.fromAsync(streamBody(paced('a', 140, 'b', 40, 'c', 60), 50));
  expect(seen).toEqual(['a', ': ping\n\n', ': ping\n\n', 'b', 'c', ': ping\n\n']);
});

test('events that are ready together are sent together, and do not wait for later ones', async () => {
  expect(await Array.fromAsync(streamBody(paced('a', 'b', 20, 'c', 'd'), 50))).toEqual(['ab', 'cd']);
});

test('any amount of ready events is sent in chunks, and not before it is read', async () => {
  const event = 'x'.repeat(1_000);
  let made = 0;
  async function* events(): AsyncGenerator<string> {
    for (; made < 1_000; made += 1) yield event;
  }
  const body = streamBody(events(), 50);
  const reader = body[Symbol.asyncIterator]();
  const { value: first } = await reader.next();
  await sleep(20);
  expect(made).toBeLessThan(100);
  let length: number = first.length;
  let longest = length;
  for await (const piece of { [Symbol.asyncIterator]: () => reader }) {
    length += piece.length;
    longest = Math.max(longest, piece.length);
  }
  expect(length).toBe(1_000_000);
  expect(longest).toBeLessThan(20_000);
});

test('a reader that stops ends the source', async () => {
  let ended = false;
  async function* events(): AsyncGenerator<string> {
    try {
      for (;;) yield 'a';
    } finally {
      ended = true;
    }
  }
  for await (const _ of streamBody(events(), 50)) break;
  expect(ended).toBe(true);
});
