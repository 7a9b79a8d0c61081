/** Retrieves a batch of messages: `GET /v1/messages/batches/{message_batch_id}`. */
import * as z from 'zod/mini';
import { findBatch } from '../batches/batch-parts.ts';
import { plainEndpoint } from '../plain-endpoint.ts';
import { writeMessageBatch } from './batch-object.ts';
import { baseOf, contract, type MessageBatchParts } from './parts.ts';

export const schema = z.object({ message_batch_id: z.string() });

export const retrieveMessageBatchEndpoint = (parts: Pick<MessageBatchParts, 'batches' | 'baseUrl'>) =>
  plainEndpoint({ schema }, async (call) => {
    const { input, key } = call;
    const batch = await findBatch(parts, { contract, key, id: input.message_batch_id });
    return { type: 'json', body: writeMessageBatch(batch, baseOf(parts, call)) };
  });
