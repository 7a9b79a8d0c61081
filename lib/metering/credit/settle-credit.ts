/**
 * Allocates the use of past days to the grants of a tenant. An expired grant then counts with what was used of it. It runs
 * with `tenants settle-credit`, each night, and with `tenants show`; until it has run, an expired grant counts with what was known of
 * its use before, so the tenant has rather too little credit than too much.
 */
import { dayOf } from '../../core/accounting/counters.ts';
import { allocate, type CreditGrant, type Unallocated } from '../../core/accounting/credit.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { usePerDay } from './use-per-day.ts';

export interface SettleParts {
  readonly tenants: {
    replaceGrants(
      name: string,
      known: Unallocated,
      next: { readonly grants: readonly CreditGrant[]; readonly unallocated: Unallocated },
    ): Promise<boolean>;
  };
  readonly usage: Pick<UsageStore, 'counters'>;
  /** The time in milliseconds. */
  readonly now: () => number;
}

export interface Granted {
  readonly name: string;
  readonly grants?: readonly CreditGrant[];
  readonly unallocated?: Unallocated;
}

/** After the end of a day, until every request that began on it is in the daily sums. */
const countedAfterMs = 20 * 60_000;

const dayMs = 86_400_000;

/** The tenant with the use of all past days; unchanged if there is nothing to allocate, or another process did it. */
export async function settleCredit<Tenant extends Granted>(
  { tenants, usage, now }: SettleParts,
  tenant: Tenant,
): Promise<Tenant> {
  const { name, grants, unallocated } = tenant;
  if (!grants || !unallocated) return tenant;
  const next = dayOf(now() - countedAfterMs);
  if (next <= unallocated.day) return tenant;
  const last = dayOf(Date.parse(next) - dayMs);
  const days = (await usePerDay(usage, name, unallocated.day, last)).map(({ day, amount }) => ({
    day,
    amount: Math.max(0, amount - (day === unallocated.day ? unallocated.used : 0)),
  }));
  const settled = { grants: allocate(grants, days), unallocated: { day: next, used: 0 } };
  const isWritten = await tenants.replaceGrants(name, unallocated, settled);
  return isWritten ? { ...tenant, ...settled } : tenant;
}
