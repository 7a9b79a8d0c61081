/** When the head of a stream goes out before its first event. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Answer, PublicEvent } from '../../lib/core/endpoint.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { maxHeadMs, startEarlyHead } from '../../lib/http/early-head.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const early: PublicEvent = { data: 'early' };
const own: PublicEvent = { data: 'own' };

async function* events(): AsyncGenerator<readonly PublicEvent[]> {
  yield [{ data: 'one' }];
}

/** `at`: after how many milliseconds the head was sent; undefined: not within ten minutes. */
async function headAfter(prepare: (head: ReturnType<typeof startEarlyHead>) => void) {
  const head = startEarlyHead({ onError: () => [early] }, 10_000, new AbortController().signal);
  const answer = Promise.withResolvers<Answer>();
  let at: number | undefined;
  let time = 0;
  const sent = head.sendFor(answer.promise);
  void sent.then(() => {
    at ??= time;
  });
  prepare(head);
  for (; time < 600_000 && at === undefined; time += 1_000) {
    await vi.advanceTimersByTimeAsync(1_000);
  }
  return { at, sent, answer };
}

test('after a period of the heartbeat where no other target is left', async () => {
  expect((await headAfter((head) => head.onLastTarget())).at).toBe(9_000);
});

test('after a minute where others are left', async () => {
  expect((await headAfter(() => {})).at).toBe(maxHeadMs - 1_000);
});

test('what follows is the answer with its own way to fail', async () => {
  const { sent, answer } = await headAfter((head) => head.onLastTarget());
  const stream = await sent;
  if (stream.type !== 'stream') throw new Error('It is no stream.');
  expect(stream.onError(new GatewayError('internal', 'No.'))).toEqual([early]);
  answer.resolve({ type: 'stream', events: events(), onError: () => [own] });
  expect(await Array.fromAsync(stream.events)).toEqual([[{ data: 'one' }]]);
  expect(stream.onError(new GatewayError('internal', 'No.'))).toEqual([own]);
});

test('a failure before it has its status', async () => {
  const head = startEarlyHead({ onError: () => [early] }, 10_000, new AbortController().signal);
  const refused = new GatewayError('rate_limited', 'Later.');
  await expect(head.sendFor(Promise.reject(refused))).rejects.toBe(refused);
  expect(vi.getTimerCount()).toBe(0);
});
