/** The tenants that were active last, from the sums of the tenants of the last months. */

import { monthOf } from '../../core/accounting/sums.ts';
import type { SumsStore, TenantSum } from '../../core/ports/sums-store.ts';
import { dayMs } from '../../core/time.ts';
import { maxActiveTenants } from './schema.ts';

export interface ActiveTenants {
  /** The latest first. */
  readonly tenants: readonly string[];
  readonly areAll: boolean;
}

/** Who was not active in this month or the last one is asked for by name. */
export async function activeTenants(
  sums: Pick<SumsStore, 'tenantCharges'>,
  now: number,
): Promise<ActiveTenants> {
  const month = monthOf(now);
  const before = monthOf(Date.parse(month) - dayMs);
  const found = (await Promise.all([sums.tenantCharges(month), sums.tenantCharges(before)])).flat();
  const latest = new Map<string, number>();
  for (const { tenant, lastAt } of found as readonly TenantSum[])
    latest.set(tenant, Math.max(lastAt, latest.get(tenant) ?? 0));
  const sorted = [...latest].toSorted(([, one], [, other]) => other - one).map(([tenant]) => tenant);
  return { tenants: sorted.slice(0, maxActiveTenants), areAll: sorted.length <= maxActiveTenants };
}
