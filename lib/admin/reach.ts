/** Whose data a user reaches: what is another's is not found, as if it did not exist; and what is refused of an input. */

import type { User } from '../core/admin/user.ts';
import { GatewayError } from '../core/errors/errors.ts';

export const tenantNotFound = (name: string) =>
  new GatewayError('not_found', `Tenant not found: ${name}.`, { param: 'tenant' });

export const keyNotFound = (id: string) =>
  new GatewayError('not_found', `Key not found: ${id}.`, { param: 'key' });

/** What is wrong with a parameter of the input. */
export const refusalOf = (param: string, message: string): GatewayError =>
  new GatewayError('invalid_request', message, { param });

/** Throws GatewayError `not_found` for a tenant that is not the user's. */
export function requireTenant({ role, tenant }: User, name: string): void {
  if (role !== 'operator' && tenant !== name) throw tenantNotFound(name);
}

/** The tenant that a list is limited to: for operators the one that is asked for, if any. */
export function reachedTenant(user: User, asked: string | undefined): string | undefined {
  if (asked !== undefined) requireTenant(user, asked);
  return user.role === 'operator' ? asked : (user.tenant ?? '');
}

/** The owner that a list of keys is limited to: members reach their own keys only. */
export const reachedOwner = ({ role, id }: User, asked: string | undefined): string | undefined =>
  role === 'member' ? id : asked;

interface Owned {
  readonly id: string;
  readonly tenant: string;
  readonly owner?: string;
}

/** Throws GatewayError `not_found` for a key that the user does not reach. */
export function requireKey(user: User, key: Owned): void {
  const { role, tenant, id } = user;
  if (role === 'operator') return;
  if (key.tenant !== tenant || (role === 'member' && key.owner !== id)) throw keyNotFound(key.id);
}
