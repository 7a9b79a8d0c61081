/** Management keys: how programs call these operations. A key makes or revokes others only where its list of operations says so. */
import type { AdminRow } from './row.ts';

const path = '/admin/v1/management-keys';

const served = {
  roles: ['operator', 'tenant_admin'],
  reads: ['access', 'state'],
  scans: ['access'],
} as const;

export const managementKeyOperations = [
  { ...served, name: 'admin-management-keys-list', method: 'GET', path },
  {
    ...served,
    name: 'admin-management-keys-create',
    method: 'POST',
    path,
    servedBy: 'admin-management-keys-list',
    mustBeNamed: true,
    keepsAnswer: true,
    writes: ['access', 'usage'],
    // Of a key that is above the maximum, and is taken back.
    deletes: ['access'],
  },
  {
    ...served,
    name: 'admin-management-keys-retrieve',
    method: 'GET',
    path: `${path}/{management_key}`,
    servedBy: 'admin-management-keys-list',
  },
  {
    ...served,
    name: 'admin-management-keys-revoke',
    method: 'DELETE',
    path: `${path}/{management_key}`,
    servedBy: 'admin-management-keys-list',
    mustBeNamed: true,
    writes: ['usage'],
    deletes: ['access'],
  },
] as const satisfies readonly AdminRow[];
