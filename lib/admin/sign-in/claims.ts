/** Who a user is by the claims of an ID token: the role by a list of groups, and the tenant. */

import { signedOut } from '../../core/admin/signed-out.ts';
import { groupsOfRoles, roles, type User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { asObject, isJsonObject, type JsonObject } from '../../core/formats/json-object.ts';
import { tenantName } from '../tenancy-schema.ts';
import { type IssuerSettings, settingNames } from './settings.ts';
import type { Claims } from './verify.ts';

/** Further groups of a user are not looked at. */
export const maxGroups = 500;
/** Longer names are cut. */
const maxUserName = 128;
/** Longer ids, and those with control characters, are refused: they stand in keys and in the audit log. */
const maxUserId = 128;

type ClaimSettings = Pick<IssuerSettings, 'roleClaim' | 'tenantClaim'>;

/**
 * Of several roles the highest one counts: people are in the groups of several when they rise. An operator has no tenant, whatever the
 * claim has; all others have one. Throws GatewayError with the code `role_not_allowed` that names the claim to repair.
 */
export function userOf(claims: Claims, { roleClaim, tenantClaim }: ClaimSettings): User {
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > maxUserId || /\p{C}/u.test(sub)) {
    throw signedOut('The token is invalid: it has no subject.');
  }
  const groups = textsIn(claimOf(claims, roleClaim));
  const role = roles.find((one) => groups.includes(groupsOfRoles[one]));
  if (!role) throw withoutRole(roleClaim);
  const user = { id: sub, name: nameOf(claims), role, via: 'oidc' as const };
  if (role === 'operator') return user;
  const [tenant, ...others] = textsIn(claimOf(claims, tenantClaim));
  const { success, data: name } = aTenantName.safeParse(tenant);
  if (!success || others.length > 0) throw withoutTenant(tenantClaim);
  return { ...user, tenant: name };
}

const aTenantName = tenantName();

/** A claim by its name, which may be an address with dots in it; or by a path of names. Keycloak has its roles at `realm_access.roles`. */
function claimOf(claims: JsonObject, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) => (isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
      claims,
    );
}

/** A list, or one text. A list that Cognito copies from another provider is a text like `[viewer, staff]`. */
function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.slice(0, maxGroups).filter((one) => typeof one === 'string');
  if (typeof value !== 'string') return [];
  const inner = /^\[([^[\]]*)\]$/.exec(value.slice(0, maxListText))?.[1];
  if (inner === undefined) return value === '' ? [] : [value];
  return inner.split(',', maxGroups).map((one) => one.trim());
}

/** An attribute of a Cognito user has at most so many characters. */
const maxListText = 2048;

/** For other people to read. */
function nameOf(claims: Claims): string {
  const { email, name, preferred_username: username, sub } = asObject(claims);
  const found = [email, name, username].find((one) => typeof one === 'string' && one.trim() !== '');
  const text = String(found ?? sub)
    .replaceAll(/\p{C}+/gu, ' ')
    .trim();
  return text.slice(0, maxUserName);
}

function withoutRole(claim: string): GatewayError {
  const names = Object.values(groupsOfRoles).join(', ');
  const message = `You have signed in, but have no role here. Ask an operator of the gateway to invite you. (The claim ${claim} of the token, ${settingNames.roleClaim}, has none of: ${names}.)`;
  return new GatewayError('permission_denied', message, { code: 'role_not_allowed' });
}

function withoutTenant(claim: string): GatewayError {
  const message = `You have signed in, but belong to no tenant. Ask an operator of the gateway to repair that. (The claim ${claim} of the token, ${settingNames.tenantClaim}, has no name of a tenant.)`;
  return new GatewayError('permission_denied', message, { code: 'role_not_allowed' });
}
