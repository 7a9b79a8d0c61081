/** Axes begin at 0, end at or above the highest value, and have round numbers. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisTo } from '../../dashboard/charts/frame.ts';

test.each([
  [97, [0, 50, 100]],
  [100, [0, 50, 100]],
  [4, [0, 1, 2, 3, 4]],
  [7, [0, 2, 4, 6, 8]],
  [0.3, [0, 0.1, 0.2, 0.3]],
  [1_234_567_890, [0, 500_000_000, 1_000_000_000, 1_500_000_000]],
])('up to %d', (highest, ticks) => {
  expect(axisTo(highest)).toEqual({ max: ticks.at(-1), ticks });
});

test('counts of requests are in whole steps, also of a single request', () => {
  expect(axisTo(1, 4, 1).ticks).toEqual([0, 1]);
  expect(axisTo(2, 4, 1).ticks).toEqual([0, 1, 2]);
});

test('nothing at all has an axis, too', () => {
  expect(axisTo(0, 4, 1)).toEqual({ max: 1, ticks: [0, 1] });
});

test('any value lies on its axis, which has at most five ticks and is at most twice as high', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e15, noNaN: true }), (highest) => {
      const { max, ticks } = axisTo(highest);
      expect(max).toBeGreaterThanOrEqual(highest * (1 - 1e-8));
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(max).toBeLessThanOrEqual(highest * 2.5);
    }),
  );
});
