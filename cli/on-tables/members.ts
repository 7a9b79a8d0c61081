/** Operations on the people who may sign in, and on management keys. */
import {
  createManagementKey,
  listManagementKeys,
  revokeManagementKey,
} from '../../lib/admin/management-keys/management-keys.ts';
import { inviteMember, listMembers, removeMember } from '../../lib/admin/members/members.ts';
import type { User } from '../../lib/core/admin/user.ts';
import type { Installation } from '../command.ts';

type MemberParts = Parameters<typeof inviteMember>[0];

const ofMembers =
  <Input, Answer>(work: (parts: MemberParts, user: User, input: Input) => Promise<Answer>) =>
  async (installation: Installation, user: User, input: Input): Promise<Answer> =>
    work({ ...installation, members: await installation.members() }, user, input);

export const onMembers = {
  'admin-members-invite': ofMembers(inviteMember),
  'admin-members-list': ofMembers(listMembers),
  'admin-members-remove': ofMembers(removeMember),
  'admin-management-keys-list': listManagementKeys,
  'admin-management-keys-create': createManagementKey,
  'admin-management-keys-revoke': revokeManagementKey,
};
