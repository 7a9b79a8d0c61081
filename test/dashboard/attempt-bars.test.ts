/** The attempts of a request stand on one axis, which ends with the request. */
import { expect, test } from 'vitest';
import { timeBars } from '../../dashboard/charts/attempt-bars.ts';

test('two attempts, the second after a wait', () => {
  const spans = [
    { from: 0, to: 250 },
    { from: 500, to: 1000 },
  ];
  expect(timeBars(spans, 1000, 750)).toEqual({
    bars: [
      { start: 0, width: 0.25, hasEnd: true },
      { start: 0.5, width: 0.5, hasEnd: true },
    ],
    ticks: [0, 500, 1000].map((time) => ({ at: time / 1000, time })),
    firstByte: 0.75,
  });
});

test('an attempt whose end is unknown goes to the end of the axis', () => {
  const { bars, firstByte } = timeBars([{ from: 400, to: null }], 800, null);
  expect(bars).toEqual([{ start: 0.5, width: 0.5, hasEnd: false }]);
  expect(firstByte).toBeNull();
});

test('a request that has just begun has an axis', () => {
  expect(timeBars([{ from: 0, to: null }], null, null).bars).toEqual([{ start: 0, width: 1, hasEnd: false }]);
});

test('an attempt that outlasts the request stays on the axis', () => {
  expect(timeBars([{ from: 0, to: 1200 }], 1000, null).bars).toEqual([{ start: 0, width: 1, hasEnd: true }]);
});
