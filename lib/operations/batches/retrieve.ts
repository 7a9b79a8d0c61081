/** Retrieves a batch: `GET /v1/batches/{batch_id}`. */
import * as z from 'zod/mini';
import { plainEndpoint } from '../plain-endpoint.ts';
import { writeBatch } from './batch-object.ts';
import { type BatchParts, findBatch } from './batch-parts.ts';

export const schema = z.object({ batch_id: z.string() });

export const retrieveBatchEndpoint = (parts: Pick<BatchParts, 'batches'>) =>
  plainEndpoint({ schema }, async ({ input: { batch_id: id }, key }) => {
    return { type: 'json', body: writeBatch(await findBatch(parts, { contract: 'openai', key, id })) };
  });
