/** Models, providers, the playground, and the document of all operations. A user by an API key sees the models of its tenant. */

import type { AdminRow } from './row.ts';
import { roles } from './user.ts';

const listing = {
  method: 'GET',
  reads: ['access', 'catalog', 'state'],
  scans: ['catalog'],
  queries: ['usage'],
} as const;

const provider = '/admin/v1/providers/{provider}';

const ofProvider = { roles: ['operator'], reads: listing.reads, writes: ['usage'] } as const;
const storing = { ...ofProvider, method: 'PUT', writes: ['catalog', 'usage'], updates: ['catalog'] } as const;

export const serviceOperations = [
  { name: 'admin-openapi', method: 'GET', path: '/admin/v1/openapi.json', reads: [] },
  { ...listing, name: 'admin-models-list', path: '/admin/v1/models', roles, withKey: true },
  { ...listing, name: 'admin-providers-list', path: '/admin/v1/providers', roles: ['operator'] },
  { ...storing, name: 'admin-providers-set', path: `${provider}/settings/{setting}` },
  {
    ...ofProvider,
    name: 'admin-providers-remove',
    method: 'DELETE',
    path: `${provider}/settings/{setting}`,
    servedBy: 'admin-providers-set',
  },
  {
    ...ofProvider,
    // The function that has the keys of providers for the detectors of guardrails: no other one gets to read them.
    name: 'admin-providers-test',
    method: 'POST',
    path: `${provider}/test`,
    servedBy: 'admin-guardrails-list',
  },
  { ...storing, name: 'admin-providers-data', path: `${provider}/data`, servedBy: 'admin-providers-set' },
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
