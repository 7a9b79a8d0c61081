/** Hours and days (UTC) of a span of time, and the equally long span before it. Times are Unix milliseconds. */

import { dayOf } from '../../core/accounting/counters.ts';
import { hourOf } from '../../core/accounting/sums.ts';
import type { Periods } from '../../core/ports/sums-store.ts';
import type { Span } from '../../core/ports/usage-store.ts';
import { dayMs } from '../../core/time.ts';

export type Grain = 'hour' | 'day';

export const stepOf: Readonly<Record<Grain, number>> = { hour: 3_600_000, day: dayMs };

/** The name of the period in which a time lies. */
export const nameOf: Readonly<Record<Grain, (time: number) => string>> = { hour: hourOf, day: dayOf };

/** Made of whole hours or days, no shorter than it was. */
export function aligned({ from, to }: Span, grain: Grain): Span {
  const step = stepOf[grain];
  return { from: Math.floor(from / step) * step, to: Math.ceil(to / step) * step };
}

export const before = ({ from, to }: Span): Span => ({ from: from - (to - from), to: from });

/** The beginnings of its hours or days. */
export function slotsOf({ from, to }: Span, grain: Grain): readonly number[] {
  const step = stepOf[grain];
  return Array.from({ length: Math.round((to - from) / step) }, (_, index) => from + index * step);
}

export const periodsOf = ({ from, to }: Span, grain: Grain): Periods => ({
  from: nameOf[grain](from),
  to: nameOf[grain](to - 1),
});

export const seconds = ({ from, to }: Span) => ({ from: Math.floor(from / 1000), to: Math.floor(to / 1000) });

/** The beginning of the month in which a time lies, or of one after it. */
export const monthStart = (time: number, months = 0) => {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
};

/** Today, yesterday, this month until today, and as many days of the last month: it may have fewer. */
export function defaultSpans(now: number) {
  const step = stepOf.day;
  const today = Math.floor(now / step) * step;
  const [month, lastMonth] = [monthStart(now), monthStart(now, -1)];
  const length = today + step - month;
  return {
    today: { from: today, to: today + step },
    yesterday: { from: today - step, to: today },
    month: { from: month, to: today + step },
    lastMonthSameDays: { from: lastMonth, to: Math.min(lastMonth + length, month) },
  };
}
