/** `POST /admin/v1/members`: invites a user by email. Tenant admins invite to their own tenant, with no higher role than theirs. */
import { GatewayError } from '../../core/errors/errors.ts';
import { recordChange } from '../audit/record-change.ts';
import { type Changer, checkHeight, type MemberParts, memberRow, membersOf, tenantFor } from './parts.ts';
import type { MemberRow, MembersInviteInput } from './schema.ts';

export async function inviteMember(
  parts: MemberParts,
  user: Changer,
  { email, role, tenant: asked }: MembersInviteInput,
): Promise<MemberRow> {
  checkHeight(user, role);
  const tenant = tenantFor(user, asked);
  if (role === 'operator' && tenant !== undefined) {
    throw new GatewayError('invalid_request', 'An operator has no tenant: leave it out.', {
      param: 'tenant',
    });
  }
  if (role !== 'operator' && tenant === undefined) {
    throw new GatewayError('invalid_request', `The role '${role}' needs a tenant.`, { param: 'tenant' });
  }
  const members = membersOf(parts);
  if (tenant !== undefined && !(await parts.tenants.find(tenant))) {
    throw new GatewayError('not_found', `Tenant '${tenant}' not found.`, { param: 'tenant' });
  }
  const row = memberRow(await members.invite({ email, role, tenant, mayAdopt: user.role === 'operator' }));
  await recordChange(parts, {
    by: user,
    action: 'members.invite',
    tenant,
    target: row.id,
    after: { email: row.email, role, tenant },
  });
  return row;
}
