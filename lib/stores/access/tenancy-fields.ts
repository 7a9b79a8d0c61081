/**
 * Limits and permissions as tenants and keys are stored with them: each is an attribute of its own, so that two operators
 * who change different ones do not undo each other's work.
 */
import * as z from 'zod/mini';
import { partitionKey } from '../../core/tables.ts';
import { isOperationName, type Limits, type Permissions } from '../../core/tenancy.ts';
import { toChange } from '../dynamodb/draft.ts';
import type { Change } from '../dynamodb/table.ts';

/** What is to be changed; null takes away. */
export interface TenancyChange {
  readonly limits?: { readonly [Name in keyof Limits]?: number | null };
  readonly models?: readonly string[] | null;
  readonly operations?: Permissions['operations'] | null;
}

export type Tenancy = Permissions & { readonly limits?: Limits };

const count = z.exactOptional(z.int().check(z.nonnegative()));
const names = z.exactOptional(z.array(z.string()));

/** The attributes, for the schema of an item. */
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
    // A name that a later version wrote allows nothing here.
    ...(operations && { operations: operations.filter(isOperationName) }),
  };
}

/** The attributes of a new item, or those to be changed: only what is given. */
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

/** Sets these attributes of an item that exists, and takes away those that are null. */
export function changeOf(fields: Readonly<Record<string, unknown>>): Change {
  const entries = Object.entries(fields);
  return toChange({
    set: entries.flatMap(([name, value]) => (value === null ? [] : [[[name], value]])),
    remove: entries.flatMap(([name, value]) => (value === null ? [[name]] : [])),
    where: [{ path: [partitionKey], exists: true }],
  });
}
