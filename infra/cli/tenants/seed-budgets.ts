/** A budget that is set in the middle of its period counts what was used before. */
import { type LimitScope, scopeOfKey } from '../../../lib/core/accounting/limits.ts';
import { committedOf, type Spender } from '../../../lib/metering/committed.ts';
import type { LimitsChange } from '../../../lib/stores/access/tenancy-fields.ts';
import type { Installation } from '../command.ts';
import type { Holder } from './holder.ts';

const budgets = ['dailyBudget', 'weeklyBudget', 'monthlyBudget', 'totalBudget'] as const;

/** Before the budget is set. A scope that is counted already keeps its counts. */
export async function seedBudgets(
  installation: Installation,
  { one }: Holder,
  name: string,
  limits: LimitsChange,
): Promise<void> {
  if (!budgets.some((budget) => typeof limits[budget] === 'number')) return;
  const seeded = await (one === 'tenant' ? tenantOf(installation, name) : keyOf(installation, name));
  if (!seeded) return;
  const committed = await committedOf(installation.usage, seeded.spender, Date.now());
  await installation.limits.seed(seeded.scope, committed);
}

interface Seeded {
  readonly scope: LimitScope;
  readonly spender: Spender;
}

async function tenantOf({ tenants }: Installation, name: string): Promise<Seeded | undefined> {
  const tenant = await tenants.find(name);
  if (!tenant) return undefined;
  return { scope: { kind: 'tenant', id: name }, spender: { tenant: name, since: tenant.createdAt * 1000 } };
}

/** With the keys that it replaced, and that replaced it: they share its limits. */
async function keyOf({ keys }: Installation, id: string): Promise<Seeded | undefined> {
  const all = await keys.list();
  const key = all.find((one) => one.id === id);
  if (!key) return undefined;
  const scope = scopeOfKey(key);
  const family = all.filter((one) => scopeOfKey(one).id === scope.id);
  const since = Math.min(...family.map(({ createdAt }) => createdAt)) * 1000;
  return { scope, spender: { tenant: key.tenant, keys: [scope.id, ...family.map((one) => one.id)], since } };
}
