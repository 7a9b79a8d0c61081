/** The periods of limits, in UTC: minutes and days since 1970, weeks from Monday to Sunday, and months as `YYYY-MM`. */

import { maxSkewMs } from '../../core/accounting/interrupted.ts';
import { dayMs } from '../../core/time.ts';

export interface Periods {
  readonly minute: number;
  readonly day: number;
  readonly week: number;
  readonly month: string;
}

export type PeriodName = keyof Periods;

export const minuteOf = (milliseconds: number): number => Math.floor(milliseconds / 60_000);

export const dayOf = (minute: number): number => Math.floor(minute / 1_440);

/** 1 January 1970 was a Thursday. */
export const weekOf = (day: number): number => Math.floor((day + 3) / 7);

export const monthOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 7);

/** How far an item may be ahead of a clock, if neither its last writer's nor this one was further from the right time than they may be. */
export const maxAheadMinutes = (2 * maxSkewMs) / 60_000 + 1;

export function periodsAt(minute: number): Periods {
  const day = dayOf(minute);
  return { minute, day, week: weekOf(day), month: monthOf(day) };
}
