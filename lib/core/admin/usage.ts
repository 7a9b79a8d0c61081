/** Usage and requests: sums, and records of the ledger. They read the names and owners of keys, and the limits of tenants. */

import type { AdminRow } from './row.ts';
import { roles } from './user.ts';

const counting = {
  method: 'GET',
  roles,
  withKey: true,
  reads: ['access', 'state', 'usage'],
  queries: ['usage'],
  scans: ['access'],
} as const;

const request = '/admin/v1/requests/{request_id}';

export const usageOperations = [
  { ...counting, name: 'admin-usage', path: '/admin/v1/usage' },
  { ...counting, name: 'admin-overview', path: '/admin/v1/overview' },
  {
    name: 'admin-alerts-list',
    method: 'GET',
    path: '/admin/v1/alerts',
    roles: ['operator', 'tenant_admin'],
    servedBy: 'admin-audit-list',
    reads: ['access', 'state'],
    queries: ['usage'],
  },
  { ...counting, name: 'admin-requests-list', path: '/admin/v1/requests', stateItems: ['run', 'session'] },
  {
    ...counting,
    name: 'admin-requests-retrieve',
    path: request,
    reads: ['access', 'catalog', 'state', 'usage'],
  },
  {
    name: 'admin-requests-cancel',
    method: 'POST',
    path: `${request}/cancel`,
    servedBy: 'admin-requests-retrieve',
    roles: ['operator', 'tenant_admin', 'member'],
    reads: ['access', 'state', 'usage'],
    // Sessions are read with the rights of the operation beside it.
    stateItems: ['run'],
    writes: ['usage'],
    updates: ['state'],
    queries: ['usage'],
    scans: ['access'],
  },
] as const satisfies readonly AdminRow[];
