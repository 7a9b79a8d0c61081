/** Tenants, their keys, and the audit log. Every operation reads the user's session; those that change something write an audit record (`usage`). */
import type { AdminRow } from './row.ts';
import { roles } from './user.ts';

const keys = '/admin/v1/keys';

const showingKeys = { roles, withKey: true, reads: ['access', 'state', 'usage'], scans: ['access'] } as const;

const makingKeys = {
  method: 'POST',
  keepsAnswer: true,
  roles: ['operator', 'tenant_admin', 'member'],
  writes: ['access', 'usage'],
  // Of a key that is above the bound of its tenant, and is taken back.
  deletes: ['access'],
  scans: ['access'],
} as const;

const endingKeys = {
  method: 'POST',
  reads: ['access', 'state'],
  writes: ['usage'],
  updates: ['access'],
  scans: ['access'],
} as const;

const tenants = '/admin/v1/tenants';
const tenant = `${tenants}/{tenant}` as const;

const ofOperators = { roles: ['operator'], reads: ['access', 'state'] } as const;
const ofAdmins = { roles: ['operator', 'tenant_admin'], reads: ['access', 'state'] } as const;

/** What sums or the ledger say of a tenant. */
const counting = { roles: ['operator'], reads: ['access', 'state', 'usage'], queries: ['usage'] } as const;

export const subjectOperations = [
  { ...showingKeys, name: 'admin-keys-list', method: 'GET', path: keys, queries: ['usage'] },
  { ...makingKeys, name: 'admin-keys-create', path: keys, reads: ['access', 'catalog', 'state'] },
  { ...showingKeys, name: 'admin-keys-retrieve', method: 'GET', path: `${keys}/{key}` },
  {
    name: 'admin-keys-change',
    method: 'PATCH',
    path: `${keys}/{key}`,
    roles: ['operator', 'tenant_admin', 'member'],
    reads: ['access', 'catalog', 'state', 'usage'],
    writes: ['usage'],
    updates: ['access', 'usage'],
    queries: ['usage'],
    scans: ['access'],
  },
  {
    ...makingKeys,
    name: 'admin-keys-rotate',
    path: `${keys}/{key}/rotate`,
    reads: ['access', 'state'],
    updates: ['access'],
  },
  {
    ...endingKeys,
    name: 'admin-keys-disable',
    path: `${keys}/{key}/disable`,
    roles: ['operator', 'tenant_admin', 'member'],
  },
  // A key that was disabled because it leaked is not for its owner to enable.
  {
    ...endingKeys,
    name: 'admin-keys-enable',
    path: `${keys}/{key}/enable`,
    roles: ['operator', 'tenant_admin'],
    servedBy: 'admin-keys-disable',
  },
  { ...counting, name: 'admin-tenants-list', method: 'GET', path: tenants, scans: ['access'] },
  {
    name: 'admin-tenants-create',
    method: 'POST',
    keepsAnswer: true,
    path: tenants,
    roles: ['operator'],
    reads: ['access', 'catalog', 'state'],
    writes: ['access', 'usage'],
  },
  { ...ofAdmins, name: 'admin-tenants-retrieve', method: 'GET', path: tenant, reads: counting.reads },
  {
    ...counting,
    name: 'admin-tenants-change',
    method: 'PATCH',
    path: tenant,
    reads: ['access', 'catalog', 'state', 'usage'],
    writes: ['usage'],
    updates: ['access', 'usage'],
  },
  {
    ...ofAdmins,
    name: 'admin-webhook-retrieve',
    method: 'GET',
    path: `${tenant}/webhook`,
    stateItems: ['session', 'webhook'],
  },
  {
    ...ofAdmins,
    name: 'admin-webhook-test',
    method: 'POST',
    path: `${tenant}/webhook/test`,
    writes: ['usage'],
  },
  {
    ...counting,
    name: 'admin-credit-add',
    method: 'POST',
    keepsAnswer: true,
    path: `${tenant}/credit`,
    writes: ['usage'],
    updates: ['access'],
  },
  {
    ...ofOperators,
    name: 'admin-adjustments-list',
    method: 'GET',
    path: `${tenant}/adjustments`,
    queries: ['usage'],
  },
  {
    ...counting,
    name: 'admin-invoice-retrieve',
    method: 'GET',
    path: `${tenant}/invoice`,
    servedBy: 'admin-adjustments-list',
  },
  {
    ...ofOperators,
    name: 'admin-adjustments-add',
    method: 'POST',
    keepsAnswer: true,
    path: `${tenant}/adjustments`,
    writes: ['usage'],
    queries: ['usage'],
  },
  {
    ...counting,
    name: 'admin-invoice-close',
    method: 'POST',
    path: `${tenant}/invoice/close`,
    servedBy: 'admin-adjustments-add',
    writes: ['usage'],
  },
  {
    ...ofOperators,
    name: 'admin-pricing-change',
    method: 'PUT',
    path: `${tenant}/pricing`,
    writes: ['usage'],
    updates: ['access'],
  },
  { ...ofAdmins, name: 'admin-audit-list', method: 'GET', path: '/admin/v1/audit', queries: ['usage'] },
] as const satisfies readonly AdminRow[];
