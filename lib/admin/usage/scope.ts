/** Whose usage and requests a user sees: an operator everyone's, others those of their tenant, a member those of their own keys. */

import type { User } from '../../core/admin/user.ts';
import { tenantNotFound } from '../reach.ts';

/** A key as lists of requests and sums show it. */
export interface KeyFacts {
  readonly id: string;
  readonly tenant: string;
  readonly name?: string;
  readonly owner?: string;
}

export interface ScopeParts {
  readonly keys: {
    list(filter: { readonly tenant?: string; readonly owner?: string }): Promise<readonly KeyFacts[]>;
  };
}

export interface Scope {
  /** Absent: all tenants. */
  readonly tenant?: string;
  /** The only keys that the user sees; absent: all of the tenant. */
  readonly keys?: ReadonlySet<string>;
  /** Whether the user sees what providers take. */
  readonly seesCost: boolean;
}

/** Throws GatewayError `not_found` for another tenant than the user's, as for one that does not exist. */
export async function scopeOf(parts: ScopeParts, user: User, tenant: string | undefined): Promise<Scope> {
  if (user.role === 'operator') return { ...(tenant !== undefined && { tenant }), seesCost: true };
  const { tenant: own } = user;
  if (own === undefined || (tenant !== undefined && tenant !== own)) {
    throw tenantNotFound(tenant ?? '');
  }
  if (user.role !== 'member') return { tenant: own, seesCost: false };
  const keys = await parts.keys.list({ tenant: own, owner: user.id });
  return { tenant: own, keys: new Set(keys.map(({ id }) => id)), seesCost: false };
}

/** The names of keys by their ids. Keys that are gone have none. */
export async function namesOfKeys(
  parts: ScopeParts,
  tenants: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const [only] = tenants;
  if (only === undefined) return new Map();
  const keys = await parts.keys.list(tenants.length === 1 ? { tenant: only } : {});
  return namesById(keys);
}

export const namesById = (keys: readonly KeyFacts[]): ReadonlyMap<string, string> =>
  new Map(keys.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])));
