/** The results of a message batch as JSON lines, in the order in which they came: `GET /v1/messages/batches/{message_batch_id}/results`. */
import type { Batch } from '../../core/batches.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { readParts } from '../../core/file-bytes.ts';
import type { StoredFile } from '../../core/files.ts';
import { readLines } from '../../core/formats/json-lines.ts';
import { findBatch } from '../batches/batch-parts.ts';
import { hasEnded } from '../batches/cancel-batch.ts';
import { plainEndpoint } from '../plain-endpoint.ts';
import { contract, type MessageBatchParts, ofMessageBatch } from './parts.ts';
import { resultLine } from './result-line.ts';

type ResultParts = Pick<MessageBatchParts, 'batches' | 'files' | 'bytes' | 'maxAnswerBytes'>;

export const messageBatchResultsEndpoint = (parts: ResultParts) =>
  plainEndpoint({ schema: ofMessageBatch }, async ({ input: { message_batch_id: id }, key }) => {
    const batch = await findBatch(parts, { contract, key, id });
    if (!hasEnded(batch))
      throw new GatewayError(
        'not_found',
        "The message batch has no results yet: its 'results_url' is null until it has ended.",
      );
    const files = await resultFiles(parts, batch);
    checkSize(parts, files);
    return { type: 'bytes', contentType: 'application/x-jsonl', bytes: writeResults(parts, files) };
  });

async function resultFiles({ files }: ResultParts, batch: Batch): Promise<readonly StoredFile[]> {
  const names = [batch.outputFile, batch.errorFile].filter((id) => id !== undefined);
  const found = await Promise.all(names.map((id) => files.find(batch.tenant, id)));
  if (found.includes(undefined))
    throw new GatewayError('not_found', 'The results of the message batch have expired, or were deleted.');
  return found.filter((file) => file !== undefined);
}

/** Only the files that they are read from can be read in ranges. */
function checkSize({ maxAnswerBytes: max }: ResultParts, files: readonly StoredFile[]): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (max === undefined || bytes <= max) return;
  const ids = files.map(({ id }) => id).join(' and ');
  const message = `The results have ${bytes} bytes, and at most ${max} can be sent at once: read the content of ${ids} at /v1/files, in ranges.`;
  throw new GatewayError('invalid_request', message, { param: 'message_batch_id' });
}

async function* writeResults(
  { bytes }: ResultParts,
  files: readonly StoredFile[],
): AsyncGenerator<Uint8Array> {
  for (const { parts } of files)
    for await (const line of readLines(readParts(parts, bytes))) yield Buffer.from(resultLine(line));
}
