/** What a row of the route table has: the route of an operation, and the permissions that its function needs. */
import type { ModelEndpoint } from '../catalog/model-endpoints.ts';
import type { RoutedOperation } from '../routes.ts';
import type { StateItem } from '../tables.ts';

/** Those that a group serves. */
const filesOperations = [
  'files-list',
  'files-create',
  'files-retrieve',
  'files-content',
  'files-delete',
  'uploads-create',
  'uploads-add-part',
  'uploads-complete',
  'uploads-cancel',
] as const;

export type FilesOperation = (typeof filesOperations)[number];

const batchesOperations = [
  'batches-list',
  'batches-create',
  'batches-retrieve',
  'batches-cancel',
  'message-batches-list',
  'message-batches-create',
  'message-batches-retrieve',
  'message-batches-delete',
  'message-batches-results',
  'message-batches-cancel',
] as const;

export type BatchesOperation = (typeof batchesOperations)[number];

/** Beside the table: what a function reads of a key needs no rows. */
export const operationNames = [
  'chat-completions',
  'responses',
  'responses-retrieve',
  'responses-cancel',
  'responses-delete',
  'responses-input-items',
  'responses-input-tokens',
  'responses-compact',
  'messages',
  'messages-count-tokens',
  'completions',
  'streams-retrieve',
  'embeddings',
  'images-generations',
  'images-edits',
  'moderations',
  'rerank',
  'audio-speech',
  'audio-transcriptions',
  'realtime-client-secrets',
  'models',
  'models-retrieve',
  'usage-retrieve',
  'usage-request',
  'openapi',
  ...filesOperations,
  ...batchesOperations,
] as const;

export type OperationName = (typeof operationNames)[number];

/** Functions that each serve several operations: they are seldom called, and a stack has room for so many functions. */
export type FunctionGroup = 'files' | 'batches' | 'images-generations' | 'moderations';

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

export function rowNamed(rows: readonly Operation[], name: OperationName): Operation {
  const found = rows.find((operation) => operation.name === name);
  if (!found) throw new RangeError(`No operation is named ${name}.`);
  return found;
}
