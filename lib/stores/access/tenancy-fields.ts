/**
 * Limits and permissions as stored with tenants and keys. Each is a separate attribute, so that two operators who change
 * different ones at the same time do not overwrite each other.
 */
import * as z from 'zod/mini';
import { partitionKey } from '../../core/tables.ts';
import { isOperationName, type Limits, type Permissions } from '../../core/tenancy.ts';
import type { ItemUpdate } from '../dynamodb/table.ts';
import { toItemUpdate } from '../dynamodb/update-expression.ts';

/** The fields to change; null removes one. */
export interface TenancyChange {
  readonly limits?: { readonly [Name in keyof Limits]?: number | null };
  readonly models?: readonly string[] | null;
  readonly operations?: Permissions['operations'] | null;
}

export type Tenancy = Permissions & { readonly limits?: Limits };

const count = z.exactOptional(z.int().check(z.nonnegative()));
const names = z.exactOptional(z.array(z.string()));

/** The schema of these attributes, as part of an item. */
export const tenancySchema = {
  requests_per_minute: count,
  tokens_per_minute: count,
  concurrent_requests: count,
  monthly_budget: count,
  credit: count,
  models: names,
  operations: names,
};

type Stored = z.output<z.ZodMiniObject<typeof tenancySchema>>;

const attributeOf = {
  requestsPerMinute: 'requests_per_minute',
  tokensPerMinute: 'tokens_per_minute',
  concurrentRequests: 'concurrent_requests',
  monthlyBudget: 'monthly_budget',
  credit: 'credit',
} as const satisfies Record<keyof Limits, keyof Stored>;

export function readTenancy(item: Stored): Tenancy {
  const set = Object.entries(attributeOf).flatMap(([limit, attribute]) => {
    const amount = item[attribute];
    return amount === undefined ? [] : [[limit, amount] as const];
  });
  const limits: Limits = Object.fromEntries(set);
  const { models, operations } = item;
  return {
    ...(set.length > 0 && { limits }),
    ...(models && { models }),
    // An operation name written by a later version is unknown here and allows nothing.
    ...(operations && { operations: operations.filter(isOperationName) }),
  };
}

/** The attributes of a new item, or those to change: only the given ones. */
export function tenancyFields({ limits = {}, models, operations }: TenancyChange): Record<string, unknown> {
  const fields = {
    [attributeOf.requestsPerMinute]: limits.requestsPerMinute,
    [attributeOf.tokensPerMinute]: limits.tokensPerMinute,
    [attributeOf.concurrentRequests]: limits.concurrentRequests,
    [attributeOf.monthlyBudget]: limits.monthlyBudget,
    [attributeOf.credit]: limits.credit,
    models,
    operations,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Sets these attributes of an existing item and removes those that are null. */
export function updateOf(fields: Readonly<Record<string, unknown>>): ItemUpdate {
  const entries = Object.entries(fields);
  return toItemUpdate({
    set: entries.flatMap(([name, value]) => (value === null ? [] : [[[name], value]])),
    remove: entries.flatMap(([name, value]) => (value === null ? [[name]] : [])),
    where: [{ path: [partitionKey], exists: true }],
  });
}
