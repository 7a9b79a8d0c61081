/** Work that failed is repeated: how often, after which pause, and for which errors. */
import { expect, test } from 'vitest';
import { type RetryOptions, retry } from '../../lib/async/retry.ts';
import { startStopwatch } from '../harness/stopwatch.ts';

/** Runs work that fails as often as there are errors. */
async function run(errors: readonly string[], options: RetryOptions) {
  const startedAt = performance.now();
  const times: number[] = [];
  const work = async () => {
    times.push(performance.now() - startedAt);
    const message = errors[times.length - 1];
    if (message !== undefined) throw new Error(message);
    return 'done';
  };
  const result = await retry(work, options).catch((error: Error) => error.message);
  return { result, attempts: times.length, times };
}

test('work that succeeds runs once', async () => {
  expect(await run([], { pausesMs: [1, 1] })).toMatchObject({ result: 'done', attempts: 1 });
});

test('work that fails runs again after each pause', async () => {
  const { result, attempts, times } = await run(['first', 'second'], { pausesMs: [20, 40] });
  expect([result, attempts]).toEqual(['done', 3]);
  expect(times[1]).toBeGreaterThanOrEqual(19);
  expect(times[2]).toBeGreaterThanOrEqual(58);
});

test('the last error is thrown when all attempts failed', async () => {
  const errors = ['first', 'second', 'third'];
  expect(await run(errors, { pausesMs: [1, 1] })).toMatchObject({ result: 'third', attempts: 3 });
});

test('without pauses there is one attempt', async () => {
  expect(await run(['first'], { pausesMs: [] })).toMatchObject({ result: 'first', attempts: 1 });
});

test('an error that forbids it is thrown at once', async () => {
  const mayRetry = (error: unknown) => error instanceof Error && error.message === 'passing';
  const seen = await run(['passing', 'lasting', 'passing'], { pausesMs: [1, 1, 1], mayRetry });
  expect(seen).toMatchObject({ result: 'lasting', attempts: 2 });
});

test('a pause that ends after the timeout is not waited for', async () => {
  const watch = startStopwatch();
  const seen = await run(['first', 'second'], { pausesMs: [1, 10_000], timeoutMs: 5_000 });
  expect(seen).toMatchObject({ result: 'second', attempts: 2 });
  expect(watch.waitedMs()).toBeLessThan(5_000);
});

test('a pause ends when the signal is aborted, and no attempt follows', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  const seen = await run(['first'], { pausesMs: [60_000], signal: () => controller.signal });
  expect(seen).toMatchObject({ result: 'first', attempts: 1 });
});

test('a signal that is already aborted leaves one attempt', async () => {
  const seen = await run(['first'], { pausesMs: [1], signal: () => AbortSignal.abort() });
  expect(seen).toMatchObject({ result: 'first', attempts: 1 });
});

test('jitter makes a pause shorter, and never longer', async () => {
  const pausesMs = Array.from({ length: 12 }, () => 20);
  const { times } = await run(
    pausesMs.map(() => 'passing'),
    { pausesMs, jitter: true },
  );
  const total = times.at(-1) ?? 0;
  // The sum of twelve random parts of 20 ms: 120 on average, and practically never within 10 of 240.
  expect(total).toBeGreaterThan(10);
  expect(times).toHaveLength(13);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...pauses)).toBeLessThan(19);
});
