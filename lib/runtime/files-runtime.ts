/** The parts of functions that store files and read them. */
import { randomUUID } from 'node:crypto';
import { lazyFor } from '../async/lazy.ts';
import { type ByteStore, type FileStore, maxFileSeconds, type NewPartName } from '../core/files.ts';
import { dayMs, daySeconds, hourMs } from '../core/time.ts';
import type { UploadStore } from '../core/uploads.ts';
import { createDirectoryBytes, deleteBefore } from '../stores/files/directory-bytes.ts';
import { createFileStore } from '../stores/files/file-store.ts';
import { noBytes } from '../stores/files/no-bytes.ts';
import { createS3Bytes } from '../stores/files/s3-bytes.ts';
import { createUploadStore } from '../stores/files/upload-store.ts';
import { bucketEndpoint } from '../transport/aws/aws-endpoints.ts';
import { createBucket } from '../transport/aws/bucket.ts';
import type { Variables } from './environment.ts';
import { type Foundation, foundationOf } from './foundation.ts';
import { type Runtime, runtimeOf } from './runtime.ts';

export interface FilesRuntime extends Runtime {
  readonly files: FileStore;
  readonly uploads: UploadStore;
  readonly bytes: ByteStore;
  readonly newPartName: NewPartName;
  /** For how long a file is kept, in seconds, and no longer. */
  readonly fileSeconds: number;
  /** The most bytes that the process can answer with; undefined: any number. */
  readonly maxAnswerBytes: number | undefined;
}

/** Lambda sends 200 MB at most, of which only the first 6 MB are not slowed down. Source: Lambda, "Response streaming". */
const maxLambdaAnswer = 150_000_000;

export const filesRuntime = lazyFor((variables: Variables): FilesRuntime => {
  const foundation = foundationOf(variables);
  const { environment, now, table } = foundation;
  const { GATEWAY_FILES_DAYS: days = maxFileSeconds / daySeconds } = environment;
  const bytes = bytesOf(foundation, days);
  return {
    ...runtimeOf(variables),
    files: createFileStore({ ...table('files'), bytes, now }),
    uploads: createUploadStore({ ...table('files'), now }),
    bytes,
    newPartName,
    fileSeconds: days * daySeconds,
    maxAnswerBytes: variables.AWS_LAMBDA_FUNCTION_NAME === undefined ? undefined : maxLambdaAnswer,
  };
});

function bytesOf({ environment, send, sign, endpointOf, now }: Foundation, days: number): ByteStore {
  const { AWS_REGION: region, GATEWAY_FILES_BUCKET: name, GATEWAY_FILES_DIRECTORY: directory } = environment;
  if (name !== undefined)
    return createS3Bytes(createBucket({ send, sign, region, endpoint: bucketEndpoint(endpointOf, name) }));
  if (directory === undefined) return noBytes;
  // A bucket deletes by itself what no file has any more.
  const clear = () => void deleteBefore(directory, now() - (days + 1) * dayMs).catch(() => {});
  setInterval(clear, hourMs).unref();
  return createDirectoryBytes(directory);
}

/** The tenant is in the name for operators who look: a name is found by its file alone. */
const newPartName: NewPartName = (tenant) =>
  `t/${tenant.replaceAll(/[^\w-]/g, '-')}/f/${randomUUID().replaceAll('-', '')}`;
