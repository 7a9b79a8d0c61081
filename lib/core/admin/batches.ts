/** Batches and files of tenants, and what providers have of them. Never a line of one. */

import type { AdminRow } from './row.ts';
import { roles } from './user.ts';

const reading = { roles, withKey: true, reads: ['access', 'files', 'state'], scans: ['access'] } as const;

export const batchOperations = [
  { ...reading, name: 'admin-batches-list', method: 'GET', path: '/admin/v1/batches', queries: ['files'] },
  {
    ...reading,
    name: 'admin-batches-retrieve',
    method: 'GET',
    path: '/admin/v1/batches/{batch_id}',
    queries: ['files'],
  },
  {
    ...reading,
    name: 'admin-batches-cancel',
    method: 'POST',
    path: '/admin/v1/batches/{batch_id}/cancel',
    servedBy: 'admin-batches-retrieve',
    roles: ['operator', 'tenant_admin', 'member'],
    writes: ['usage'],
    updates: ['files'],
  },
  {
    ...reading,
    name: 'admin-files-list',
    method: 'GET',
    path: '/admin/v1/files',
    servedBy: 'admin-batches-list',
    queries: ['files'],
  },
] as const satisfies readonly AdminRow[];
