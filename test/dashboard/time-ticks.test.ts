/** Labels of a time axis stand at round times of UTC, and never on each other. */
import { expect, test } from 'vitest';
import { timeTicks } from '../../dashboard/charts/time-ticks.ts';

const from = (start: string, count: number, step: number) =>
  Array.from({ length: count }, (_, index) => Date.parse(start) / 1000 + index * step);
const hours = (start: string, count: number) => from(start, count, 3600);
const days = (start: string, count: number) => from(start, count, 86_400);
const labels = (ticks: readonly { readonly label: string }[]) => ticks.map(({ label }) => label);

test('a day of hours', () => {
  expect(labels(timeTicks(hours('2026-11-22T00:00Z', 24), 'hour', 10))).toEqual([
    'Nov 22',
    '06:00',
    '12:00',
    '18:00',
  ]);
});

test('three days on a phone', () => {
  expect(labels(timeTicks(hours('2026-11-20T00:00Z', 72), 'hour', 4))).toEqual([
    'Nov 20',
    'Nov 21',
    'Nov 22',
  ]);
});

test('a month of days', () => {
  expect(labels(timeTicks(days('2026-11-01T00:00Z', 30), 'day', 10))).toEqual([
    'Nov 2',
    'Nov 9',
    'Nov 16',
    'Nov 23',
    'Nov 30',
  ]);
});

test('a year of days names the month and, once, the year', () => {
  expect(labels(timeTicks(days('2026-11-01T00:00Z', 120), 'day', 2))).toEqual([
    'Nov',
    'Dec',
    'Jan 2027',
    'Feb',
  ]);
});

test('what has no round time is labelled at its beginning', () => {
  expect(timeTicks(days('2026-11-24T00:00Z', 4), 'day', 10)).toEqual([{ slot: 0, label: 'Nov 24' }]);
  expect(timeTicks([], 'hour', 10)).toEqual([]);
});
