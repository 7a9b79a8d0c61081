/** How many single requests run at a time. */
import { expect, test } from 'vitest';
import { createPace, maxAtOnce } from '../../lib/batches/live/pace.ts';

const roomOf = (pace: ReturnType<typeof createPace>, now: number) =>
  Array.from({ length: maxAtOnce + 1 }, (_, running) => running).findIndex(
    (running) => !pace.mayBegin(running, now),
  );

test('with each round of answers it is one more, up to a bound', () => {
  const pace = createPace();
  const first = roomOf(pace, 0);
  for (let n = 0; n < first + 1; n += 1) pace.succeeded();
  expect(roomOf(pace, 0)).toBe(first + 1);
  for (let n = 0; n < 10_000; n += 1) pace.succeeded();
  expect(roomOf(pace, 0)).toBe(maxAtOnce);
});

test('a refusal halves it once for all that ran, with longer pauses, and an answer ends those', () => {
  const pace = createPace();
  const first = roomOf(pace, 0);
  pace.refused(0, 0);
  pace.refused(0, 0);
  expect(pace.mayBegin(0, 999)).toBe(false);
  expect(roomOf(pace, 1_000)).toBe(first / 2);
  pace.refused(1_000, 0);
  expect(pace.pauseMs(1_000)).toBe(2_000);
  pace.refused(3_000, 30_000);
  expect(pace.pauseMs(3_000)).toBe(30_000);
  for (let n = 0; n < 20; n += 1) pace.refused(100_000 * (n + 1), 0);
  expect(roomOf(pace, 10_000_000)).toBe(1);
  pace.succeeded();
  pace.refused(10_000_000, 0);
  expect(pace.pauseMs(10_000_000)).toBe(1_000);
});
