/** The Lambda of batches: all operations below `/v1/batches` and `/v1/messages/batches`. */
import type { BatchesOperation } from '../lib/core/operations.ts';
import type { Handler } from '../lib/http/request/http-request.ts';
import { cancelBatchEndpoint } from '../lib/operations/batches/cancel.ts';
import { createBatchEndpoint } from '../lib/operations/batches/create.ts';
import { listBatchesEndpoint } from '../lib/operations/batches/list.ts';
import { retrieveBatchEndpoint } from '../lib/operations/batches/retrieve.ts';
import { cancelMessageBatchEndpoint } from '../lib/operations/message-batches/cancel.ts';
import { createMessageBatchEndpoint } from '../lib/operations/message-batches/create.ts';
import { deleteMessageBatchEndpoint } from '../lib/operations/message-batches/delete.ts';
import { listMessageBatchesEndpoint } from '../lib/operations/message-batches/list.ts';
import { messageBatchResultsEndpoint } from '../lib/operations/message-batches/results.ts';
import { retrieveMessageBatchEndpoint } from '../lib/operations/message-batches/retrieve.ts';
import { batchOperationsRuntime } from '../lib/runtime/batch-operations-runtime.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { functionOf } from './function-of.ts';
import { groupOf } from './group-of.ts';
import { startBatch } from './start-batch.ts';

const runtimeOf = (variables: Variables) => ({
  ...batchOperationsRuntime(variables),
  start: startBatch(variables),
});

const creators: Readonly<Record<BatchesOperation, (variables: Variables) => Handler>> = {
  'batches-list': functionOf('batches-list', runtimeOf, listBatchesEndpoint),
  'batches-create': functionOf('batches-create', runtimeOf, createBatchEndpoint),
  'batches-retrieve': functionOf('batches-retrieve', runtimeOf, retrieveBatchEndpoint),
  'batches-cancel': functionOf('batches-cancel', runtimeOf, cancelBatchEndpoint),
  'message-batches-list': functionOf('message-batches-list', runtimeOf, listMessageBatchesEndpoint),
  'message-batches-create': functionOf('message-batches-create', runtimeOf, createMessageBatchEndpoint),
  'message-batches-retrieve': functionOf('message-batches-retrieve', runtimeOf, retrieveMessageBatchEndpoint),
  'message-batches-delete': functionOf('message-batches-delete', runtimeOf, deleteMessageBatchEndpoint),
  'message-batches-results': functionOf('message-batches-results', runtimeOf, messageBatchResultsEndpoint),
  'message-batches-cancel': functionOf('message-batches-cancel', runtimeOf, cancelMessageBatchEndpoint),
};

export const create = groupOf('batches', creators);
