/** A month on the command line. */
import { UsageError } from '../command.ts';

/** `YYYY-MM`. Throws UsageError for anything else. */
export function readMonth(what: string, text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new UsageError(`${what} must be a month such as 2026-10, not ${text}.`);
}

export const monthOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 7);
