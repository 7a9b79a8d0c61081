/** Retrieves a batch of messages: `GET /v1/messages/batches/{message_batch_id}`. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../core/endpoint.ts';
import { findBatch } from '../batches/batch-parts.ts';
import { writeMessageBatch } from './batch-object.ts';
import { baseOf, contract, type MessageBatchParts } from './parts.ts';

export const schema = z.object({ message_batch_id: z.string() });

export function retrieveMessageBatchEndpoint(
  parts: Pick<MessageBatchParts, 'batches' | 'baseUrl'>,
): Endpoint<typeof schema, z.infer<typeof schema>> {
  return {
    schema,
    read: (query) => query,
    async answer(call) {
      const { input, key } = call;
      const batch = await findBatch(parts, { contract, key, id: input.message_batch_id });
      return { type: 'json', body: writeMessageBatch(batch, baseOf(parts, call)) };
    },
  };
}
