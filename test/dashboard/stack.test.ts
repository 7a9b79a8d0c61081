/** Bars and lines are where their values are, and time without data is a gap. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barOf, frameOf, slotAt, slotStart, yOf } from '../../dashboard/charts/frame.ts';
import { areaPath, dotPath, gapsOf, linePath, sparkPath, stackPaths } from '../../dashboard/charts/paths.ts';
import { colourOf, sumOfSeries } from '../../dashboard/charts/series.ts';

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
    expect([0, 7, 8, 9].map(colourOf)).toEqual(['series-1', 'series-8', 'series-other', 'series-other']);
  });

  test('a sum has no data only where none of its parts has any', () => {
    expect(sumOfSeries([series('a', 1, null, null), series('b', null, 2, null)])).toEqual([1, 2, null]);
  });
});
