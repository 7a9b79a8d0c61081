/**
 * The route table: every operation of the API, once.
 *
 * The CDK stack, the local gateway, the API reference and the tests loop over this table; paths appear nowhere else.
 */
import type { ModelEndpoint } from './catalog/model-endpoints.ts';
import type { RoutedOperation } from './routes.ts';
import type { StateItem, TableName } from './tables.ts';

export type OperationName =
  | 'chat-completions'
  | 'responses'
  | 'responses-retrieve'
  | 'responses-delete'
  | 'responses-input-items'
  | 'responses-input-tokens'
  | 'responses-compact'
  | 'messages'
  | 'messages-count-tokens'
  | 'completions'
  | 'embeddings'
  | 'images-generations'
  | 'models'
  | 'models-retrieve'
  | 'usage-retrieve'
  | 'usage-request'
  | 'openapi';

/** One operation: its route, and the permissions that its function needs. */
export interface Operation extends RoutedOperation {
  /** Also the name of its entry file in `functions/` and of its bundle in `dist/`. */
  readonly name: OperationName;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Absent for operations without a model. */
  readonly endpoint?: ModelEndpoint;
  /** True for an operation that asks providers for counts of tokens only. */
  readonly onlyCounts?: boolean;
  /** Whose clients call it: the format of errors and headers with the request's id and the limits. OpenAI's if absent. */
  readonly errors?: 'anthropic';
  /** Whether an API key is required. */
  readonly authenticated: boolean;
  /** The tables its function may read. */
  readonly reads: readonly TableName[];
  /** Of the table `state`, the only items that its function reaches. No caller's function reaches the dashboard's sessions. */
  readonly stateItems?: readonly Exclude<StateItem, 'session' | 'ticket'>[];
  /** The tables its function may put items into. */
  readonly writes?: readonly TableName[];
  /** The tables whose items its function may update. */
  readonly updates?: readonly TableName[];
  /** The tables its function may query. */
  readonly queries?: readonly TableName[];
  /** The tables whose items its function may delete. */
  readonly deletes?: readonly TableName[];
}

export const operations: readonly Operation[] = [
  {
    name: 'chat-completions',
    method: 'POST',
    path: '/v1/chat/completions',
    endpoint: 'chat_completions',
    authenticated: true,
    reads: ['access', 'catalog', 'state', 'usage'],
    stateItems: ['note'],
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
    stateItems: ['note', 'response'],
    writes: ['state', 'usage'],
    updates: ['state', 'usage'],
    timeoutSeconds: 900,
  },
  {
    name: 'responses-retrieve',
    method: 'GET',
    path: '/v1/responses/{response_id}',
    authenticated: true,
    reads: ['access', 'state'],
    stateItems: ['response'],
    timeoutSeconds: 30,
  },
  {
    name: 'responses-delete',
    method: 'DELETE',
    path: '/v1/responses/{response_id}',
    authenticated: true,
    reads: ['access'],
    stateItems: ['response'],
    deletes: ['state'],
    timeoutSeconds: 30,
  },
  {
    name: 'responses-input-items',
    method: 'GET',
    path: '/v1/responses/{response_id}/input_items',
    authenticated: true,
    reads: ['access', 'state'],
    stateItems: ['response'],
    timeoutSeconds: 30,
  },
  {
    name: 'responses-input-tokens',
    method: 'POST',
    path: '/v1/responses/input_tokens',
    endpoint: 'responses',
    onlyCounts: true,
    authenticated: true,
    reads: ['access', 'catalog', 'state', 'usage'],
    stateItems: ['note', 'response'],
    updates: ['usage'],
    timeoutSeconds: 60,
  },
  {
    name: 'responses-compact',
    method: 'POST',
    path: '/v1/responses/compact',
    endpoint: 'responses',
    authenticated: true,
    reads: ['access', 'catalog', 'state', 'usage'],
    stateItems: ['note', 'response'],
    writes: ['usage'],
    updates: ['usage'],
    timeoutSeconds: 900,
  },
  {
    name: 'messages',
    method: 'POST',
    path: '/v1/messages',
    endpoint: 'messages',
    errors: 'anthropic',
    authenticated: true,
    reads: ['access', 'catalog', 'state', 'usage'],
    stateItems: ['note'],
    writes: ['state', 'usage'],
    updates: ['usage'],
    timeoutSeconds: 900,
  },
  {
    name: 'messages-count-tokens',
    method: 'POST',
    path: '/v1/messages/count_tokens',
    endpoint: 'messages',
    onlyCounts: true,
    errors: 'anthropic',
    authenticated: true,
    reads: ['access', 'catalog', 'state', 'usage'],
    stateItems: ['note'],
    updates: ['usage'],
    timeoutSeconds: 60,
  },
  {
    name: 'completions',
    method: 'POST',
    path: '/v1/completions',
    // Every model that can chat can complete a text.
    endpoint: 'chat_completions',
    authenticated: true,
    reads: ['access', 'catalog', 'state', 'usage'],
    stateItems: ['note'],
    writes: ['state', 'usage'],
    updates: ['usage'],
    timeoutSeconds: 900,
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
    errors: 'anthropic',
    authenticated: false,
    reads: ['catalog'],
    timeoutSeconds: 30,
  },
  {
    name: 'models-retrieve',
    method: 'GET',
    path: '/v1/models/{model+}',
    errors: 'anthropic',
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
    name: 'usage-request',
    method: 'GET',
    path: '/v1/usage/requests/{request_id}',
    authenticated: true,
    reads: ['access', 'catalog', 'usage'],
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
  if (!found) throw new RangeError(`No operation is named ${name}.`);
  return found;
}
