/** The moment of a restore, as an operator writes it. */
import { UsageError } from '../command.ts';

const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/;

/** In Unix seconds, the precision of a restore. A time zone is required: an hour more or less is other data. */
export function readTime(text: string): number {
  const time = form.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time / 1000;
  throw new UsageError(`--at must be a time with its zone, such as 2026-11-20T10:00:00Z, not ${text}.`);
}

/** Parsing takes February 30 for March 2. */
const isDay = (day: string): boolean => {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};

/** As in the plan, and without what a table's name cannot have: `20261120T100000Z`. */
export const inName = (seconds: number): string => showTime(seconds).replaceAll(/[-:]/g, '');

export const showTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000', '');
