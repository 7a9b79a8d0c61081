/** Bytes in a directory that only the gateway's user may read: a file for each name, which is whole or not there. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mapConcurrently } from '../../async/map-concurrently.ts';
import type { ByteStore } from '../../core/files.ts';

/** Files that are deleted at a time. */
const deletedAtOnce = 8;

export function createDirectoryBytes(directory: string): ByteStore {
  const pathOf = (name: string) => join(directory, checkedName(name));
  return {
    async put(name, bytes) {
      const path = pathOf(name);
      const temporary = `${path}.${randomUUID()}`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        const file = await open(temporary, 'wx', 0o600);
        await file.writeFile(bytes);
        await file.sync();
        await file.close();
        await rename(temporary, path);
      } catch (thrown) {
        await rm(temporary, { force: true });
        throw thrown;
      }
      return { name, bytes: bytes.length };
    },
    async *get(name, { start, end } = { start: 0, end: Number.POSITIVE_INFINITY }) {
      // The end of a stream is included.
      yield* createReadStream(pathOf(name), { start, end: end - 1 }) as AsyncIterable<Buffer>;
    },
    async delete(names) {
      await mapConcurrently(names, deletedAtOnce, (name) => rm(pathOf(name), { force: true }));
    },
  };
}

/** Deletes what was written before a time, in Unix milliseconds. A directory that is not there is empty. */
export async function deleteBefore(directory: string, time: number): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const isOld = async () => (await stat(path)).mtimeMs < time;
    // Another process of the server may have deleted it.
    if (entry.isFile() && (await isOld().catch(() => false))) await rm(path, { force: true });
  }
}

const segment = /^[\w-][\w.-]*$/;

/** Throws Error for a name that could lead out of the directory. */
function checkedName(name: string): string {
  if (name.split('/').every((one) => segment.test(one))) return name;
  throw new Error('The name of stored bytes is invalid.');
}
