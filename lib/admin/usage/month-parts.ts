/** Days as whole months with the days at their ends: most spans are few sums of months, and some days that are added or taken away. */
import { dayOf } from '../../core/accounting/counters.ts';
import { monthOf, sumDays } from '../../core/accounting/sums.ts';
import type { Span } from '../../core/ports/usage-store.ts';
import { dayMs } from '../../core/time.ts';
import { monthStart, slotsOf } from './periods.ts';

/** The sum of a day or month, which is added or taken away. */
export interface Part {
  readonly period: string;
  readonly sign: 1 | -1;
}

/** `span` is of whole days. A month has at most 16 parts. */
export function monthParts(span: Span, now: number): readonly Part[] {
  const months = Map.groupBy(slotsOf(span, 'day').filter(hasBegun(now)), monthOf);
  return [...months].flatMap(([month, days]) => partsOf(month, days, now));
}

function partsOf(month: string, inside: readonly number[], now: number): readonly Part[] {
  const from = Date.parse(month);
  const days = slotsOf({ from, to: monthStart(from, 1) }, 'day').filter(hasBegun(now));
  const outside = days.filter((day) => !inside.includes(day));
  // The sums of days expire before that of their month: what is gone cannot be taken away.
  const areKept = from > now - sumDays * dayMs;
  if (inside.length <= outside.length || !areKept) return inside.map((day) => part(dayOf(day), 1));
  return [part(month, 1), ...outside.map((day) => part(dayOf(day), -1))];
}

const part = (period: string, sign: Part['sign']): Part => ({ period, sign });

const hasBegun = (now: number) => (day: number) => day <= now;

/** The months that are the span, where nothing of them is outside of it; undefined: it has other days. */
export function wholeMonths(span: Span, now: number): readonly string[] | undefined {
  const parts = monthParts(span, now);
  return parts.every(({ period }) => period.length === 'YYYY-MM'.length)
    ? parts.map(({ period }) => period)
    : undefined;
}
