/** The reference of the operations for batches, in the two forms that they have. */
import { schema as cancelBatchSchema } from '../../../lib/operations/batches/cancel.ts';
import { batchesSchema } from '../../../lib/operations/batches/create.ts';
import { schema as listBatchesSchema } from '../../../lib/operations/batches/list.ts';
import { schema as retrieveBatchSchema } from '../../../lib/operations/batches/retrieve.ts';
import { messageBatchesSchema } from '../../../lib/operations/message-batches/create.ts';
import { schema as listMessageBatchesSchema } from '../../../lib/operations/message-batches/list.ts';
import { ofMessageBatch } from '../../../lib/operations/message-batches/parts.ts';
import {
  batchIdFields,
  createBatchFields,
  createMessageBatchFields,
  listBatchesFields,
  listMessageBatchesFields,
  messageBatchIdFields,
} from '../fields/batches.ts';
import { type OperationReferences, tagged } from '../operation-reference.ts';

export const batchesReference = {
  ...tagged('Batches', {
    'batches-list': {
      title: 'List batches',
      summary: "Lists the batches of the key's tenant, the newest first, page by page.",
      schema: listBatchesSchema,
      fields: listBatchesFields,
      answer: 'Batches',
    },
    'batches-create': {
      title: 'Create a batch',
      summary:
        'Answers the requests of a file within a day, most of them at the prices that providers have for batches. Each line is a request of the operation that `endpoint` names. See docs/batches.md.',
      schema: batchesSchema,
      fields: createBatchFields,
      request: 'BatchRequest',
      answer: 'Batch',
    },
    'batches-retrieve': {
      title: 'Get a batch',
      summary: 'Returns the current state of a batch.',
      schema: retrieveBatchSchema,
      fields: batchIdFields,
      answer: 'Batch',
    },
    'batches-cancel': {
      title: 'Cancel a batch',
      summary:
        'Ends a batch, which is `cancelling` until its jobs have ended. What was answered by then is in its files, and billed. A second call changes nothing. A batch that has ended otherwise is a 409.',
      schema: cancelBatchSchema,
      fields: batchIdFields,
      answer: 'Batch',
    },
  }),
  ...tagged('Message batches', {
    'message-batches-list': {
      title: 'List message batches',
      summary: "Lists the message batches of the key's tenant, the newest first, page by page.",
      schema: listMessageBatchesSchema,
      fields: listMessageBatchesFields,
      answer: 'MessageBatches',
    },
    'message-batches-create': {
      title: 'Create a message batch',
      summary:
        "Answers many messages within a day, in the form of Anthropic's Message Batches API. Their models may be those of any provider. See docs/batches.md.",
      schema: messageBatchesSchema,
      fields: createMessageBatchFields,
      request: 'MessageBatchRequest',
      answer: 'MessageBatch',
    },
    'message-batches-retrieve': {
      title: 'Get a message batch',
      summary: 'Returns the current state of a message batch.',
      schema: ofMessageBatch,
      fields: messageBatchIdFields,
      answer: 'MessageBatch',
    },
    'message-batches-delete': {
      title: 'Delete a message batch',
      summary:
        'Deletes a batch that has ended, with its requests and results. A file of requests that was uploaded stays.',
      schema: ofMessageBatch,
      fields: messageBatchIdFields,
      answer: 'DeletedMessageBatch',
    },
    'message-batches-results': {
      title: 'Get message batch results',
      summary:
        'Returns a line of JSON for each request of a batch that has ended, in any order: `{"custom_id", "result"}`, where `result.type` is `succeeded` (with `message`), `errored` (with `error`), `canceled` or `expired`.',
      schema: ofMessageBatch,
      fields: messageBatchIdFields,
      isBytes: true,
    },
    'message-batches-cancel': {
      title: 'Cancel a message batch',
      summary:
        'Ends a batch, which is `canceling` until its jobs have ended. What was answered by then is in its results, and billed. A second call changes nothing. A batch that has ended otherwise is a 400.',
      schema: ofMessageBatch,
      fields: messageBatchIdFields,
      answer: 'MessageBatch',
    },
  }),
} satisfies OperationReferences;
