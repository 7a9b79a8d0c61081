/** `DELETE /admin/v1/members/{member}`: ends the sessions of a user and removes it. The ID token that it has counts until it expires. */
import { GatewayError } from '../../core/errors/errors.ts';
import { recordChange } from '../audit/record-change.ts';
import { type Changer, checkHeight, type MemberParts, membersOf, notFound } from './parts.ts';
import type { MemberRemovedAnswer } from './schema.ts';

export async function removeMember(
  parts: MemberParts,
  user: Changer,
  name: string,
): Promise<MemberRemovedAnswer> {
  const members = membersOf(parts);
  const found = await members.find(name);
  // A member of another tenant does not exist for the user.
  if (!found || (user.role !== 'operator' && found.tenant !== user.tenant)) throw notFound(name);
  if (found.role) checkHeight(user, found.role);
  if (found.id === user.id) {
    throw new GatewayError('invalid_request', 'You cannot remove yourself: ask another operator or admin.', {
      param: 'member',
    });
  }
  const { id, email, role, tenant } = found;
  if (!(await members.remove(id))) throw notFound(name);
  await recordChange(parts, {
    by: user,
    action: 'members.remove',
    tenant,
    target: id,
    before: { email, role, tenant },
  });
  return { object: 'member', id, deleted: true };
}
