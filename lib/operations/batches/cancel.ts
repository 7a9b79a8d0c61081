/** Cancels a batch: `POST /v1/batches/{batch_id}/cancel`. */
import * as z from 'zod/mini';
import { GatewayError } from '../../core/errors/errors.ts';
import { plainEndpoint } from '../plain-endpoint.ts';
import { writeBatch } from './batch-object.ts';
import type { BatchParts } from './batch-parts.ts';
import { cancelBatch, hasEnded } from './cancel-batch.ts';

export const schema = z.object({ batch_id: z.string() });

export const cancelBatchEndpoint = (parts: BatchParts) =>
  plainEndpoint({ schema, hasNoBody: true }, async ({ input: { batch_id: id }, key }) => {
    const batch = await cancelBatch(parts, { contract: 'openai', key, id });
    const { status } = batch;
    // OpenAI's answer, in its words.
    if (hasEnded(batch) && status !== 'cancelled')
      throw new GatewayError('conflict', `Cannot cancel a batch with status '${status}'.`);
    return { type: 'json', body: writeBatch(batch) };
  });
