/** Retrieves a batch of messages: `GET /v1/messages/batches/{message_batch_id}`. */
import { findBatch } from '../batches/batch-parts.ts';
import { plainEndpoint } from '../plain-endpoint.ts';
import { writeMessageBatch } from './batch-object.ts';
import { baseOf, contract, type MessageBatchParts, ofMessageBatch } from './parts.ts';

export const retrieveMessageBatchEndpoint = (parts: Pick<MessageBatchParts, 'batches' | 'baseUrl'>) =>
  plainEndpoint({ schema: ofMessageBatch }, async (call) => {
    const { input, key } = call;
    const batch = await findBatch(parts, { contract, key, id: input.message_batch_id });
    return { type: 'json', body: writeMessageBatch(batch, baseOf(parts, call)) };
  });
