/**
 * Limits and permissions as stored with tenants and keys. Each is a separate attribute, so that two operators who change
 * different ones at the same time do not overwrite each other.
 */
import * as z from 'zod/mini';
import { lazy } from '../../async/lazy.ts';
import type { CacheSettings } from '../../core/caching.ts';
import type { BodyOf } from '../../core/formats/given-fields.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import { type DataPolicy, isOperationName, type Limits, type Permissions } from '../../core/tenancy.ts';
import type { StoredItem } from '../dynamodb/table.ts';

/** The limits to change; null removes one. */
export type LimitsChange = { readonly [Name in keyof Limits]?: Limits[Name] | null };

/** The fields to change; null removes one. */
export interface TenancyChange {
  readonly limits?: LimitsChange;
  readonly models?: readonly string[] | null;
  readonly operations?: Permissions['operations'] | null;
  /** As a whole. */
  readonly dataPolicy?: DataPolicy | null;
  readonly guardrailIds?: readonly string[] | null;
  /** As a whole. */
  readonly cache?: CacheSettings | null;
}

export type Tenancy = Permissions & { readonly limits?: Limits };

export const count = lazy(() => z.exactOptional(z.int().check(z.nonnegative())));
const names = lazy(() => z.exactOptional(z.array(z.string())));

/** The schema of these attributes, as part of an item. */
export const tenancySchema = {
  requests_per_minute: count,
  tokens_per_minute: count,
  concurrent_requests: count,
  daily_budget: count,
  weekly_budget: count,
  monthly_budget: count,
  total_budget: count,
  credit: count,
  include_own_keys: () => z.exactOptional(z.literal(true)),
  models: names,
  operations: names,
  data_policy: () => z.exactOptional(z.custom<DataPolicy>()),
  guardrail_ids: names,
  cache: () => z.exactOptional(z.custom<CacheSettings>()),
};

type Stored = BodyOf<typeof tenancySchema>;

const limitAttributes = [
  ['requestsPerMinute', 'requests_per_minute'],
  ['tokensPerMinute', 'tokens_per_minute'],
  ['concurrentRequests', 'concurrent_requests'],
  ['dailyBudget', 'daily_budget'],
  ['weeklyBudget', 'weekly_budget'],
  ['monthlyBudget', 'monthly_budget'],
  ['totalBudget', 'total_budget'],
  ['credit', 'credit'],
  ['includeOwnKeys', 'include_own_keys'],
] as const satisfies readonly (readonly [keyof Limits, keyof Stored])[];

/** The limits in a valid item, whose attributes may have a prefix. Undefined: none. */
export function readLimits(item: StoredItem, prefix = ''): Limits | undefined {
  const set = limitAttributes.flatMap(([limit, attribute]) => {
    const amount = item[prefix + attribute];
    return amount === undefined ? [] : [[limit, amount] as const];
  });
  return set.length > 0 ? Object.fromEntries(set) : undefined;
}

/** The attributes of the limits that are given. */
export function limitFields(limits: LimitsChange, prefix = ''): StoredItem {
  return withoutUndefined(
    Object.fromEntries(limitAttributes.map(([limit, attribute]) => [prefix + attribute, limits[limit]])),
  );
}

export function readTenancy(item: Stored): Tenancy {
  const limits = readLimits(item);
  const { models, operations, data_policy: dataPolicy, guardrail_ids: guardrailIds, cache } = item;
  return {
    ...(limits && { limits }),
    ...(models && { models }),
    // An operation name written by a later version is unknown here and allows nothing.
    ...(operations && { operations: operations.filter(isOperationName) }),
    ...(dataPolicy && { dataPolicy }),
    ...(guardrailIds && { guardrailIds }),
    ...(cache && { cache }),
  };
}

/** The attributes of a new item, or those to change: only the given ones. */
export function tenancyFields({ limits = {}, ...others }: TenancyChange): StoredItem {
  const { models, operations, dataPolicy, guardrailIds, cache } = others;
  return {
    ...limitFields(limits),
    ...withoutUndefined({ models, operations, data_policy: dataPolicy, guardrail_ids: guardrailIds, cache }),
  };
}
