/** Days as months and days: what is added and taken away is the days that are asked for, and is few. */
import { expect, test } from 'vitest';
import { monthParts, wholeMonths } from '../../../lib/admin/usage/month-parts.ts';
import { slotsOf } from '../../../lib/admin/usage/periods.ts';
import { dayOf } from '../../../lib/core/accounting/counters.ts';

const now = Date.parse('2026-03-10T12:34:56Z');
const at = (day: string) => Date.parse(day);

/** Until now. */
const allDays = slotsOf({ from: at('2025-11-01'), to: at('2026-03-11') }, 'day').map(dayOf);

/** The days that are counted, each as often as it is. */
const counted = (from: number, to: number) =>
  monthParts({ from, to }, now)
    .flatMap(({ period, sign }) =>
      allDays.filter((day) => day.startsWith(period)).map((day) => [day, sign] as const),
    )
    .reduce((days, [day, sign]) => days.set(day, (days.get(day) ?? 0) + sign), new Map<string, number>());

test.each([
  ['2026-03-01', '2026-04-01', [['2026-03', 1]]],
  ['2026-03-01', '2026-03-11', [['2026-03', 1]]],
  [
    '2026-03-03',
    '2026-03-11',
    [
      ['2026-03', 1],
      ['2026-03-01', -1],
      ['2026-03-02', -1],
    ],
  ],
  [
    '2026-02-27',
    '2026-03-03',
    [
      ['2026-02-27', 1],
      ['2026-02-28', 1],
      ['2026-03-01', 1],
      ['2026-03-02', 1],
    ],
  ],
  ['2026-04-01', '2026-05-01', []],
])('%s to %s is %j', (from, to, parts) => {
  const found = monthParts({ from: at(from), to: at(to) }, now);
  expect(found.map(({ period, sign }) => [period, sign])).toEqual(parts);
});

test('every span is counted once, in at most sixteen parts for each month', () => {
  for (const from of ['2025-11-01', '2025-12-16', '2025-12-17', '2026-01-31', '2026-02-14', '2026-02-15'])
    for (const to of ['2026-02-16', '2026-02-27', '2026-03-01', '2026-03-05', '2026-03-06', '2026-03-11']) {
      const days = [...counted(at(from), at(to))].filter(([, times]) => times !== 0).toSorted();
      const asked = slotsOf({ from: at(from), to: at(to) }, 'day').map((day) => [dayOf(day), 1]);
      expect(days).toEqual(asked);
      const months = new Set(asked.map(([day]) => String(day).slice(0, 7)));
      expect(monthParts({ from: at(from), to: at(to) }, now).length).toBeLessThanOrEqual(16 * months.size);
    }
});

test('no day is taken away that has expired', () => {
  const parts = monthParts({ from: at('2025-02-03'), to: at('2025-03-01') }, now);
  expect(parts.every(({ sign }) => sign === 1)).toBe(true);
  expect(parts).toHaveLength(26);
});

test('whole months are those of which no day is left out', () => {
  expect(wholeMonths({ from: at('2026-02-01'), to: at('2026-03-11') }, now)).toEqual(['2026-02', '2026-03']);
  expect(wholeMonths({ from: at('2026-02-01'), to: at('2026-03-10') }, now)).toBeUndefined();
  expect(wholeMonths({ from: at('2026-02-02'), to: at('2026-03-11') }, now)).toBeUndefined();
});
