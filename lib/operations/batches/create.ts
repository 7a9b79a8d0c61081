/** Creates a batch of the requests in a file: `POST /v1/batches`. */
import * as z from 'zod/mini';
import type { Batch, BatchOperation } from '../../core/batches.ts';
import type { Endpoint } from '../../core/endpoint.ts';
import { maxFileSeconds } from '../../core/files.ts';
import { strictObjectOf } from '../../core/formats/given-fields.ts';
import { requireMayStore } from '../../core/may-store.ts';
import { timedId } from '../../core/names/new-id.ts';
import type { FoundApiKey } from '../../core/ports/api-keys.ts';
import { integerBetween, metadataField, nullish, someText } from '../request-schema.ts';
import { endpointOf, writeBatch } from './batch-object.ts';
import type { BatchParts } from './batch-parts.ts';
import { type AskedBatch, beginBatch, checkMayBegin } from './begin-batch.ts';
import { batchExtra, readOptions } from './given-options.ts';
import { findInputFile } from './input-file.ts';
import { beginOnce, isSentAgain } from './sent-again.ts';

const operations = [
  'chat-completions',
  'responses',
  'completions',
  'embeddings',
  'images-generations',
  'messages',
] as const satisfies readonly BatchOperation[];

/** The shortest and the longest that files of answers are kept. */
const outputSeconds = integerBetween(3_600, maxFileSeconds);

export const batchesSchema = strictObjectOf({
  input_file_id: someText,
  endpoint: z.enum(operations.map(endpointOf)),
  completion_window: z.literal('24h'),
  metadata: metadataField,
  output_expires_after: () =>
    nullish(z.strictObject({ anchor: z.literal('created_at'), seconds: outputSeconds })),
  extra: batchExtra,
});

interface Input {
  readonly asked: AskedBatch;
  readonly inputFile: string;
  readonly isSentAgain: boolean;
}

export function createBatchEndpoint(parts: BatchParts): Endpoint<typeof batchesSchema, Input> {
  return {
    schema: batchesSchema,
    read: ({ endpoint, metadata, output_expires_after: expiry, extra, input_file_id }, _given, header) => ({
      asked: {
        contract: 'openai',
        operation: operations.find((name) => endpointOf(name) === endpoint) ?? 'responses',
        ...(metadata && { metadata }),
        outputSeconds: expiry?.seconds,
        ...readOptions(extra, header),
      },
      inputFile: input_file_id,
      isSentAgain: isSentAgain(header),
    }),
    async answer({ input, key }) {
      const batch = await createOnce(parts, input, key as FoundApiKey);
      return { type: 'json', body: writeBatch(batch) };
    },
  };
}

async function createOnce(parts: BatchParts, input: Input, key: FoundApiKey): Promise<Batch> {
  const { batches, files, now } = parts;
  const { asked, inputFile } = input;
  const creation = { key, asked, input: inputFile, isSentAgain: input.isSentAgain };
  const { id, first } = await beginOnce(batches, { ...creation, id: timedId('batch_', now()) });
  if (first) return first;
  requireMayStore(key, 'input_file_id');
  await checkMayBegin(parts, key, asked.operation);
  const file = await findInputFile(files, {
    tenant: key.tenant,
    id: inputFile,
    param: 'input_file_id',
  });
  return await beginBatch(parts, { id, key, asked, input: file });
}
