/** Credentials of tenants for providers. A secret goes in, and never out. */
import type { AdminRow } from './row.ts';

const path = '/admin/v1/tenants/{tenant}/credentials';

const served = {
  roles: ['operator', 'tenant_admin'],
  servedBy: 'admin-credentials-list',
  reads: ['access', 'state', 'catalog'],
  writes: ['access', 'usage'],
  updates: ['access'],
} as const;

export const credentialOperations = [
  {
    name: 'admin-credentials-list',
    method: 'GET',
    path,
    roles: ['operator', 'tenant_admin'],
    reads: ['access', 'state'],
  },
  { ...served, name: 'admin-credentials-create', method: 'POST', path, keepsAnswer: true },
  { ...served, name: 'admin-credentials-change', method: 'PATCH', path: `${path}/{credential}` },
  { ...served, name: 'admin-credentials-test', method: 'POST', path: `${path}/{credential}/test` },
  {
    ...served,
    name: 'admin-credentials-delete',
    method: 'DELETE',
    path: `${path}/{credential}`,
    deletes: ['access'],
  },
] as const satisfies readonly AdminRow[];
