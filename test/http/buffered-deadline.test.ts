/** An answer that is not streamed has to be made before the request's own deadline, so that there is time to send it. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { startBufferedDeadline } from '../../lib/http/deadline.ts';

const limit = { share: 0.9, message: 'It took too long.' };

function requestOf(totalMs: number) {
  const started = performance.now();
  const controller = new AbortController();
  return {
    signal: controller.signal,
    remainingMs: () => Math.max(0, totalMs - (performance.now() - started)),
    abort: (reason: Error) => controller.abort(reason),
  };
}

const ended = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

test.each([
  [100_000, 90_000],
  [600_000, 285_000],
  [900_000, 285_000],
])('of %d ms, a tenth is reserved, and no connection is idle for five minutes', (total, given) => {
  const { remainingMs, clear } = startBufferedDeadline(requestOf(total), limit);
  expect(remainingMs()).toBeGreaterThan(given - 500);
  expect(remainingMs()).toBeLessThanOrEqual(given);
  clear();
});

test('an answer that takes too long is a 408 before the request ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const request = requestOf(400);
  startBufferedDeadline(request, limit);
  const reason = ended(request.signal);
  vi.advanceTimersByTime(361);
  expect(await reason).toMatchObject({
    kind: 'deadline_exceeded',
    status: 408,
    message: 'It took too long.',
  });
  expect(request.remainingMs()).toBeGreaterThan(0);
});

test('a cleared deadline leaves no timer', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const { clear } = startBufferedDeadline(requestOf(60_000), limit);
  expect(timers()).toBe(before + 1);
  clear();
  expect(timers()).toBe(before);
});
