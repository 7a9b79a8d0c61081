/** What an operator writes into the catalog: hosts of its own, rows of models with their prices, and aliases. */
import type { AdminRow } from './row.ts';

const served = {
  servedBy: 'admin-hosts-list',
  roles: ['operator'],
  reads: ['access', 'catalog', 'state'],
} as const;
const setting = { ...served, method: 'PUT', writes: ['catalog', 'usage'] } as const;
const removing = { ...served, method: 'DELETE', writes: ['usage'] } as const;

const host = '/admin/v1/hosts/{host}';
const model = '/admin/v1/models/{owner}/{model}';
const alias = '/admin/v1/aliases/{alias}';

export const catalogOperations = [
  {
    name: 'admin-hosts-list',
    method: 'GET',
    path: '/admin/v1/hosts',
    roles: ['operator'],
    reads: ['access', 'catalog', 'state'],
    scans: ['catalog'],
  },
  { ...setting, name: 'admin-hosts-put', path: host },
  { ...setting, name: 'admin-models-put', path: model },
  { ...served, name: 'admin-models-retrieve', method: 'GET', path: model },
  { ...setting, name: 'admin-aliases-put', path: alias },
  { ...served, name: 'admin-aliases-list', method: 'GET', path: '/admin/v1/aliases' },
  { ...removing, name: 'admin-aliases-delete', path: alias, writes: ['catalog', 'usage'] },
  { ...removing, name: 'admin-models-delete', path: model, deletes: ['catalog'] },
  { ...removing, name: 'admin-hosts-delete', path: host, scans: ['catalog'], deletes: ['catalog'] },
] as const satisfies readonly AdminRow[];
