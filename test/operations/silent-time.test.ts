/** An answer that is not streamed ends before the request times out, so that there is time to send it. */
import { expect, test } from 'vitest';
import type { Call } from '../../lib/core/endpoint.ts';
import { withinSilence } from '../../lib/operations/silent-time.ts';

const drawing = { share: 0.9, tooLate: 'It took too long.' };

function callOf(totalMs: number, signal = new AbortController().signal): Call<string> {
  const started = performance.now();
  const remainingMs = () => Math.max(0, totalMs - (performance.now() - started));
  const call = { input: 'A fox', requestId: 'request-1', signal, remainingMs, facts: {} };
  return { ...call, admit: async () => {}, begin: () => {} };
}

const ended = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

test('a tenth of the time is reserved, and no connection is silent for five minutes', async () => {
  for (const [total, given] of [
    [100_000, 90_000],
    [600_000, 285_000],
    [900_000, 285_000],
  ] as const) {
    const remaining = await withinSilence(callOf(total), drawing, async ({ remainingMs }) => remainingMs());
    expect(remaining).toBeGreaterThan(given - 500);
    expect(remaining).toBeLessThanOrEqual(given);
  }
});

test('generating images for too long is a timeout error', async () => {
  const call = callOf(400);
  const reason = await withinSilence(call, drawing, ({ signal }) => ended(signal));
  expect(reason).toMatchObject({ kind: 'deadline_exceeded', status: 408 });
  expect(call.remainingMs()).toBeGreaterThan(0);
});

test('a caller who disconnects cancels the work', async () => {
  const leaving = new AbortController();
  const work = withinSilence(callOf(60_000, leaving.signal), drawing, ({ signal }) => ended(signal));
  leaving.abort('gone');
  expect(await work).toBe('gone');
});

test('work that finishes in time is returned, and no timer keeps running', async () => {
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  expect(await withinSilence(callOf(60_000), drawing, async ({ input }) => `${input}!`)).toBe('A fox!');
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBe(before);
});
