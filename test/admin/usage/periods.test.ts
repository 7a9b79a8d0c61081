/** Hours and days of a span, the span before it, and the default spans of the overview. */
import { expect, test } from 'vitest';
import {
  aligned,
  before,
  defaultSpans,
  periodsOf,
  seconds,
  slotsOf,
} from '../../../lib/admin/usage/periods.ts';

const at = (time: string) => Date.parse(`${time}Z`);

test('a span is widened to whole hours and days', () => {
  const span = { from: at('2026-03-09T10:59:59'), to: at('2026-03-10T10:00:01') };
  expect(aligned(span, 'hour')).toEqual({ from: at('2026-03-09T10:00'), to: at('2026-03-10T11:00') });
  expect(aligned(span, 'day')).toEqual({ from: at('2026-03-09T00:00'), to: at('2026-03-11T00:00') });
  const whole = { from: at('2026-03-09T10:00'), to: at('2026-03-09T11:00') };
  expect(aligned(whole, 'hour')).toEqual(whole);
});

test('its slots and periods end before its end', () => {
  const span = { from: at('2026-03-08T00:00'), to: at('2026-03-10T00:00') };
  expect(slotsOf(span, 'day')).toEqual([at('2026-03-08T00:00'), at('2026-03-09T00:00')]);
  expect(slotsOf(span, 'hour')).toHaveLength(48);
  expect(periodsOf(span, 'day')).toEqual({ from: '2026-03-08', to: '2026-03-09' });
  expect(periodsOf(span, 'hour')).toEqual({ from: '2026-03-08T00', to: '2026-03-09T23' });
  expect(before(span)).toEqual({ from: at('2026-03-06T00:00'), to: span.from });
  expect(seconds({ from: 1_999, to: 3_000 })).toEqual({ from: 1, to: 3 });
});

test.each([
  ['2026-03-10T12:00', '2026-03-01', '2026-02-01', '2026-02-11'],
  // February has no 30th.
  ['2026-03-30T23:59', '2026-03-01', '2026-02-01', '2026-03-01'],
  ['2026-01-01T00:00', '2026-01-01', '2025-12-01', '2025-12-02'],
])('at %s', (now, month, lastMonth, lastMonthEnd) => {
  const today = at(`${now.slice(0, 10)}T00:00`);
  const dayMs = 86_400_000;
  expect(defaultSpans(at(now))).toEqual({
    today: { from: today, to: today + dayMs },
    yesterday: { from: today - dayMs, to: today },
    month: { from: at(`${month}T00:00`), to: today + dayMs },
    lastMonthSameDays: { from: at(`${lastMonth}T00:00`), to: at(`${lastMonthEnd}T00:00`) },
  });
});
