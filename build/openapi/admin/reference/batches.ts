/** The part of the reference of the dashboard's API that is about batches and files. */
import * as batches from '../../../../lib/admin/batches/schema.ts';
import { tagged } from '../admin-reference.ts';

export const batchesReference = tagged('Batches', {
  'admin-batches-list': {
    title: 'List batches',
    summary:
      'Lists the batches of a tenant, newest first; without a tenant, an operator sees those of all tenants that have not ended. Where it is filtered, a page may be empty and have more. Never a line of one, nor an answer.',
    parameters: batches.batchesListQuery,
    answer: ['BatchList', batches.batchesListAnswer],
  },
  'admin-batches-retrieve': {
    title: 'Get a batch',
    summary:
      'Returns one batch: its plan, its jobs at providers, what is reserved for them, and what they have used.',
    parameters: batches.batchQuery,
    answer: ['BatchDetails', batches.batchAnswer],
  },
  'admin-batches-cancel': {
    title: 'Cancel a batch',
    summary:
      'Cancels a batch. What was not sent is dropped, what providers have is cancelled there, and what was answered by then is kept and billed.',
    parameters: batches.batchPath,
    body: batches.batchesCancelInput,
    answer: ['CancelledBatch', batches.batchesCancelAnswer],
  },
  'admin-files-list': {
    title: 'List files',
    summary: 'Lists the files of a tenant, newest first: names, purposes and sizes, never their content.',
    parameters: batches.filesListQuery,
    answer: ['FileList', batches.filesListAnswer],
  },
});
