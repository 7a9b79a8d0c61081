/** Bytes in a bucket of S3: an object for each name. */
import { mapConcurrently } from '../../async/map-concurrently.ts';
import type { ByteStore } from '../../core/files.ts';
import type { Bucket } from '../../core/ports/aws.ts';

/** Objects that are deleted at a time. */
const deletedAtOnce = 8;

export const createS3Bytes = (bucket: Bucket): ByteStore => ({
  async put(name, bytes) {
    await bucket.put({ key: name, contentType: 'application/octet-stream', body: bytes });
    return { name, bytes: bytes.length };
  },
  get: bucket.get,
  async delete(names) {
    await mapConcurrently(names, deletedAtOnce, bucket.delete);
  },
});
