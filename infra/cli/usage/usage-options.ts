/** What every command about usage is asked: of whom, and of which days. */
import { dayOf } from '../../../lib/core/accounting/counters.ts';
import type { Span } from '../../../lib/core/ports.ts';
import { type CommandOption, type Installation, UsageError } from '../command.ts';
import { found } from '../tenants/holder.ts';

type Options = Readonly<Record<string, string | undefined>>;

const dayMs = 86_400_000;

export const tenantOption: Readonly<Record<'tenant', CommandOption>> = {
  tenant: { value: '<name>', description: 'Only this tenant; otherwise all' },
};

export const spanOptions: Readonly<Record<'from' | 'to', CommandOption>> = {
  from: { value: '<date>', description: 'The first day (UTC); otherwise the first of the month of the last' },
  to: { value: '<date>', description: 'The last day; otherwise today' },
};

/** Whole days: `from` is the first moment of the first, `to` the first after the last. */
export function readSpan(options: Options, now: number): Span {
  const last = options.to === undefined ? Date.parse(dayOf(now)) : readDay('to', options.to);
  const from =
    options.from === undefined ? Date.parse(dayOf(last).slice(0, 7)) : readDay('from', options.from);
  if (from > last) throw new UsageError('--from is after --to');
  return { from, to: last + dayMs };
}

function readDay(name: string, text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time) && dayOf(time) === text) return time;
  throw new UsageError(`--${name} is not a date such as 2027-01-31: ${text}`);
}

/** The days of a span, or the last so many until now. */
export function daysOf({ from, to }: Span): readonly string[] {
  return Array.from({ length: Math.round((to - from) / dayMs) }, (_, place) => dayOf(from + place * dayMs));
}

export function lastDays(count: number, now: number): readonly string[] {
  return Array.from({ length: count }, (_, place) => dayOf(now - place * dayMs)).reverse();
}

/** Their names. Rejects where the one that was asked for is none. */
export async function tenantsOf({ tenants }: Installation, { tenant }: Options): Promise<readonly string[]> {
  if (tenant !== undefined) {
    return [found(await tenants.find(tenant), 'tenant', tenant, 'tenants').name];
  }
  return (await tenants.list()).map(({ name }) => name);
}
