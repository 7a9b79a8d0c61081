/** The buckets of the sandbox, which batches read and write. */

import { parseJson } from '../../lib/core/formats/parse-json.ts';
import { createKept } from './kept.ts';

interface StoredObject {
  readonly key: string;
  readonly bytes: Buffer;
}

/** A bucket with another name is not there. */
const bucketName = /^sandbox-[a-z0-9.-]+$/;

const objects = createKept<StoredObject>(1_000);

export const bucketExists = (bucket: string): boolean => bucketName.test(bucket);

export const findObject = (bucket: string, key: string): Buffer | undefined =>
  objects.find(bucket, `${bucket}/${key}`)?.bytes;

export const putObject = (bucket: string, key: string, bytes: Buffer): void =>
  void objects.add(bucket, `${bucket}/${key}`, { key, bytes });

export const removeObject = (bucket: string, key: string): void => objects.remove(`${bucket}/${key}`);

/** By their keys. */
export const listObjects = (bucket: string, prefix: string): readonly StoredObject[] =>
  objects
    .list(bucket)
    .filter(({ key }) => key.startsWith(prefix))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));

/** The parsed rows of a file of JSON lines; undefined for one that is no JSON. */
export const rowsIn = (bytes: Buffer): readonly unknown[] =>
  bytes
    .toString()
    .split('\n')
    .filter((row) => row.trim() !== '')
    .map(parseJson);
