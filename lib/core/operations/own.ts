/** The rows of what the gateway says of itself: models, usage, and the OpenAPI document. */
import type { Operation } from './operation.ts';
import { reading } from './row-parts.ts';

const open = { ...reading, authenticated: false } as const;

export const ownRows: readonly Operation[] = [
  { ...open, name: 'models', path: '/v1/models', errors: 'anthropic', reads: ['access', 'catalog'] },
  { ...open, name: 'models-retrieve', path: '/v1/models/{model+}', errors: 'anthropic', reads: ['catalog'] },
  { ...reading, name: 'usage-retrieve', path: '/v1/usage', reads: ['access'], queries: ['usage'] },
  {
    ...reading,
    name: 'usage-request',
    path: '/v1/usage/requests/{request_id}',
    reads: ['access', 'catalog', 'usage'],
  },
  { ...open, name: 'openapi', path: '/v1/openapi.json', reads: [] },
];
