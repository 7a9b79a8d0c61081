/** The rows of batches, in the two forms that they have. */
import type { Operation } from './operation.ts';
import { longest, reading } from './row-parts.ts';

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

export const batchRows: readonly Operation[] = [
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
    ...longest,
  },
  {
    ...ofMessageBatches,
    ...changingBatch,
    name: 'message-batches-cancel',
    path: '/v1/messages/batches/{message_batch_id}/cancel',
  },
];
