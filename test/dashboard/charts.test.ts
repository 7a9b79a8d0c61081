/** Charts: axes with round numbers, labels that do not overlap, bars and lines where their values are, and gaps without data. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeBars } from '../../dashboard/charts/attempt-bars.ts';
import { axisTo, barOf, frameOf, slotAt, slotStart, yOf } from '../../dashboard/charts/frame.ts';
import { areaPath, dotPath, gapsOf, linePath, sparkPath, stackPaths } from '../../dashboard/charts/paths.ts';
import { colourOf, sumOfSeries } from '../../dashboard/charts/series.ts';
import { timeTicks } from '../../dashboard/charts/time-ticks.ts';

describe('an axis', () => {
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
});

describe('labels of a time axis', () => {
  const from = (start: string, count: number, step: number) =>
    Array.from({ length: count }, (_, index) => Date.parse(start) / 1000 + index * step);
  const hours = (start: string, count: number) => from(start, count, 3600);
  const days = (start: string, count: number) => from(start, count, 86_400);

  test.each([
    ['a day of hours', hours('2026-11-22T00:00Z', 24), 'hour', 10, ['Nov 22', '06:00', '12:00', '18:00']],
    ['three days on a phone', hours('2026-11-20T00:00Z', 72), 'hour', 4, ['Nov 20', 'Nov 21', 'Nov 22']],
    [
      'a month of days',
      days('2026-11-01T00:00Z', 30),
      'day',
      10,
      ['Nov 2', 'Nov 9', 'Nov 16', 'Nov 23', 'Nov 30'],
    ],
    [
      'a year of days, which names the month and, once, the year',
      days('2026-11-01T00:00Z', 120),
      'day',
      2,
      ['Nov', 'Dec', 'Jan 2027', 'Feb'],
    ],
  ] as const)('of %s', (_, times, grain, slotWidth, expected) => {
    expect(timeTicks(times, grain, slotWidth).map(({ label }) => label)).toEqual(expected);
  });

  test('what has no round time is labelled at its beginning', () => {
    expect(timeTicks(days('2026-11-24T00:00Z', 4), 'day', 10)).toEqual([{ slot: 0, label: 'Nov 24' }]);
    expect(timeTicks([], 'hour', 10)).toEqual([]);
  });
});

const frame = { width: 100, height: 130, left: 0, right: 100, top: 10, bottom: 110 };
const axis = { max: 10, ticks: [0, 5, 10] };
const series = (id: string, ...values: (number | null)[]) => ({ id, name: id, values });

describe('stacked bars', () => {
  test('a bar begins where the one below it ends', () => {
    const [lower, upper] = stackPaths([series('a', 4, 0), series('b', 1, 10)], frame, axis);
    expect(lower).toBe('M4 110V70h42V110z');
    expect(upper).toBe('M4 69V60h42V69zM54 110V10h42V110z');
  });

  test('the smallest amount is seen, at least as one pixel', () => {
    expect(stackPaths([series('a', 0.001)], frame, axis)).toEqual(['M28 110V109h44V110z']);
  });

  test('no data and 0 have no bar', () => {
    expect(stackPaths([series('a', null, 0)], frame, axis)).toEqual(['']);
  });
});

describe('slots', () => {
  test('cover the area without an overlap, at every width and number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 2000 }), fc.integer({ min: 1, max: 366 }), (width, count) => {
        const wide = { ...frame, width, right: width };
        expect(slotStart(wide, 0, count)).toBe(0);
        expect(slotStart(wide, count, count)).toBe(width);
        for (let slot = 0; slot < count - 1; slot += 1) {
          const bar = barOf(wide, slot, count);
          expect(bar.x + bar.width).toBeLessThanOrEqual(barOf(wide, slot + 1, count).x + 0.01);
          expect(bar.width).toBeGreaterThan(0);
        }
      }),
    );
  });

  test('are found by the position of a pointer', () => {
    expect(slotAt(frame, 0, 4)).toBe(0);
    expect(slotAt(frame, 99, 4)).toBe(3);
    expect(slotAt(frame, -1, 4)).toBeUndefined();
    expect(slotAt(frame, 101, 4)).toBeUndefined();
  });

  test('leave room for the labels of the axis', () => {
    expect(frameOf(300, 200, ['$0', '$1,500']).left).toBeGreaterThan(frameOf(300, 200, ['0', '5']).left);
  });

  test('values stand between the lower and the upper edge', () => {
    expect([0, 5, 10].map((value) => yOf(frame, axis, value))).toEqual([110, 60, 10]);
  });
});

describe('lines', () => {
  test('are interrupted where there is no value, and a value alone is a dot', () => {
    const values = [0, 10, null, 5];
    expect(linePath(values, frame, axis)).toBe('M12.5 110L37.5 10M87.5 60');
    expect(dotPath(values, null, frame, axis)).toBe('M87.5 60h0');
    expect(dotPath(values, 0, frame, axis)).toBe('M12.5 110h0M87.5 60h0');
  });

  test('a sparkline of nothing is flat', () => {
    expect(sparkPath([0, 0], 20, 10)).toBe('M5 8.5L15 8.5');
  });

  test('the area between two lines ends at a gap', () => {
    expect(areaPath([0, 0, null, 0], [10, 10, null, 5], frame, axis)).toBe(
      'M12.5 10L37.5 10L37.5 110L12.5 110zM87.5 60L87.5 110z',
    );
  });

  test('gaps are runs of slots', () => {
    expect(gapsOf([null, null, 1, null])).toEqual([
      [0, 2],
      [3, 4],
    ]);
  });
});

describe('groups', () => {
  test('have eight colours, and a grey for all others', () => {
    const names = [0, 7, 8, 9].map((position) => colourOf(position)['--series']);
    expect(names).toEqual(['1', '8', 'other', 'other'].map((name) => `var(--series-${name})`));
  });

  test('a sum has no data only where none of its parts has any', () => {
    expect(sumOfSeries([series('a', 1, null, null), series('b', null, 2, null)])).toEqual([1, 2, null]);
  });
});

describe('the attempts of a request', () => {
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
    expect(timeBars([{ from: 0, to: null }], null, null).bars).toEqual([
      { start: 0, width: 1, hasEnd: false },
    ]);
  });

  test('an attempt that outlasts the request stays on the axis', () => {
    expect(timeBars([{ from: 0, to: 1200 }], 1000, null).bars).toEqual([
      { start: 0, width: 1, hasEnd: true },
    ]);
  });
});
