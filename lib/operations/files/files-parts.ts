/** What the operations of files and uploads work with, and what all of them check. */

import { GatewayError } from '../../core/errors/errors.ts';
import { type StoredBytes, storeBytes } from '../../core/file-bytes.ts';
import {
  type ByteStore,
  type FilePurpose,
  type FileStore,
  filePurposes,
  maxStoredBytes,
  type NewPartName,
} from '../../core/files.ts';
import type { UploadStore } from '../../core/uploads.ts';

export interface FilesParts {
  readonly files: FileStore;
  readonly uploads: UploadStore;
  readonly bytes: ByteStore;
  readonly newPartName: NewPartName;
  /** For how long a file is kept, in seconds, and no longer than that. */
  readonly fileSeconds: number;
  /** The most bytes that the process can answer with; absent: any number. */
  readonly maxAnswerBytes?: number | undefined;
  readonly now: () => number;
}

const megabyte = 1024 * 1024;

/** The largest file, and the largest with the purpose `batch`, in bytes. */
export const maxFileBytes = 512 * megabyte;
const maxBatchFileBytes = 200 * megabyte;

/** The purposes that a caller may give; the other is that of what batches answer. */
export const givenPurposes = filePurposes.filter((purpose) => purpose !== 'batch_output');

export const maxBytesOf = (purpose: FilePurpose): number =>
  purpose === 'batch' ? maxBatchFileBytes : maxFileBytes;

/** Throws GatewayError where so many bytes more would be too many. `param`: what has them. */
export async function checkRoom(
  { files }: Pick<FilesParts, 'files'>,
  tenant: string,
  { bytes, param }: { readonly bytes: number; readonly param: string },
): Promise<void> {
  if ((await files.storedBytes(tenant)) + bytes <= maxStoredBytes) return;
  const message = `The files of your organization would have more than ${maxStoredBytes / 1e9} GB. Delete some, or wait until they expire.`;
  throw new GatewayError('invalid_request', message, { param, code: 'storage_limit_exceeded' });
}

interface Storing {
  readonly bytes: number;
  /** What has the bytes. */
  readonly param: string;
  put(): Promise<unknown>;
  remove(): Promise<unknown>;
}

/** Stores what there is room for, whatever others store at the same time: each is counted, and only then are all looked at together. */
export async function storeWithinRoom(
  parts: Pick<FilesParts, 'files'>,
  tenant: string,
  { bytes, param, put, remove }: Storing,
): Promise<void> {
  await checkRoom(parts, tenant, { bytes, param });
  await put();
  try {
    await checkRoom(parts, tenant, { bytes: 0, param });
  } catch (refusal) {
    await remove();
    throw refusal;
  }
}

export const storeFor = (
  { bytes, newPartName }: Pick<FilesParts, 'bytes' | 'newPartName'>,
  tenant: string,
  source: AsyncIterable<Uint8Array>,
): Promise<StoredBytes> => storeBytes(source, bytes, () => newPartName(tenant));

export const discardFrom =
  ({ bytes }: FilesParts) =>
  ({ parts }: StoredBytes): Promise<void> =>
    bytes.delete(parts.map(({ name }) => name));
