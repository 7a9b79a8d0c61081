/**
 * The route table: every operation the gateway offers, once.
 *
 * The CDK stack, the local gateway and the tests all loop over this table; nothing else names a path.
 */
import type { TableName } from './tables.ts';

/** The values the public model list uses for operations. */
export const endpoints = ['chat_completions', 'responses', 'embeddings', 'images_generations'] as const;
export type ModelEndpoint = (typeof endpoints)[number];

export type OperationName =
  | 'chat-completions'
  | 'responses'
  | 'responses-retrieve'
  | 'responses-delete'
  | 'responses-input-items'
  | 'embeddings'
  | 'images-generations'
  | 'models'
  | 'usage-retrieve'
  | 'openapi';

/** One operation: where it is served and what the platform must grant it. */
export interface Operation {
  /** Also the name of its entry file in `functions/` and of its bundle in `dist/`. */
  readonly name: OperationName;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** A segment may be a parameter, `{name}`. Operations that differ in their method may share a path. */
  readonly path: string;
  /** Absent for operations that do not address a model. */
  readonly endpoint?: ModelEndpoint;
  /** Whether a caller needs an API key. */
  readonly authenticated: boolean;
  /** The tables its function may read. */
  readonly reads: readonly TableName[];
  /** The tables its function may write whole items into. */
  readonly writes?: readonly TableName[];
  /** The tables whose items its function may change in place. */
  readonly updates?: readonly TableName[];
  /** The tables of which its function may read ranges of items. */
  readonly queries?: readonly TableName[];
  /** The tables its function may remove items from. */
  readonly deletes?: readonly TableName[];
  /** Longest time one request may take, in seconds (API Gateway and Lambda allow 900). */
  readonly timeoutSeconds: number;
}

export const operations: readonly Operation[] = [
  {
    name: 'chat-completions',
    method: 'POST',
    path: '/v1/chat/completions',
    endpoint: 'chat_completions',
    authenticated: true,
    reads: ['access', 'catalog', 'state', 'usage'],
    writes: ['state', 'usage'],
    updates: ['usage'],
    timeoutSeconds: 900,
  },
  {
    name: 'responses',
    method: 'POST',
    path: '/v1/responses',
    endpoint: 'responses',
    authenticated: true,
    reads: ['access', 'catalog', 'state', 'usage'],
    writes: ['state', 'usage'],
    updates: ['usage'],
    timeoutSeconds: 900,
  },
  {
    name: 'responses-retrieve',
    method: 'GET',
    path: '/v1/responses/{response_id}',
    authenticated: true,
    reads: ['access', 'state'],
    timeoutSeconds: 30,
  },
  {
    name: 'responses-delete',
    method: 'DELETE',
    path: '/v1/responses/{response_id}',
    authenticated: true,
    reads: ['access'],
    deletes: ['state'],
    timeoutSeconds: 30,
  },
  {
    name: 'responses-input-items',
    method: 'GET',
    path: '/v1/responses/{response_id}/input_items',
    authenticated: true,
    reads: ['access', 'state'],
    timeoutSeconds: 30,
  },
  {
    name: 'embeddings',
    method: 'POST',
    path: '/v1/embeddings',
    endpoint: 'embeddings',
    authenticated: true,
    reads: ['access', 'catalog', 'usage'],
    writes: ['usage'],
    updates: ['usage'],
    timeoutSeconds: 120,
  },
  {
    name: 'images-generations',
    method: 'POST',
    path: '/v1/images/generations',
    endpoint: 'images_generations',
    authenticated: true,
    reads: ['access', 'catalog', 'usage'],
    writes: ['usage'],
    updates: ['usage'],
    timeoutSeconds: 600,
  },
  {
    name: 'models',
    method: 'GET',
    path: '/v1/models',
    authenticated: false,
    reads: ['catalog'],
    timeoutSeconds: 30,
  },
  {
    name: 'usage-retrieve',
    method: 'GET',
    path: '/v1/usage',
    authenticated: true,
    reads: ['access'],
    queries: ['usage'],
    timeoutSeconds: 30,
  },
  {
    name: 'openapi',
    method: 'GET',
    path: '/v1/openapi.json',
    authenticated: false,
    reads: [],
    timeoutSeconds: 30,
  },
];

export function operationNamed(name: OperationName): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new RangeError(`There is no operation named ${name}.`);
  return found;
}

/** Every method that a path takes. */
export const methodsOf = (path: string): readonly string[] =>
  operations.filter((operation) => operation.path === path).map(({ method }) => method);
