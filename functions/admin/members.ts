/** Of the people who may sign in. */
import type { AdminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import { type AdminFunctions, ofParts } from './admin-function.ts';

async function members({ foundation, ...runtime }: AdminRuntime) {
  const [endpoints, { membersIn }] = await Promise.all([
    import('../../lib/admin/members/members.ts'),
    import('../../lib/runtime/admin/members.ts'),
  ]);
  return { ...endpoints, parts: { ...runtime, members: membersIn(foundation) } };
}

const ofMembers = ofParts(members);

export const memberFunctions = {
  'admin-members-list': ofMembers(({ listEndpoint, parts }) => listEndpoint(parts)),
  'admin-members-invite': ofMembers(({ inviteEndpoint, parts }) => inviteEndpoint(parts)),
  'admin-members-remove': ofMembers(({ removeEndpoint, parts }) => removeEndpoint(parts)),
} satisfies AdminFunctions;
