/** Gives a tenant a grant of credit. With its first grant, use begins to be allocated to grants. */
import { dayOf } from '../../core/accounting/counters.ts';
import type { CreditGrant } from '../../core/accounting/credit.ts';
import type { LimitScope } from '../../core/accounting/limits.ts';
import { type Granted, type SettleParts, usePerDay } from './settle-credit.ts';

interface CreditParts<Tenant extends Granted> extends Pick<SettleParts<Tenant>, 'tenants' | 'usage'> {
  readonly tenantEdits: { addCredit(name: string, grant: CreditGrant): Promise<Tenant | undefined> };
  /** The use that counts against credit, with reservations. */
  readonly limits: { read(scope: LimitScope): Promise<{ readonly usedCredit: number } | undefined> };
}

/** Undefined if there is no such tenant. Rejects as the store does. It may be repeated: a grant with a known id is not given again. */
export async function addCredit<Tenant extends Granted>(
  parts: CreditParts<Tenant>,
  name: string,
  grant: CreditGrant,
): Promise<Tenant | undefined> {
  const tenant = await parts.tenants.find(name);
  if (tenant && !tenant.grants) await beginAllocation(parts, name, tenant, grant.at);
  return tenant && (await parts.tenantEdits.addCredit(name, grant));
}

/** Of two operators who do this at the same time, the first one does it. */
async function beginAllocation<Tenant extends Granted>(
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
