/** What the operations of members need, and which members a user may see and change. */

import { type Role, roles, type User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { Member, Members } from '../../core/ports/members.ts';
import type { TenantStore } from '../../stores/access/tenants.ts';
import type { AuditParts } from '../audit/record-change.ts';
import type { MemberRow } from './schema.ts';

export interface MemberParts extends AuditParts {
  /** Undefined where people are managed elsewhere. */
  readonly members: Members | undefined;
  readonly tenants: Pick<TenantStore, 'find'>;
}

/** Who changes something: a user, or the operator at the command line. */
export type Changer = Pick<User, 'id' | 'name' | 'role' | 'tenant'> & { readonly via: string };

export function membersOf({ members }: Pick<MemberParts, 'members'>): Members {
  if (members) return members;
  throw new GatewayError(
    'unsupported_operation',
    'This gateway has no user pool of its own (GATEWAY_ADMIN_USER_POOL): people and their roles are managed at the issuer at which they sign in.',
  );
}

/** The tenant that is meant: that of the user, except for operators. Another tenant does not exist for the user. */
export function tenantFor(user: Changer, asked: string | undefined): string | undefined {
  if (user.role === 'operator') return asked;
  if (asked === undefined || asked === user.tenant) return user.tenant;
  throw new GatewayError('not_found', `Tenant '${asked}' not found.`, { param: 'tenant' });
}

/** No one gives, or takes away, a role that is higher than the own one. */
export function checkHeight(user: Changer, role: Role): void {
  if (roles.indexOf(role) >= roles.indexOf(user.role)) return;
  throw new GatewayError('permission_denied', `The role '${user.role}' may not manage the role '${role}'.`, {
    code: 'role_not_allowed',
    param: 'role',
  });
}

export const notFound = (id: string): GatewayError =>
  new GatewayError('not_found', `Member '${id}' not found.`, { param: 'member' });

export const memberRow = ({ id, email, role, tenant, isDisabled, createdAt }: Member): MemberRow => ({
  object: 'member',
  id,
  email,
  role: role ?? null,
  tenant: tenant ?? null,
  status: isDisabled ? 'disabled' : 'active',
  created_at: createdAt,
});
