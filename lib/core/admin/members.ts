/** Members: the people of a user pool, and whom tenants call their own. The user pool is no table: the stack gives these functions its permissions. */
import type { AdminRow } from './row.ts';

const path = '/admin/v1/members';

const served = { roles: ['operator', 'tenant_admin'], reads: ['access', 'state'] } as const;
const changing = { ...served, writes: ['usage'] } as const;

export const memberOperations = [
  { ...served, name: 'admin-members-list', method: 'GET', path },
  { ...changing, name: 'admin-members-invite', method: 'POST', keepsAnswer: true, path },
  { ...changing, name: 'admin-members-remove', method: 'DELETE', path: `${path}/{member}` },
] as const satisfies readonly AdminRow[];
