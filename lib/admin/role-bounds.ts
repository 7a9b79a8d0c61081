/** Roles that users give to people and programs: none above their own, and only those of their own tenant. */
import { type Role, roles, type User } from '../core/admin/user.ts';
import { GatewayError } from '../core/errors/errors.ts';
import type { TenantStore } from '../stores/access/tenants.ts';
import { reachedTenant, refusalOf, tenantNotFound } from './reach.ts';

/** No one gives, or takes away, a role that is higher than the own one. */
export function requireRole(user: User, role: Role): void {
  if (roles.indexOf(role) >= roles.indexOf(user.role)) return;
  throw new GatewayError('permission_denied', `The role '${user.role}' may not manage the role '${role}'.`, {
    code: 'role_not_allowed',
    param: 'role',
  });
}

/** The tenant for which a role is given. Throws GatewayError for a role that needs one, for one that has none, and for one that does not exist. */
export async function tenantOfRole(
  { tenants }: { readonly tenants: Pick<TenantStore, 'find'> },
  user: User,
  { role, tenant: asked }: { readonly role: Role; readonly tenant?: string | undefined },
): Promise<string | undefined> {
  requireRole(user, role);
  const tenant = reachedTenant(user, asked);
  if (role === 'operator' && tenant !== undefined)
    throw refusalOf('tenant', 'An operator has no tenant: leave it out.');
  if (role !== 'operator' && tenant === undefined)
    throw refusalOf('tenant', `The role '${role}' needs a tenant.`);
  if (tenant !== undefined && !(await tenants.find(tenant))) throw tenantNotFound(tenant);
  return tenant;
}
