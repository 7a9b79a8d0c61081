/** Whose limits a request is checked against, and what it wants of each. */

import {
  type Hold,
  type LimitScope,
  type LimitUsage,
  type Sharding,
  scopeOfKey,
  scopeOfUser,
  shardingFor,
  type Wanted,
} from '../../core/accounting/limits.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { ApiKey } from '../../core/ports/api-keys.ts';
import type { MaxUse } from '../../core/ports/metering.ts';
import { type DatabasePolicy, isLimited, type Limits } from '../../core/tenancy.ts';
import { dayMs } from '../../core/time.ts';

/** A key, a user or a tenant that has limits, and its state for one request. */
export interface Limited {
  readonly scope: LimitScope;
  readonly limits: Limits;
  readonly sharding: Sharding;
  usage?: LimitUsage;
}

/** The narrowest first: what a key may not do costs its tenant nothing. */
export function limitedOf(key: ApiKey, user: string | undefined): readonly Limited[] {
  const { limits = {}, userLimits = {}, throughput } = key.tenantPolicy ?? {};
  const sharding = shardingFor(throughput);
  const scopes: readonly Limited[] = [
    { scope: scopeOfKey(key), limits: key.keyPolicy?.limits ?? {}, sharding },
    ...(user === undefined
      ? []
      : [{ scope: scopeOfUser(key.tenant, user), limits: userLimits, sharding: {} }]),
    { scope: { kind: 'tenant', id: key.tenant }, limits, sharding },
  ];
  return scopes.filter((one) => isLimited(one.limits));
}

/** A tenant that has paid in advance must not use more than that. */
export function policyOf({ keyPolicy, tenantPolicy }: ApiKey): DatabasePolicy {
  const isPrepaid = [keyPolicy, tenantPolicy].some((policy) => policy?.limits?.credit !== undefined);
  return tenantPolicy?.onDatabaseFailure ?? (isPrepaid ? 'refuse' : 'admit');
}

/** The use as limits count it. Credit is never spent for what the tenant pays its provider. */
export function countedBy({ includeOwnKeys, credit }: Limits, { ownKeys, ...use }: MaxUse): MaxUse {
  if (!ownKeys || !includeOwnKeys || credit !== undefined) return use;
  const { fixed, perOutputToken } = use;
  return {
    ...use,
    ownKeys,
    fixed: { ...fixed, amount: plus(fixed.amount, ownKeys.fixed) },
    perOutputToken: { ...perOutputToken, amount: plus(perOutputToken.amount, ownKeys.perOutputToken) },
  };
}

const plus = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other;

/** Why these limits never allow a request, even without other use; undefined if they may. */
export function outOfBounds(limits: Limits, use: MaxUse): 'unseen' | 'unpriced' | 'tokens' | undefined {
  const { fixed, perOutputToken, isUnseen } = use;
  const { tokensPerMinute = Number.POSITIVE_INFINITY } = limits;
  const isUnpriced = isPaid(limits) && (fixed.amount === null || perOutputToken.amount === null);
  if (isUnseen && (isUnpriced || limits.tokensPerMinute !== undefined)) return 'unseen';
  if (isUnpriced) return 'unpriced';
  return minTokensOf(use) > tokensPerMinute ? 'tokens' : undefined;
}

const isPaid = ({ dailyBudget, weeklyBudget, monthlyBudget, totalBudget, credit }: Limits): boolean =>
  [dailyBudget, weeklyBudget, monthlyBudget, totalBudget, credit].some((limit) => limit !== undefined);

/** The tokens that a request uses with the least output. */
export const minTokensOf = ({ fixed, perOutputToken, output }: MaxUse): number =>
  fixed.tokens + output.min * perOutputToken.tokens;

/**
 * Throws for callers with credit whose region is another one: what is left of credit is counted in one, and another would let it be spent
 * twice.
 */
export function checkRegion(limited: readonly Pick<Limited, 'limits'>[], region: string | undefined): void {
  if (region === undefined || limited.every(({ limits }) => limits.credit === undefined)) return;
  throw new GatewayError(
    'permission_denied',
    `Callers with credit are served in the region ${region}: use its base URL.`,
    { code: 'wrong_region' },
  );
}

type WantedBy = Pick<Wanted, 'id' | 'at' | 'isFurther'>;

export function wantedOf({ fixed, perOutputToken, output }: MaxUse, max: number, by: WantedBy): Wanted {
  const { min, expected } = output;
  return {
    ...by,
    fixed: { ...fixed, amount: fixed.amount ?? 0 },
    perOutputToken: { ...perOutputToken, amount: perOutputToken.amount ?? 0 },
    output: {
      max,
      min: Math.min(min, max),
      ...(expected !== undefined && { expected: Math.min(expected, max) }),
    },
  };
}

/** Of a request that was admitted while the database was unavailable. */
export const unchecked = ({ scope, limits }: Limited, at: number): Hold => ({
  ...scope,
  minute: Math.floor(at / 60_000),
  day: Math.floor(at / dayMs),
  tokens: 0,
  amount: 0,
  running: 0,
  ...(limits.credit !== undefined && { isPrepaid: true }),
});

/** The least that a request can want that is not free. */
export const leastWanted = (at: number): Wanted => ({
  id: '',
  at,
  fixed: { tokens: 1, amount: 1 },
  perOutputToken: { tokens: 0, amount: 0 },
  output: { max: 0, min: 0 },
});
