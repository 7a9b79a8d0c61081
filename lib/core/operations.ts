/**
 * The route table: every operation of the API, once.
 *
 * The CDK stack, the local gateway, the API reference and the tests loop over this table; paths appear nowhere else.
 */
import type { TableName } from './tables.ts';

/** The operations that a model can support, as the public model list names them. */
export const endpoints = [
  'chat_completions',
  'messages',
  'responses',
  'embeddings',
  'images_generations',
] as const;
export type ModelEndpoint = (typeof endpoints)[number];

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

/** What routing needs to know of an operation. */
export interface RoutedOperation {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** A segment may be a parameter, `{name}`, and the last may take all that follows, `{name+}`. Operations with different methods may share a path. */
  readonly path: string;
  /** A second path. */
  readonly alsoAt?: string;
  /** True for an operation of the dashboard that the session of an API key may call, too, at a path of its own. */
  readonly withKey?: true;
  /** The time limit of a request, in seconds (API Gateway and Lambda allow 900). */
  readonly timeoutSeconds: number;
}

/** One operation: its route, and the permissions that its function needs. */
export interface Operation extends RoutedOperation {
  /** Also the name of its entry file in `functions/` and of its bundle in `dist/`. */
  readonly name: OperationName;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Absent for operations without a model. */
  readonly endpoint?: ModelEndpoint;
  /** True for an operation that asks providers for counts of tokens only. */
  readonly onlyCounts?: boolean;
  /** Whose clients call it: their form of errors, and of the headers with the request's id and the limits. OpenAI's if absent. */
  readonly errors?: 'anthropic';
  /** Whether an API key is required. */
  readonly authenticated: boolean;
  /** The tables its function may read. */
  readonly reads: readonly TableName[];
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
    updates: ['state', 'usage'],
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
    name: 'responses-input-tokens',
    method: 'POST',
    path: '/v1/responses/input_tokens',
    endpoint: 'responses',
    onlyCounts: true,
    authenticated: true,
    reads: ['access', 'catalog', 'state', 'usage'],
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

/** Every method of a path, the first one's operation first. What can be asked for with GET, can be with HEAD. */
export const methodsOf = (path: string, among: readonly RoutedOperation[] = operations): readonly string[] =>
  among
    .filter((operation) => operation.path === path)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method));

/** The version of the API, with which all paths begin. */
const version = '/v1';

/** Whether pages of other origins may call an operation, if the operator lists them: those of the dashboard, never. */
export const isForOtherPages = ({ path }: Pick<RoutedOperation, 'path'>): boolean =>
  path.startsWith(`${version}/`);

const adminPrefix = '/admin/';

/** Where sessions of API keys call the operations of the dashboard. */
export const accountPrefix = '/account/';

/**
 * Where an operation is served: its path, and the same without the version, which base URLs often lack. Operations for sessions of
 * API keys have two paths, since only one of them has an authorizer in AWS.
 */
export function routesOf({
  path,
  withKey,
  alsoAt,
}: Pick<RoutedOperation, 'path' | 'withKey' | 'alsoAt'>): readonly string[] {
  if (alsoAt) return [path, alsoAt];
  if (path.startsWith(`${version}/`)) return [path, path.slice(version.length)];
  return withKey ? [path, path.replace(adminPrefix, accountPrefix)] : [path];
}
