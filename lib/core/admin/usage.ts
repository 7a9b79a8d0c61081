/** Usage and requests: sums, and records of the ledger. They read the names and owners of keys, and the limits of tenants. */

import type { AdminRow } from './row.ts';
import { roles } from './user.ts';

export const usageOperations = [
  {
    name: 'admin-usage',
    method: 'GET',
    path: '/admin/v1/usage',
    roles,
    withKey: true,
    reads: ['access', 'state', 'usage'],
    queries: ['usage'],
    scans: ['access'],
  },
  {
    name: 'admin-overview',
    method: 'GET',
    path: '/admin/v1/overview',
    roles,
    withKey: true,
    reads: ['access', 'state', 'usage'],
    queries: ['usage'],
    scans: ['access'],
  },
  {
    name: 'admin-alerts-list',
    method: 'GET',
    path: '/admin/v1/alerts',
    roles: ['operator', 'tenant_admin'],
    servedBy: 'admin-audit-list',
    reads: ['access', 'state'],
    queries: ['usage'],
  },
  {
    name: 'admin-requests-list',
    method: 'GET',
    path: '/admin/v1/requests',
    roles,
    withKey: true,
    reads: ['access', 'state', 'usage'],
    stateItems: ['run', 'session'],
    queries: ['usage'],
    scans: ['access'],
  },
  {
    name: 'admin-requests-retrieve',
    method: 'GET',
    path: '/admin/v1/requests/{request_id}',
    roles,
    withKey: true,
    reads: ['access', 'catalog', 'state', 'usage'],
    queries: ['usage'],
    scans: ['access'],
  },
  {
    name: 'admin-requests-cancel',
    method: 'POST',
    path: '/admin/v1/requests/{request_id}/cancel',
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
