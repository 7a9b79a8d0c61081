/** Options of the usage commands: which tenant, which days, and which month. */

import { dayOf } from '../../lib/core/accounting/counters.ts';
import type { Span } from '../../lib/core/ports/usage-store.ts';
import { dayMs } from '../../lib/core/time.ts';
import { type CommandOption, type Installation, UsageError } from '../command.ts';

type Options = Readonly<Record<string, string | undefined>>;

export const tenantOption: Readonly<Record<'tenant', CommandOption>> = {
  tenant: { value: '<name>', description: 'Only this tenant (default: all)' },
};

export const spanOptions: Readonly<Record<'from' | 'to', CommandOption>> = {
  from: { value: '<date>', description: 'First day, UTC (default: the first of the month)' },
  to: { value: '<date>', description: 'Last day, UTC (default: today)' },
};

/** Whole days: `from` is the start of the first day, `to` the end of the last. */
export function readSpan(options: Options, now: number): Span {
  const last = options.to === undefined ? Date.parse(dayOf(now)) : readDay('to', options.to);
  const from =
    options.from === undefined ? Date.parse(dayOf(last).slice(0, 7)) : readDay('from', options.from);
  if (from > last) throw new UsageError('--from must not be after --to.');
  return { from, to: last + dayMs };
}

export function readDay(name: string, text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time) && dayOf(time) === text) return time;
  throw new UsageError(`--${name} must be a date such as 2027-01-31, not ${text}.`);
}

export function lastDays(count: number, now: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => dayOf(now - index * dayMs)).reverse();
}

/** Names of the tenants. Rejects if the given one does not exist. */
export async function tenantsOf(
  { tenants, tenantEdits }: Installation,
  { tenant }: Options,
): Promise<readonly string[]> {
  if (tenant !== undefined) {
    return [found(await tenants.find(tenant), 'Tenant', tenant).name];
  }
  return (await tenantEdits.list()).map(({ name }) => name);
}

/** Throws if it does not exist. */
export function found<Value>(value: Value | undefined, one: 'Key' | 'Tenant', name: string): Value {
  if (value !== undefined) return value;
  throw new Error(
    `${one} not found: ${name}. List all ${one.toLowerCase()}s with: ${one.toLowerCase()}s list`,
  );
}

/** `YYYY-MM`. Throws UsageError for anything else. */
export function readMonth(what: string, text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new UsageError(`${what} must be a month such as 2026-10, not ${text}.`);
}

export const monthOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 7);
