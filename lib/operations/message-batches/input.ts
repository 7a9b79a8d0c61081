/** The requests of a body, which are stored as a file of lines. */
import { filePrefix, type StoredFile } from '../../core/files.ts';
import { timedId } from '../../core/names/new-id.ts';
import type { ApiKey } from '../../core/ports/api-keys.ts';
import { secondsOf } from '../batches/batch-parts.ts';
import { checkRoom, storeFor, storeWithinRoom } from '../files/files-parts.ts';
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
  const bytes = lines.reduce((sum, { length }) => sum + length, 0);
  await checkRoom(parts, tenant, { bytes, param: 'requests' });
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
  await storeWithinRoom(parts, tenant, {
    bytes,
    param: 'requests',
    put: () => files.put(file),
    remove: () => files.remove(tenant, file.id),
  });
  return file;
}

/** By its name, such a file is told from those that a caller has uploaded. */
export const inputName = (batch: string): string => `${batch}.jsonl`;

async function* iterate(lines: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* lines;
}
