/** The requests of a body, which are stored as a file of lines. */
import { filePrefix, type StoredFile } from '../../core/files.ts';
import { timedId } from '../../core/names/new-id.ts';
import type { ApiKey } from '../../core/ports/api-keys.ts';
import { secondsOf } from '../batches/batch-parts.ts';
import { checkRoom, storeFor } from '../files/files-parts.ts';
import type { MessageBatchParts } from './parts.ts';

interface Requests {
  /** Of the batch. */
  readonly id: string;
  readonly key: ApiKey;
  readonly lines: readonly Buffer[];
}

export async function storeInput(
  parts: MessageBatchParts,
  { id, key: { tenant, id: key }, lines }: Requests,
): Promise<StoredFile> {
  const { files, fileSeconds, now } = parts;
  await checkRoom(parts, tenant, { bytes: sizeOf(lines), param: 'requests' });
  const createdAt = secondsOf(now());
  const file: StoredFile = {
    ...(await storeFor(parts, tenant, iterate(lines))),
    tenant,
    id: timedId(filePrefix, now()),
    key,
    filename: inputName(id),
    purpose: 'batch',
    createdAt,
    expiresAt: createdAt + fileSeconds,
  };
  await files.put(file);
  return file;
}

const sizeOf = (lines: readonly Buffer[]): number => lines.reduce((sum, { length }) => sum + length, 0);

/** By its name, such a file is told from those that a caller has uploaded. */
export const inputName = (batch: string): string => `${batch}.jsonl`;

async function* iterate(lines: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* lines;
}
