/** Timeouts: short ones are Node's own, and one timer looks after the long ones. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const load = () => import('../../lib/async/timeout.ts');
let timeouts: Awaited<ReturnType<typeof load>>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  // What other tests have started is looked after by a real timer.
  vi.resetModules();
  timeouts = await load();
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

const started = (milliseconds: number) => {
  const onLate = vi.fn();
  return { onLate, timeout: timeouts.startTimeout(onLate, milliseconds) };
};

test('a short one passes on time, and a long one at most a quarter of a second late', () => {
  const short = started(1_500);
  const long = started(60_000);
  vi.advanceTimersByTime(1_499);
  expect(short.onLate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(short.onLate).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(58_499);
  expect(long.onLate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(250);
  expect(long.onLate).toHaveBeenCalledOnce();
});

test('one that is stopped never passes, also where another that has passed stops it', () => {
  const kept = started(30_000);
  const stopped = started(30_000);
  timeouts.stopTimeout(stopped.timeout);
  timeouts.stopTimeout(stopped.timeout);
  const last = vi.fn();
  const stopsLast = timeouts.startTimeout(() => timeouts.stopTimeout(toStop), 30_000);
  const toStop = timeouts.startTimeout(last, 30_000);
  vi.advanceTimersByTime(40_000);
  expect(kept.onLate).toHaveBeenCalledOnce();
  expect(stopped.onLate).not.toHaveBeenCalled();
  expect(last).not.toHaveBeenCalled();
  timeouts.stopTimeout(stopsLast);
});

test('one that is restarted has its whole time again', () => {
  const { onLate, timeout } = started(20_000);
  vi.advanceTimersByTime(15_000);
  timeouts.restartTimeout(timeout);
  vi.advanceTimersByTime(15_000);
  expect(onLate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5_000);
  expect(onLate).toHaveBeenCalledOnce();
});

test('nothing looks where nothing is waited for', () => {
  const { timeout } = started(60_000);
  timeouts.stopTimeout(timeout);
  vi.advanceTimersByTime(1_000);
  expect(vi.getTimerCount()).toBe(0);
});
