/**
 * Allocates the use of a tenant to its grants, so that an expired grant counts with what was used of it. Days whose use may still
 * change are allocated again each time: a request belongs to the day on which it began, also if its cost is known on the next one.
 * What is not yet allocated counts against other grants, so the tenant has rather too little credit than too much.
 */
import { dayOf } from '../../core/accounting/counters.ts';
import { allocate, type CreditGrant, type DayOfUse, type Unallocated } from '../../core/accounting/credit.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { dayMs } from '../../core/time.ts';

export interface SettleParts<Tenant extends Granted> {
  readonly tenants: {
    find(name: string): Promise<Tenant | undefined>;
    replaceGrants(
      name: string,
      known: Granted,
      next: { readonly grants: readonly CreditGrant[]; readonly unallocated: Unallocated },
    ): Promise<boolean>;
  };
  readonly usage: Pick<UsageStore, 'counters'>;
  /** The time in milliseconds. */
  readonly now: () => number;
}

export interface Granted {
  readonly name: string;
  readonly limits?: { readonly credit?: number };
  readonly grants?: readonly CreditGrant[];
  readonly unallocated?: Unallocated;
}

/** After the end of a day, until its use no longer changes: interrupted requests are finished, and the aggregator may be late. */
const changesForMs = 2 * dayMs;

/** Another process may settle at the same time. */
const maxTries = 3;

/** The first day that may still change. */
export const firstOpenDay = (now: number): string => dayOf(now - changesForMs);

/** The tenant with the use of all days until now; unchanged if there is nothing new. */
export async function settleCredit<Tenant extends Granted>(
  parts: SettleParts<Tenant>,
  tenant: Tenant,
): Promise<Tenant> {
  let known: Tenant | undefined = tenant;
  for (let tries = 0; known && tries < maxTries; tries += 1) {
    const { grants, unallocated } = known;
    if (!grants || !unallocated) return known;
    const next = await allocationOf(parts, { name: known.name, grants, unallocated });
    if (!next) return known;
    if (await parts.tenants.replaceGrants(known.name, known, next)) return { ...known, ...next };
    known = await parts.tenants.find(known.name);
  }
  return known ?? tenant;
}

/** Undefined if nothing changes. */
async function allocationOf(
  { usage, now }: Pick<SettleParts<Granted>, 'usage' | 'now'>,
  { name, grants, unallocated }: Required<Pick<Granted, 'name' | 'grants' | 'unallocated'>>,
) {
  const { day: from, used: earlier, version = 0 } = unallocated;
  const all = (await usePerDay(usage, name, from, dayOf(now()))).map(
    ({ day, amount }): DayOfUse => ({
      day,
      amount: day === from ? Math.max(0, amount - earlier) : amount,
    }),
  );
  const day = firstOpenDay(now()) > from ? firstOpenDay(now()) : from;
  const before = grants.map((grant) => ({ ...grant, used: grant.settled ?? grant.used ?? 0 }));
  const settled = allocate(
    before,
    all.filter((one) => one.day < day),
  );
  const used = allocate(
    settled,
    all.filter((one) => one.day >= day),
  );
  const next = used.map((grant, index) => ({ ...grant, settled: settled[index]?.used ?? 0 }));
  const isSame = next.every(({ used: sum }, index) => sum === (grants[index]?.used ?? 0));
  if (isSame && day === from) return undefined;
  return { grants: next, unallocated: { day, used: day === from ? earlier : 0, version: version + 1 } };
}

/** `from` and `to`, both included, as `YYYY-MM-DD`; days without use are left out. In order. */
export async function usePerDay(
  usage: Pick<UsageStore, 'counters'>,
  tenant: string,
  from: string,
  to: string,
): Promise<readonly DayOfUse[]> {
  const amounts = new Map<string, number>();
  for (const { day, counts } of await usage.counters(tenant, { from, to })) {
    amounts.set(day, (amounts.get(day) ?? 0) + counts.charge);
  }
  return [...amounts].map(([day, amount]) => ({ day, amount })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
}
