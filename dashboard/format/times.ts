/** Times and durations as text. Every time is UTC, as the days of charges are; a moment in full has the reader's own time, too. */

import { threeDigits } from './numbers.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** `Nov 3`. */
export const dayName = (time: Date): string => `${months[time.getUTCMonth()]} ${time.getUTCDate()}`;

/** `14:00`. */
export const hourName = (time: Date): string =>
  `${twoDigits(time.getUTCHours())}:${twoDigits(time.getUTCMinutes())}`;

/** `Nov`, and `Jan 2027` where a year begins. */
export const monthName = (time: Date): string =>
  time.getUTCMonth() === 0 ? `Jan ${time.getUTCFullYear()}` : (months[time.getUTCMonth()] ?? '');

/** `Nov 3, 2026`, of Unix seconds. */
export function fullDay(seconds: number): string {
  const time = new Date(seconds * 1000);
  return `${dayName(time)}, ${time.getUTCFullYear()}`;
}

/** `Nov 3, 14:05:09`, of Unix seconds. */
export function moment(seconds: number): string {
  const time = new Date(seconds * 1000);
  return `${dayName(time)}, ${hourName(time)}:${twoDigits(time.getUTCSeconds())}`;
}

/** `2026-11-03 14:05:09.120 UTC`, of Unix seconds, and the same time here: ` (Nov 3, 15:05:09 GMT+1)`. `zone`: that of the browser if absent. */
export const exactMoment = (seconds: number, zone?: string): string =>
  new Date(seconds * 1000)
    .toISOString()
    .replace('T', ' ')
    .replace(/(\.000)?Z/, ' UTC') + here(seconds, zone, { second: '2-digit' });

/** ` (Nov 3, 15:05 GMT+1)`; empty where that is UTC. */
export function here(
  seconds: number,
  zone?: string,
  more: Pick<Intl.DateTimeFormatOptions, 'second'> = {},
): string {
  const local = new Date(seconds * 1000).toLocaleString('en-US', {
    ...more,
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
    timeZoneName: 'shortOffset',
  });
  return / (GMT(\+0)?|UTC)$/.test(local) ? '' : ` (${local})`;
}

/** `now`, `3 min ago`, `2 h ago`, else the moment. Both are Unix seconds. */
export function ago(seconds: number, now: number): string {
  const past = now - seconds;
  if (past < 60) return past < 5 ? 'now' : `${Math.floor(past)} s ago`;
  if (past < 3600) return `${Math.floor(past / 60)} min ago`;
  return past < 86_400 ? `${Math.floor(past / 3600)} h ago` : moment(seconds);
}

/** Of milliseconds: `340 ms`, `1.24 s`, `12.3 s`, `2 min 5 s`, `3 h 20 min`. */
export function duration(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  if (whole < 1000) return `${whole} ms`;
  if (whole < 9_995) return `${(whole / 1000).toFixed(2)} s`;
  if (whole < 59_950) return `${(whole / 1000).toFixed(1)} s`;
  const seconds = Math.round(whole / 1000);
  if (seconds < 3600) return joined(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** For an axis, whose numbers are round: `0`, `500 ms`, `1.5 s`, `2 min`. */
export function axisDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0';
  if (milliseconds < 1000) return `${threeDigits(milliseconds)} ms`;
  return milliseconds < 60_000 ? `${threeDigits(milliseconds / 1000)} s` : duration(milliseconds);
}

const joined = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  `${large} ${largeUnit}${small > 0 ? ` ${small} ${smallUnit}` : ''}`;
