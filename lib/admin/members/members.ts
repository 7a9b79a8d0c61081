/** Who may sign in. Tenant admins see and change the members of their own tenant, with no role above theirs. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { Member, Members } from '../../core/ports/members.ts';
import type { TenantStore } from '../../stores/access/tenants.ts';
import { type AuditParts, recordChange } from '../audit/record-change.ts';
import { reachedTenant, refusalOf } from '../reach.ts';
import { requireRole, tenantOfRole } from '../role-bounds.ts';
import { endpointOf } from '../subject-endpoint.ts';
import {
  defaultMembersPage,
  type MemberRemovedAnswer,
  type MemberRow,
  type MembersInviteInput,
  type MembersListAnswer,
  type MembersListQuery,
  memberPath,
  membersInviteInput,
  membersListQuery,
} from './schema.ts';

interface MemberParts extends AuditParts {
  /** Undefined where people are managed elsewhere. */
  readonly members: Members | undefined;
  readonly tenants: Pick<TenantStore, 'find'>;
}

/** `GET /admin/v1/members` */
export const listEndpoint = (parts: MemberParts) => endpointOf(parts, membersListQuery, nothing, listMembers);

/** Of one tenant or, for operators, of all. */
export async function listMembers(
  parts: Pick<MemberParts, 'members'>,
  user: User,
  { limit = defaultMembersPage, after, tenant }: MembersListQuery,
): Promise<MembersListAnswer> {
  const question = { tenant: reachedTenant(user, tenant), limit, after };
  const { members, next } = await membersOf(parts).list(question);
  return {
    object: 'list',
    data: members.map(memberRow),
    has_more: next !== undefined,
    next_after: next ?? null,
  };
}

/** `POST /admin/v1/members` */
export const inviteEndpoint = (parts: MemberParts) =>
  endpointOf(parts, nothing, membersInviteInput, inviteMember);

/** Invites a user by email. */
export async function inviteMember(
  parts: MemberParts,
  user: User,
  { email, role, tenant: asked }: MembersInviteInput,
): Promise<MemberRow> {
  const tenant = await tenantOfRole(parts, user, { role, tenant: asked });
  const members = membersOf(parts);
  const row = memberRow(await members.invite({ email, role, tenant, mayAdopt: user.role === 'operator' }));
  await recordChange(parts, user, 'members.invite', {
    tenant,
    target: row.id,
    after: { email: row.email, role, tenant },
  });
  return row;
}

/** `DELETE /admin/v1/members/{member}` */
export const removeEndpoint = (parts: MemberParts) => endpointOf(parts, memberPath, nothing, removeMember);

/** Ends the sessions of a user and removes it. Its ID token is valid until it expires. */
export async function removeMember(
  parts: MemberParts,
  user: User,
  { member: name }: { readonly member: string },
): Promise<MemberRemovedAnswer> {
  const members = membersOf(parts);
  const found = await members.find(name);
  // A member of another tenant does not exist for the user.
  if (!found || (user.role !== 'operator' && found.tenant !== user.tenant)) throw notFound(name);
  if (found.role) requireRole(user, found.role);
  const { id, email, role, tenant } = found;
  if (id === user.id) throw refusalOf('member', 'You cannot remove yourself: ask another operator or admin.');
  if (!(await members.remove(id))) throw notFound(name);
  const before = { email, role, tenant };
  await recordChange(parts, user, 'members.remove', { tenant, target: id, before });
  return { object: 'member', id, deleted: true };
}

function membersOf({ members }: Pick<MemberParts, 'members'>): Members {
  if (members) return members;
  throw new GatewayError(
    'unsupported_operation',
    'This gateway has no user pool of its own (GATEWAY_ADMIN_USER_POOL): people and their roles are managed at the issuer at which they sign in.',
  );
}

const memberRow = ({ id, email, role, tenant, isDisabled, createdAt }: Member): MemberRow => ({
  object: 'member',
  id,
  email,
  role: role ?? null,
  tenant: tenant ?? null,
  status: isDisabled ? 'disabled' : 'active',
  created_at: createdAt,
});

const notFound = (id: string) =>
  new GatewayError('not_found', `Member '${id}' not found.`, { param: 'member' });
