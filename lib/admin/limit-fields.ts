/** The limits and permissions of tenants and keys in the fields of the admin API: amounts of money are texts of US dollars. */
import type { LimitName, LimitUsage } from '../core/accounting/limits.ts';
import { formatDollars, parseDollars } from '../core/accounting/money.ts';
import { invalid } from '../core/errors/invalid.ts';
import { isOperationName, type Limits } from '../core/tenancy.ts';
import type { LimitsChange, TenancyChange } from '../stores/access/tenancy-fields.ts';
import { type CacheInput, readCacheSettings } from './cache-fields.ts';
import { readDataPolicy } from './data-policy-fields.ts';
import type { DataPolicyInput, LimitField, LimitsAnswer, LimitsInput } from './tenancy-schema.ts';

export interface LimitRow {
  readonly limit: LimitName;
  readonly field: Exclude<LimitField, 'include_own_keys'>;
  /** What counts its use. */
  readonly used: keyof LimitUsage;
  readonly isMoney: boolean;
}

export const limitTable: readonly LimitRow[] = [
  { limit: 'requestsPerMinute', field: 'requests_per_minute', used: 'requests', isMoney: false },
  { limit: 'tokensPerMinute', field: 'tokens_per_minute', used: 'tokens', isMoney: false },
  { limit: 'concurrentRequests', field: 'concurrent_requests', used: 'running', isMoney: false },
  { limit: 'dailyBudget', field: 'daily_budget_usd', used: 'dayCommitted', isMoney: true },
  { limit: 'weeklyBudget', field: 'weekly_budget_usd', used: 'weekCommitted', isMoney: true },
  { limit: 'monthlyBudget', field: 'monthly_budget_usd', used: 'committed', isMoney: true },
  { limit: 'totalBudget', field: 'total_budget_usd', used: 'totalCommitted', isMoney: true },
  { limit: 'credit', field: 'credit_usd', used: 'usedCredit', isMoney: true },
];

/** An amount as the API shows it. */
export const shownAmount = ({ isMoney }: LimitRow, amount: number): string | number =>
  isMoney ? formatDollars(amount) : amount;

export const limitsRow = (limits: Limits = {}): LimitsAnswer =>
  ({
    ...Object.fromEntries(
      limitTable.map((row) => {
        const amount = limits[row.limit];
        return [row.field, amount === undefined ? null : shownAmount(row, amount)];
      }),
    ),
    include_own_keys: limits.includeOwnKeys ?? null,
  }) as LimitsAnswer;

/** The limits of a valid input that are given; null removes one. */
export function readLimits(input: LimitsInput = {}): LimitsChange {
  const given = limitTable.flatMap(({ limit, field }) => {
    const value = input[field];
    if (value === undefined) return [];
    return [[limit, typeof value === 'string' ? parseDollars(value) : value] as const];
  });
  const { include_own_keys: includes } = input;
  return {
    ...Object.fromEntries(given),
    ...(includes !== undefined && { includeOwnKeys: includes || null }),
  };
}

/** What is left of credit is the operator's to count; what a tenant pays its provider is not. Throws GatewayError `invalid_request`. */
export function requireCountable(limits: Limits | undefined, change: LimitsChange = {}): void {
  const { includeOwnKeys, credit } = limitsAfter(limits, change);
  if (!includeOwnKeys || credit === undefined) return;
  throw invalid('limits.include_own_keys', 'cannot be set together with credit: set it for budgets of keys');
}

/** Without those that a change removes. */
export function limitsAfter(limits: Limits = {}, change: LimitsChange = {}): Limits {
  const merged = Object.entries({ ...limits, ...change });
  return Object.fromEntries(merged.filter(([, amount]) => amount !== null && amount !== undefined));
}

interface TenancyInput {
  readonly limits?: LimitsInput | undefined;
  readonly models?: readonly string[] | null | undefined;
  readonly operations?: readonly string[] | null | undefined;
  readonly data_policy?: DataPolicyInput | undefined;
  readonly cache?: CacheInput | undefined;
  readonly guardrails?: readonly string[] | null | undefined;
}

/** Only what is given; null removes it. The schema has refused unknown operations. */
export const tenancyOf = ({
  limits,
  models,
  operations,
  data_policy: policy,
  cache,
  guardrails,
}: TenancyInput): TenancyChange => ({
  ...(limits && { limits: readLimits(limits) }),
  ...(models !== undefined && { models: models && [...new Set(models)] }),
  ...(operations !== undefined && {
    operations: operations && [...new Set(operations)].filter(isOperationName),
  }),
  ...(policy !== undefined && { dataPolicy: readDataPolicy(policy) }),
  ...(cache !== undefined && { cache: readCacheSettings(cache) }),
  ...(guardrails !== undefined && { guardrailIds: guardrails && [...new Set(guardrails)] }),
});
