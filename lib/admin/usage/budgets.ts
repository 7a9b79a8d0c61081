/** The budgets of a tenant, or of one of its keys, and what is used of them. */
import { type LimitStore, type LimitUsage, scopeOfKey, shardingFor } from '../../core/accounting/limits.ts';
import { periodEnds } from '../../core/accounting/periods.ts';
import type { Limits } from '../../core/tenancy.ts';
import type { BudgetAnswer } from './schema.ts';
import type { KeyFacts } from './scope.ts';

export interface BudgetParts {
  readonly limits: Pick<LimitStore, 'read'>;
  readonly tenants: {
    find(name: string): Promise<{ readonly limits?: Limits; readonly throughput?: number } | undefined>;
  };
  /** The time in milliseconds. */
  readonly now: () => number;
}

const budgets = [
  ['dailyBudget', 'day', 'dayCommitted'],
  ['weeklyBudget', 'week', 'weekCommitted'],
  ['monthlyBudget', 'month', 'committed'],
  ['totalBudget', 'ever', 'totalCommitted'],
] as const satisfies readonly (readonly [keyof Limits, BudgetAnswer['period'], keyof LimitUsage])[];

export type KeyWithLimits = KeyFacts & { readonly limits?: Limits; readonly family?: string };

/** `key`: then its budgets alone. */
export async function readBudgets(
  parts: BudgetParts,
  tenant: string,
  key: KeyWithLimits | undefined,
): Promise<BudgetAnswer[]> {
  const stored = await parts.tenants.find(tenant);
  const limits = (key ? key.limits : stored?.limits) ?? {};
  const set = budgets.filter(([name]) => limits[name] !== undefined);
  if (set.length === 0) return [];
  const scope = key ? scopeOfKey(key) : ({ kind: 'tenant', id: tenant } as const);
  const usage = await parts.limits.read(scope, shardingFor(stored?.throughput));
  const time = parts.now();
  return set.map(([name, period, used]) => {
    const end = periodEnds(name, time);
    return {
      of: key ? 'key' : 'tenant',
      id: key?.id ?? tenant,
      period,
      limit_nano_usd: limits[name] ?? 0,
      used_nano_usd: usage?.[used] ?? 0,
      resets_at: end === undefined ? null : Math.ceil(end / 1000),
    };
  });
}
