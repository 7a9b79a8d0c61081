/** What a tenant, or some of its keys, was charged in the current periods, from the daily sums. */
import { dayOf } from '../../core/accounting/counters.ts';
import type { Committed } from '../../core/accounting/limits.ts';
import { periodOf, startOfWeek } from '../../core/accounting/periods.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';

export interface Spender {
  readonly tenant: string;
  /** Ids of keys; absent: all of the tenant's. */
  readonly keys?: readonly string[];
  /** When it was created, in Unix milliseconds: there is no use before. */
  readonly since: number;
  /** Whether what providers took of the tenant for calls with its own credentials counts. */
  readonly includeOwnKeys?: boolean | undefined;
}

/** `now`: Unix milliseconds. Unknown charges count as nothing. */
export async function committedOf(
  usage: Pick<UsageStore, 'counters'>,
  { tenant, keys, since, includeOwnKeys }: Spender,
  now: number,
): Promise<Committed> {
  const today = dayOf(now);
  const week = dayOf(startOfWeek(now));
  const month = periodOf('monthlyBudget', now);
  const sums = { day: 0, week: 0, month: 0, total: 0 };
  for (const { day, key, counts } of await usage.counters(tenant, { from: dayOf(since), to: today })) {
    if (keys && !keys.includes(key)) continue;
    const amount = counts.charge + (includeOwnKeys ? counts.listCost : 0);
    sums.total += amount;
    if (day.startsWith(month)) sums.month += amount;
    if (day >= week) sums.week += amount;
    if (day === today) sums.day += amount;
  }
  return sums;
}
