/**
 * Limits and permissions as tenants and keys are stored with them: each is an attribute of its own, so that two operators
 * who change different ones do not undo each other's work.
 */
import * as z from 'zod/mini';
import { partitionKey } from '../core/tables.ts';
import { isOperationName, type Limits, type Permissions } from '../core/tenancy.ts';
import { toChange } from './draft.ts';
import type { Change } from './table.ts';

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

export function readTenancy(item: Stored): Tenancy {
  const limits: Limits = set({
    requestsPerMinute: item.requests_per_minute,
    tokensPerMinute: item.tokens_per_minute,
    concurrentRequests: item.concurrent_requests,
    monthlyBudget: item.monthly_budget,
    credit: item.credit,
  });
  const { models, operations } = item;
  return {
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(models && { models }),
    // A name that a later version wrote allows nothing here.
    ...(operations && { operations: operations.filter(isOperationName) }),
  };
}

/** The attributes of a new item, or those to be changed. */
export function tenancyFields({ limits = {}, models, operations }: TenancyChange) {
  return set({
    requests_per_minute: limits.requestsPerMinute,
    tokens_per_minute: limits.tokensPerMinute,
    concurrent_requests: limits.concurrentRequests,
    monthly_budget: limits.monthlyBudget,
    credit: limits.credit,
    models,
    operations,
  });
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

type Set<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Without the members that are undefined. */
function set<Fields extends object>(fields: Fields): Set<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Set<Fields>;
}
