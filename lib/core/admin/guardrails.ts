/** Guardrails of tenants. */
import type { AdminRow } from './row.ts';

const path = '/admin/v1/tenants/{tenant}/guardrails';

const served = { servedBy: 'admin-guardrails-list', reads: ['access', 'state'] } as const;

const changing = {
  ...served,
  roles: ['operator'],
  writes: ['access', 'usage'],
  updates: ['access'],
} as const;

export const guardrailOperations = [
  {
    name: 'admin-guardrails-list',
    method: 'GET',
    path,
    roles: ['operator', 'tenant_admin'],
    reads: ['access', 'state'],
  },
  { ...changing, name: 'admin-guardrails-put', method: 'PUT', path: `${path}/{guardrail}` },
  {
    ...served,
    name: 'admin-guardrails-retrieve',
    method: 'GET',
    path: `${path}/{guardrail}`,
    roles: ['operator', 'tenant_admin'],
  },
  {
    ...served,
    name: 'admin-guardrails-test',
    method: 'POST',
    path: `${path}/{guardrail}/test`,
    roles: ['operator'],
    writes: ['usage'],
  },
  { ...changing, name: 'admin-guardrails-delete', method: 'DELETE', path: `${path}/{guardrail}` },
] as const satisfies readonly AdminRow[];
