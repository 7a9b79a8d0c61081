/** A budget that is set in the middle of its period counts what was used before. A scope that is counted already keeps its counts. */
import { type LimitScope, scopeOfKey } from '../core/accounting/limits.ts';
import { committedOf, type Spender } from '../metering/limits/committed.ts';
import type { StoredApiKey } from '../stores/access/keys.ts';
import type { LimitsChange } from '../stores/access/tenancy-fields.ts';
import type { StoredTenant } from '../stores/access/tenants.ts';
import { limitsAfter } from './limit-fields.ts';
import type { SubjectParts } from './subject-endpoint.ts';

const budgets = ['dailyBudget', 'weeklyBudget', 'monthlyBudget', 'totalBudget'] as const;

const changesCount = (limits: LimitsChange) =>
  limits.includeOwnKeys === true || budgets.some((budget) => typeof limits[budget] === 'number');

type SeedParts = Pick<SubjectParts, 'keyEdits' | 'usage' | 'limits' | 'now'>;

/** Call it before the budget is set. */
export async function seedTenantBudgets(
  parts: SeedParts,
  tenant: StoredTenant,
  limits: LimitsChange,
): Promise<void> {
  if (!changesCount(limits)) return;
  const { name, createdAt } = tenant;
  const { includeOwnKeys } = limitsAfter(tenant.limits, limits);
  const spender = { tenant: name, since: createdAt * 1000, includeOwnKeys };
  await seed(parts, { kind: 'tenant', id: name }, spender);
}

/** With the keys that it replaced, and that replaced it: they share its limits. */
export async function seedKeyBudgets(
  parts: SeedParts,
  key: StoredApiKey,
  limits: LimitsChange,
): Promise<void> {
  if (!changesCount(limits)) return;
  const { tenant } = key;
  const { includeOwnKeys } = limitsAfter(key.limits, limits);
  const scope = scopeOfKey(key);
  const family = (await parts.keyEdits.list({ tenant })).filter((one) => scopeOfKey(one).id === scope.id);
  const since = Math.min(...family.map(({ createdAt }) => createdAt)) * 1000;
  const keys = [scope.id, ...family.map(({ id }) => id)];
  await seed(parts, scope, { tenant, keys, since, includeOwnKeys });
}

async function seed({ usage, limits, now }: SeedParts, scope: LimitScope, spender: Spender): Promise<void> {
  await limits.seed(scope, await committedOf(usage, spender, now()));
}
