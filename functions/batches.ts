/** The Lambda of batches: all operations below `/v1/batches` and `/v1/messages/batches`. */
import { batchRows } from '../lib/core/operations/batches.ts';
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
  'batches-list': functionOf(batchRows, 'batches-list', runtimeOf, listBatchesEndpoint),
  'batches-create': functionOf(batchRows, 'batches-create', runtimeOf, createBatchEndpoint),
  'batches-retrieve': functionOf(batchRows, 'batches-retrieve', runtimeOf, retrieveBatchEndpoint),
  'batches-cancel': functionOf(batchRows, 'batches-cancel', runtimeOf, cancelBatchEndpoint),
  'message-batches-list': functionOf(
    batchRows,
    'message-batches-list',
    runtimeOf,
    listMessageBatchesEndpoint,
  ),
  'message-batches-create': functionOf(
    batchRows,
    'message-batches-create',
    runtimeOf,
    createMessageBatchEndpoint,
  ),
  'message-batches-retrieve': functionOf(
    batchRows,
    'message-batches-retrieve',
    runtimeOf,
    retrieveMessageBatchEndpoint,
  ),
  'message-batches-delete': functionOf(
    batchRows,
    'message-batches-delete',
    runtimeOf,
    deleteMessageBatchEndpoint,
  ),
  'message-batches-results': functionOf(
    batchRows,
    'message-batches-results',
    runtimeOf,
    messageBatchResultsEndpoint,
  ),
  'message-batches-cancel': functionOf(
    batchRows,
    'message-batches-cancel',
    runtimeOf,
    cancelMessageBatchEndpoint,
  ),
};

export const create = groupOf(batchRows, 'batches', creators);
