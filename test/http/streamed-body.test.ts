/** Events are sent as soon as they are ready. Comments keep an idle stream open, only between its events. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Outcome, streamedBody } from '../../lib/http/streamed-body.ts';
import { piecesOf, seenResponse } from './response-double.ts';

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

const outcomes: Outcome[] = [];
beforeEach(() => void outcomes.splice(0));

const bodyOf = (items: AsyncIterable<string>, event?: { event: string; data: string }) =>
  streamedBody({
    items,
    write: (text) => text,
    heartbeat: { periodMs: 50, event },
    finished: async (outcome) => void outcomes.push(outcome),
  });

test('a stream without pauses gets no comments, however long it is', async () => {
  const letters = [...'steadily'];
  const steps = letters.flatMap((letter) => [letter, 40]);
  expect(await piecesOf(bodyOf(paced(...steps)))).toEqual(letters);
});

test('each period without events gives one comment', async () => {
  const seen = await piecesOf(bodyOf(paced('a', 140, 'b', 40, 'c', 60)));
  expect(seen).toEqual(['a', ': ping\n\n', ': ping\n\n', 'b', 'c', ': ping\n\n']);
});

test('a heartbeat of its own takes the place of comments, but not before the first event', async () => {
  const own = { event: 'ping', data: '{}' };
  const seen = await piecesOf(bodyOf(paced(60, 'a', 60), own));
  expect(seen).toEqual([': ping\n\n', 'a', 'event: ping\ndata: {}\n\n']);
});

test('nothing is made, and no heartbeat sent, before the client has taken what was written', async () => {
  const event = 'x'.repeat(1_000);
  let made = 0;
  async function* events(): AsyncGenerator<string> {
    for (; made < 1_000; made += 1) yield event;
  }
  let first = Promise.withResolvers<void>();
  const response = seenResponse(async () => await first.promise);
  const sent = bodyOf(events()).sendTo(response);
  await sleep(200);
  expect(made).toBeLessThan(100);
  expect(response.pieces).toEqual([event]);
  first.resolve();
  first = Promise.withResolvers();
  first.resolve();
  await sent;
  expect(response.pieces.join('')).toBe(event.repeat(1_000));
  expect(outcomes).toEqual([{ status: 200 }]);
});

test('a response that closes ends the source, even while it is idle, and is reported once', async () => {
  for (const steps of [['a', 10_000], [], Array(1_000).fill('a'.repeat(1_000))]) {
    outcomes.splice(0);
    let left = false;
    const silence = Promise.withResolvers<IteratorResult<string>>();
    const given = [...steps];
    const source: AsyncIterator<string> = {
      next: async () =>
        typeof given[0] === 'string' ? { done: false, value: given.shift() } : await silence.promise,
      async return() {
        left = true;
        silence.resolve({ done: true, value: undefined });
        return { done: true, value: undefined };
      },
    };
    const response = seenResponse(given.length > 2 ? () => new Promise(() => {}) : undefined);
    const sent = bodyOf({ [Symbol.asyncIterator]: () => source }).sendTo(response);
    sent.catch(() => {});
    await turn();
    response.destroy();
    await expect(sent).rejects.toThrow('closed before its end');
    expect(left).toBe(true);
    expect(outcomes).toEqual([{ status: 499 }]);
  }
});

test('a response that is closed before the body begins is reported, and the source is left', async () => {
  let left = false;
  async function* events(): AsyncGenerator<string> {
    yield 'a';
  }
  const items = events();
  const leave = items.return.bind(items);
  items.return = async (value) => {
    left = true;
    return await leave(value);
  };
  await expect(bodyOf(items).sendTo(seenResponse().destroy())).rejects.toThrow('closed before its end');
  expect(left).toBe(true);
  expect(outcomes).toEqual([{ status: 499 }]);
});

test('a response that has closed gets no heartbeat, however long it takes to report its end', async () => {
  const reported = Promise.withResolvers<void>();
  const body = streamedBody({
    items: paced('a', 1_000),
    write: (text) => text,
    heartbeat: { periodMs: 50 },
    finished: () => reported.promise,
  });
  const response = seenResponse();
  const sent = body.sendTo(response);
  sent.catch(() => {});
  await turn();
  response.destroy();
  const write = vi.spyOn(response, 'write');
  await sleep(200);
  expect(write).not.toHaveBeenCalled();
  reported.resolve();
  await expect(sent).rejects.toThrow('closed before its end');
});
