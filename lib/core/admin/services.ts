/** Models, providers, the playground, and the document of all operations. A user by an API key sees the models of its tenant. */

import type { AdminRow } from './row.ts';
import { roles } from './user.ts';

export const serviceOperations = [
  { name: 'admin-openapi', method: 'GET', path: '/admin/v1/openapi.json', reads: [] },
  {
    name: 'admin-models-list',
    method: 'GET',
    path: '/admin/v1/models',
    roles,
    withKey: true,
    reads: ['access', 'catalog', 'state'],
    scans: ['catalog'],
    queries: ['usage'],
  },
  {
    name: 'admin-providers-list',
    method: 'GET',
    path: '/admin/v1/providers',
    roles: ['operator'],
    reads: ['access', 'catalog', 'state'],
    scans: ['catalog'],
    queries: ['usage'],
  },
  {
    name: 'admin-providers-set',
    method: 'PUT',
    path: '/admin/v1/providers/{provider}/settings/{setting}',
    roles: ['operator'],
    reads: ['access', 'catalog', 'state'],
    writes: ['catalog', 'usage'],
    updates: ['catalog'],
  },
  {
    name: 'admin-providers-remove',
    method: 'DELETE',
    path: '/admin/v1/providers/{provider}/settings/{setting}',
    roles: ['operator'],
    servedBy: 'admin-providers-set',
    reads: ['access', 'catalog', 'state'],
    writes: ['usage'],
  },
  {
    // The function that has the keys of providers for the detectors of guardrails: no other one gets to read them.
    name: 'admin-providers-test',
    method: 'POST',
    path: '/admin/v1/providers/{provider}/test',
    roles: ['operator'],
    servedBy: 'admin-guardrails-list',
    reads: ['access', 'catalog', 'state'],
    writes: ['usage'],
  },
  {
    name: 'admin-providers-data',
    method: 'PUT',
    path: '/admin/v1/providers/{provider}/data',
    roles: ['operator'],
    servedBy: 'admin-providers-set',
    reads: ['access', 'catalog', 'state'],
    writes: ['catalog', 'usage'],
    updates: ['catalog'],
  },
  {
    // The function of chat completions, at a path of the dashboard's API. Its callers show an API key.
    name: 'admin-playground',
    method: 'POST',
    path: '/admin/v1/playground/chat/completions',
    reads: ['access', 'catalog', 'state', 'usage'],
    stateItems: ['note'],
    writes: ['state', 'usage'],
    updates: ['usage'],
    timeoutSeconds: 900,
  },
] as const satisfies readonly AdminRow[];

export const pageOperations = [
  {
    name: 'dashboard-files',
    method: 'GET',
    path: '/dashboard/{file+}',
    alsoAt: '/dashboard',
    isOpened: true,
    reads: [],
  },
] as const satisfies readonly AdminRow[];
