/** The operations of members, as the API serves them. */
import { type AdminEndpoint, type Nothing, nothing } from '../../core/admin/admin-endpoint.ts';
import { inviteMember } from './invite.ts';
import { listMembers } from './list.ts';
import type { MemberParts } from './parts.ts';
import { removeMember } from './remove.ts';
import { memberPath, membersInviteInput, membersListQuery } from './schema.ts';

export const listEndpoint = (parts: MemberParts): AdminEndpoint<typeof membersListQuery, Nothing> => ({
  parameters: membersListQuery,
  body: nothing,
  answer: async ({ user, parameters }) => ({
    type: 'json',
    body: await listMembers(parts, user, parameters),
  }),
});

export const inviteEndpoint = (parts: MemberParts): AdminEndpoint<Nothing, typeof membersInviteInput> => ({
  parameters: nothing,
  body: membersInviteInput,
  answer: async ({ user, body }) => ({ type: 'json', body: await inviteMember(parts, user, body) }),
});

export const removeEndpoint = (parts: MemberParts): AdminEndpoint<typeof memberPath, Nothing> => ({
  parameters: memberPath,
  body: nothing,
  answer: async ({ user, parameters }) => ({
    type: 'json',
    body: await removeMember(parts, user, parameters.member),
  }),
});
