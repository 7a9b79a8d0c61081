/** The periods after which limits start again, in UTC. Times are Unix milliseconds. */
import { dayMs } from '../time.ts';
import type { LimitName } from './limits.ts';

/** 1 January 1970 was a Thursday. */
const mondayOffset = 3;

/** Monday, 00:00. */
export function startOfWeek(now: number): number {
  const day = Math.floor(now / dayMs);
  return (day - ((day + mondayOffset) % 7)) * dayMs;
}

/** When the period of a limit ends; undefined for a limit that never starts again, or that counts what is running. */
export function periodEnds(limit: LimitName, now: number): number | undefined {
  const day = Math.floor(now / dayMs);
  switch (limit) {
    case 'requestsPerMinute':
    case 'tokensPerMinute':
      return (Math.floor(now / 60_000) + 1) * 60_000;
    case 'dailyBudget':
      return (day + 1) * dayMs;
    case 'weeklyBudget':
      return startOfWeek(now) + 7 * dayMs;
    case 'monthlyBudget': {
      const date = new Date(now);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    }
    default:
      return undefined;
  }
}

/** The name of a limit's period: another one in each. */
export function periodOf(limit: LimitName, now: number): string {
  const iso = (time: number) => new Date(time).toISOString();
  switch (limit) {
    case 'dailyBudget':
      return iso(now).slice(0, 10);
    case 'weeklyBudget':
      return `week to ${iso(periodEnds(limit, now) ?? now).slice(0, 10)}`;
    case 'monthlyBudget':
      return iso(now).slice(0, 7);
    default:
      return 'ever';
  }
}
