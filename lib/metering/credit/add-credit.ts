/** Gives a tenant a grant of credit. With its first grant, use begins to be allocated to grants. */
import { dayOf } from '../../core/accounting/counters.ts';
import type { CreditGrant } from '../../core/accounting/credit.ts';
import type { LimitScope } from '../../core/accounting/limits.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { usePerDay } from './use-per-day.ts';

/** What is stored with a tenant about its credit. */
interface CreditHolder {
  readonly limits?: { readonly credit?: number };
  readonly grants?: readonly CreditGrant[];
}

interface Allocation {
  readonly grants: readonly CreditGrant[];
  readonly unallocated: { readonly day: string; readonly used: number };
}

interface CreditParts<Tenant extends CreditHolder> {
  readonly tenants: {
    find(name: string): Promise<Tenant | undefined>;
    replaceGrants(name: string, known: CreditHolder, next: Allocation): Promise<boolean>;
  };
  readonly tenantEdits: { addCredit(name: string, grant: CreditGrant): Promise<Tenant | undefined> };
  /** The use that counts against credit, with reservations. */
  readonly limits: { read(scope: LimitScope): Promise<{ readonly usedCredit: number } | undefined> };
  readonly usage: Pick<UsageStore, 'counters'>;
}

/** Undefined if there is no such tenant. Rejects as the store does. It may be repeated: a grant with a known id is not given again. */
export async function addCredit<Tenant extends CreditHolder>(
  parts: CreditParts<Tenant>,
  name: string,
  grant: CreditGrant,
): Promise<Tenant | undefined> {
  const tenant = await parts.tenants.find(name);
  if (tenant && !tenant.grants) await beginAllocation(parts, name, tenant, grant.at);
  return tenant && (await parts.tenantEdits.addCredit(name, grant));
}

/** Of two operators who do this at the same time, the first one does it. */
async function beginAllocation<Tenant extends CreditHolder>(
  { tenants, limits, usage }: CreditParts<Tenant>,
  name: string,
  tenant: Tenant,
  seconds: number,
): Promise<void> {
  const amount = tenant.limits?.credit;
  const day = dayOf(seconds * 1000);
  const [today] = await usePerDay(usage, name, day, day);
  const unallocated = { day, used: today?.amount ?? 0 };
  const used = (await limits.read({ kind: 'tenant', id: name }))?.usedCredit ?? 0;
  const grants =
    amount === undefined ? [] : [{ ...earlier, at: seconds, amount, used: Math.min(amount, used) }];
  await tenants.replaceGrants(name, tenant, { grants, unallocated });
}

/** The credit from before there were grants. */
const earlier = { id: 'earlier', priority: 100, by: 'unknown', note: 'Credit before the first grant' };
