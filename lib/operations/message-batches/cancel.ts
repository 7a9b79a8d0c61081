/** Cancels a batch of messages: `POST /v1/messages/batches/{message_batch_id}/cancel`. */
import { GatewayError } from '../../core/errors/errors.ts';
import { cancelBatch, hasEnded } from '../batches/cancel-batch.ts';
import { plainEndpoint } from '../plain-endpoint.ts';
import { writeMessageBatch } from './batch-object.ts';
import { baseOf, contract, type MessageBatchParts, ofMessageBatch } from './parts.ts';

export const cancelMessageBatchEndpoint = (parts: MessageBatchParts) =>
  plainEndpoint({ schema: ofMessageBatch, hasNoBody: true }, async (call) => {
    const { input, key } = call;
    const batch = await cancelBatch(parts, { contract, key, id: input.message_batch_id });
    if (hasEnded(batch) && batch.status !== 'cancelled')
      throw new GatewayError(
        'invalid_request',
        'The message batch has ended, and can no longer be canceled.',
      );
    return { type: 'json', body: writeMessageBatch(batch, baseOf(parts, call)) };
  });
