/** `GET /admin/v1/members`: who may sign in, of one tenant or, for operators, of all. */
import { type Changer, type MemberParts, memberRow, membersOf, tenantFor } from './parts.ts';
import { defaultMembersPage, type MembersListAnswer, type MembersListQuery } from './schema.ts';

export async function listMembers(
  parts: Pick<MemberParts, 'members'>,
  user: Changer,
  { limit = defaultMembersPage, after, tenant }: MembersListQuery,
): Promise<MembersListAnswer> {
  const question = { tenant: tenantFor(user, tenant), limit, after };
  const { members, next } = await membersOf(parts).list(question);
  return {
    object: 'list',
    data: members.map(memberRow),
    has_more: next !== undefined,
    next_after: next ?? null,
  };
}
