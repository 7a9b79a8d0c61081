/**
 * The route table: every operation of the API, once.
 *
 * The CDK stack, the local gateway, the API reference and the tests loop over this table; paths appear nowhere else.
 */
import type { ModelEndpoint } from './catalog/model-endpoints.ts';
import type { RoutedOperation } from './routes.ts';
import type { StateItem } from './tables.ts';

export type OperationName =
  | 'chat-completions'
  | 'responses'
  | 'responses-retrieve'
  | 'responses-cancel'
  | 'responses-delete'
  | 'responses-input-items'
  | 'responses-input-tokens'
  | 'responses-compact'
  | 'messages'
  | 'messages-count-tokens'
  | 'completions'
  | 'streams-retrieve'
  | 'embeddings'
  | 'images-generations'
  | 'images-edits'
  | 'moderations'
  | 'rerank'
  | 'audio-speech'
  | 'audio-transcriptions'
  | 'realtime-client-secrets'
  | FilesOperation
  | BatchesOperation
  | 'models'
  | 'models-retrieve'
  | 'usage-retrieve'
  | 'usage-request'
  | 'openapi';

/** Functions that each serve several operations: they are seldom called, and a stack has room for so many functions. */
export type FunctionGroup = 'files' | 'batches' | 'images-generations' | 'moderations';

/** Those that a group serves. */
export type FilesOperation =
  | 'files-list'
  | 'files-create'
  | 'files-retrieve'
  | 'files-content'
  | 'files-delete'
  | 'uploads-create'
  | 'uploads-add-part'
  | 'uploads-complete'
  | 'uploads-cancel';

export type BatchesOperation =
  | 'batches-list'
  | 'batches-create'
  | 'batches-retrieve'
  | 'batches-cancel'
  | 'message-batches-list'
  | 'message-batches-create'
  | 'message-batches-retrieve'
  | 'message-batches-delete'
  | 'message-batches-results'
  | 'message-batches-cancel';

/** The name of an entry file in `functions/` and of its bundle in `dist/`: of one operation, or of a group. */
export type FunctionName =
  | Exclude<OperationName, FilesOperation | BatchesOperation | 'images-edits' | 'realtime-client-secrets'>
  | FunctionGroup;

/** In whose form errors are written, and headers with the request's id and the limits. */
export type ErrorForm = 'anthropic' | 'cohere';

/** One operation: its route, and the permissions that its function needs. */
export interface Operation extends RoutedOperation {
  readonly name: OperationName;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The group whose function serves it. Absent: one of its own. */
  readonly function?: FunctionGroup;
  /** Absent for operations without a model. */
  readonly endpoint?: ModelEndpoint;
  /** True for an operation that asks providers for counts of tokens only. */
  readonly onlyCounts?: boolean;
  /** Whose clients call it: the format of errors and headers with the request's id and the limits. OpenAI's if absent. Cohere's has the message beside it. */
  readonly errors?: ErrorForm;
  /** True for an operation without a model that a request with the header `Idempotency-Key` does once, however often it is sent. */
  readonly keepsAnswers?: true;
  /** True for an operation that starts the workers of responses that are created in the background: to create one, or to tell its end. */
  readonly startsRuns?: true;
  /** Whether an API key is required. */
  readonly authenticated: boolean;
  /** The least memory of its function in MB, where the setting `memory` may be too little for its answers. */
  readonly minMemory?: number;
  /** Of the table `state`, the only items that its function reaches. No caller's function reaches the dashboard's sessions. */
  readonly stateItems?: readonly Exclude<StateItem, 'session' | 'ticket' | 'webhook'>[];
}

const withKey = { method: 'POST', authenticated: true } as const;

const generating = {
  ...withKey,
  reads: ['access', 'catalog', 'state', 'usage'],
  stateItems: ['answer', 'cached', 'note', 'stream'],
  writes: ['state', 'usage'],
  updates: ['usage'],
  timeoutSeconds: 900,
} as const;

const counting = {
  ...withKey,
  onlyCounts: true,
  reads: ['access', 'catalog', 'state', 'usage'],
  stateItems: ['note'],
  updates: ['usage'],
  timeoutSeconds: 60,
} as const;

const stateless = {
  ...withKey,
  reads: ['access', 'catalog', 'state', 'usage'],
  stateItems: ['answer'],
  writes: ['state', 'usage'],
  updates: ['usage'],
} as const;

const ofImages = {
  ...stateless,
  function: 'images-generations',
  endpoint: 'images_generations',
  timeoutSeconds: 600,
  // It holds up to 200 MB of images, which is what Lambda takes of an answer.
  minMemory: 512,
} as const;

/** Both are answered at once, and seldom called. */
const brief = { ...stateless, function: 'moderations', timeoutSeconds: 60 } as const;

const reading = { method: 'GET', authenticated: true, timeoutSeconds: 30 } as const;

/** They end the records of responses that never began. */
const endingRuns = { writes: ['usage'] } as const;

const ofResponse = { ...reading, reads: ['access', 'state'], stateItems: ['response'] } as const;

const ofFiles = { ...reading, function: 'files', onlyWithVersion: true, reads: ['access', 'files'] } as const;

/** They count what is stored. */
const changingFiles = {
  ...ofFiles,
  method: 'POST',
  writes: ['files'],
  updates: ['files'],
  queries: ['files'],
} as const;

const ofBatches = {
  ...reading,
  function: 'batches',
  onlyWithVersion: true,
  reads: ['access', 'files'],
} as const;

const ofMessageBatches = { ...ofBatches, errors: 'anthropic' } as const;

const beginningBatches = {
  method: 'POST',
  keepsAnswers: true,
  reads: ['access', 'files', 'state'],
  stateItems: ['answer'],
  writes: ['files', 'state'],
  updates: ['files'],
  queries: ['files'],
} as const;

const changingBatch = { method: 'POST', updates: ['files'] } as const;

const open = { ...reading, authenticated: false } as const;

/** With what is around the largest file that providers take. Source: OpenAI's and Groq's guides "Speech to text": 25 MB. */
const maxFormBytes = 26 * 1024 * 1024;

export const operations: readonly Operation[] = [
  { ...generating, name: 'chat-completions', path: '/v1/chat/completions', endpoint: 'chat_completions' },
  {
    ...generating,
    name: 'responses',
    path: '/v1/responses',
    endpoint: 'responses',
    stateItems: ['answer', 'cached', 'note', 'response', 'stream'],
    updates: ['state', 'usage'],
    startsRuns: true,
  },
  // A response that is created in the background is followed to its end, and fails where its worker is gone.
  {
    ...ofResponse,
    name: 'responses-retrieve',
    path: '/v1/responses/{response_id}',
    ...endingRuns,
    updates: ['state'],
    timeoutSeconds: 900,
    startsRuns: true,
  },
  {
    ...ofResponse,
    ...endingRuns,
    name: 'responses-cancel',
    method: 'POST',
    path: '/v1/responses/{response_id}/cancel',
    updates: ['state'],
    startsRuns: true,
  },
  {
    ...ofResponse,
    ...endingRuns,
    name: 'responses-delete',
    method: 'DELETE',
    path: '/v1/responses/{response_id}',
    reads: ['access'],
    deletes: ['state'],
    startsRuns: true,
  },
  { ...ofResponse, name: 'responses-input-items', path: '/v1/responses/{response_id}/input_items' },
  {
    ...counting,
    name: 'responses-input-tokens',
    path: '/v1/responses/input_tokens',
    endpoint: 'responses',
    stateItems: ['note', 'response'],
  },
  {
    ...generating,
    name: 'responses-compact',
    path: '/v1/responses/compact',
    endpoint: 'responses',
    stateItems: ['answer', 'note', 'response'],
  },
  { ...generating, name: 'messages', path: '/v1/messages', endpoint: 'messages', errors: 'anthropic' },
  {
    ...counting,
    name: 'messages-count-tokens',
    path: '/v1/messages/count_tokens',
    endpoint: 'messages',
    errors: 'anthropic',
  },
  // Every model that can chat can complete a text.
  { ...generating, name: 'completions', path: '/v1/completions', endpoint: 'chat_completions' },
  // A stream that can be resumed is read to its end.
  {
    ...reading,
    name: 'streams-retrieve',
    path: '/v1/streams/{stream_id}',
    onlyWithVersion: true,
    onlyGet: true,
    reads: ['access', 'state'],
    stateItems: ['stream'],
    timeoutSeconds: 900,
  },
  {
    ...stateless,
    name: 'embeddings',
    path: '/v1/embeddings',
    endpoint: 'embeddings',
    stateItems: ['answer', 'cached'],
    timeoutSeconds: 120,
  },
  { ...ofImages, name: 'images-generations', path: '/v1/images/generations' },
  {
    ...ofImages,
    name: 'images-edits',
    path: '/v1/images/edits',
    onlyWithVersion: true,
    maxFormBytes: 26 * 1024 * 1024,
  },
  { ...brief, name: 'moderations', path: '/v1/moderations', endpoint: 'moderations' },
  {
    ...brief,
    name: 'realtime-client-secrets',
    path: '/v1/realtime/client_secrets',
    onlyWithVersion: true,
    endpoint: 'realtime',
  },
  {
    ...stateless,
    name: 'rerank',
    path: '/v1/rerank',
    // Where Cohere's clients send it.
    alsoAt: '/v2/rerank',
    endpoint: 'rerank',
    errors: 'cohere',
    timeoutSeconds: 120,
  },
  {
    ...stateless,
    name: 'audio-speech',
    path: '/v1/audio/speech',
    onlyWithVersion: true,
    endpoint: 'audio_speech',
    timeoutSeconds: 600,
  },
  {
    ...stateless,
    name: 'audio-transcriptions',
    path: '/v1/audio/transcriptions',
    alsoAt: '/v1/audio/translations',
    endpoint: 'audio_transcriptions',
    timeoutSeconds: 600,
    maxFormBytes,
    // A file is in memory beside what is sent of it.
    minMemory: 512,
  },
  { ...ofFiles, name: 'files-list', path: '/v1/files', queries: ['files'] },
  { ...changingFiles, name: 'files-create', path: '/v1/files', takesFile: true, timeoutSeconds: 900 },
  { ...ofFiles, name: 'files-retrieve', path: '/v1/files/{file_id}' },
  {
    ...ofFiles,
    name: 'files-delete',
    method: 'DELETE',
    path: '/v1/files/{file_id}',
    updates: ['files'],
    deletes: ['files'],
  },
  {
    ...ofFiles,
    name: 'files-content',
    path: '/v1/files/{file_id}/content',
    onlyGet: true,
    timeoutSeconds: 900,
  },
  { ...changingFiles, name: 'uploads-create', path: '/v1/uploads' },
  {
    ...changingFiles,
    name: 'uploads-add-part',
    path: '/v1/uploads/{upload_id}/parts',
    takesFile: true,
    timeoutSeconds: 900,
  },
  // Where its hash is given, all of it is read.
  {
    ...changingFiles,
    name: 'uploads-complete',
    path: '/v1/uploads/{upload_id}/complete',
    deletes: ['files'],
    timeoutSeconds: 900,
  },
  { ...changingFiles, name: 'uploads-cancel', path: '/v1/uploads/{upload_id}/cancel' },
  { ...ofBatches, name: 'batches-list', path: '/v1/batches', queries: ['files'] },
  { ...ofBatches, ...beginningBatches, name: 'batches-create', path: '/v1/batches' },
  { ...ofBatches, name: 'batches-retrieve', path: '/v1/batches/{batch_id}' },
  { ...ofBatches, ...changingBatch, name: 'batches-cancel', path: '/v1/batches/{batch_id}/cancel' },
  { ...ofMessageBatches, name: 'message-batches-list', path: '/v1/messages/batches', queries: ['files'] },
  {
    ...ofMessageBatches,
    ...beginningBatches,
    name: 'message-batches-create',
    path: '/v1/messages/batches',
    timeoutSeconds: 120,
  },
  {
    ...ofMessageBatches,
    name: 'message-batches-retrieve',
    path: '/v1/messages/batches/{message_batch_id}',
  },
  {
    ...ofMessageBatches,
    name: 'message-batches-delete',
    method: 'DELETE',
    path: '/v1/messages/batches/{message_batch_id}',
    updates: ['files'],
    queries: ['files'],
    deletes: ['files'],
  },
  {
    ...ofMessageBatches,
    name: 'message-batches-results',
    path: '/v1/messages/batches/{message_batch_id}/results',
    onlyGet: true,
    timeoutSeconds: 900,
  },
  {
    ...ofMessageBatches,
    ...changingBatch,
    name: 'message-batches-cancel',
    path: '/v1/messages/batches/{message_batch_id}/cancel',
  },
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

export function operationNamed(name: OperationName): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new RangeError(`No operation is named ${name}.`);
  return found;
}

/** Which function serves an operation. */
export const functionNameOf = ({ name, function: group }: Operation): FunctionName =>
  group ?? (name as FunctionName);

/** Of all operations. */
export const functionNames: readonly FunctionName[] = [...new Set(operations.map(functionNameOf))];

export const operationsOf = (group: FunctionGroup): readonly Operation[] =>
  operations.filter((operation) => operation.function === group);
