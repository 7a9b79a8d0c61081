/** Deletes a batch of messages that has ended, with its requests and results: `DELETE /v1/messages/batches/{message_batch_id}`. */
import type { Batch } from '../../core/batches.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { findBatch } from '../batches/batch-parts.ts';
import { hasEnded } from '../batches/cancel-batch.ts';
import { plainEndpoint } from '../plain-endpoint.ts';
import { inputName } from './input.ts';
import { contract, type MessageBatchParts, ofMessageBatch } from './parts.ts';

export const deleteMessageBatchEndpoint = (parts: Pick<MessageBatchParts, 'batches' | 'files'>) =>
  plainEndpoint({ schema: ofMessageBatch }, async ({ input: { message_batch_id: id }, key }) => {
    const batch = await findBatch(parts, { contract, key, id });
    if (!hasEnded(batch))
      throw new GatewayError(
        'invalid_request',
        'Only a message batch that has ended can be deleted. Cancel it first.',
      );
    // The files first: without its batch, nothing would name them.
    await deleteFiles(parts, batch);
    await parts.batches.delete(batch);
    return { type: 'json', body: { id, type: 'message_batch_deleted' } };
  });

/** A file of requests that the caller has uploaded stays. */
async function deleteFiles({ files }: Pick<MessageBatchParts, 'files'>, batch: Batch): Promise<void> {
  const { tenant, id, inputFile, outputFile, errorFile } = batch;
  const input = await files.find(tenant, inputFile);
  const own = input?.filename === inputName(id) ? inputFile : undefined;
  for (const file of [own, outputFile, errorFile]) if (file !== undefined) await files.remove(tenant, file);
}
