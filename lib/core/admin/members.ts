/** Members: the people of a user pool, and whom tenants call their own. The user pool is no table: the stack gives these functions its permissions. */
import type { AdminRow } from './row.ts';

export const memberOperations = [
  {
    name: 'admin-members-list',
    method: 'GET',
    path: '/admin/v1/members',
    roles: ['operator', 'tenant_admin'],
    reads: ['access', 'state'],
  },
  {
    name: 'admin-members-invite',
    method: 'POST',
    keepsAnswer: true,
    path: '/admin/v1/members',
    roles: ['operator', 'tenant_admin'],
    reads: ['access', 'state'],
    writes: ['usage'],
  },
  {
    name: 'admin-members-remove',
    method: 'DELETE',
    path: '/admin/v1/members/{member}',
    roles: ['operator', 'tenant_admin'],
    reads: ['access', 'state'],
    writes: ['usage'],
  },
] as const satisfies readonly AdminRow[];
