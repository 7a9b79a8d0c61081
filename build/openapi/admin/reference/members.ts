/** The part of the reference of the dashboard's API that is about the people who may sign in. */
import * as members from '../../../../lib/admin/members/schema.ts';
import { tagged } from '../admin-reference.ts';

export const membersReference = tagged('Members', {
  'admin-members-list': {
    title: 'List members',
    summary: 'Lists the people who may sign in.',
    parameters: members.membersListQuery,
    answer: ['MemberList', members.membersListAnswer],
  },
  'admin-members-invite': {
    title: 'Invite a member',
    summary: 'Sends an invitation by e-mail. The user signs in with that address.',
    body: members.membersInviteInput,
    answer: ['Member', members.memberSchema],
  },
  'admin-members-remove': {
    title: 'Remove a member',
    summary: 'Ends the sessions of a user, and removes the account.',
    parameters: members.memberPath,
    answer: ['RemovedMember', members.memberRemovedAnswer],
  },
});
