/** Reads the dashboard's page from the directory where the build has put it. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { PageFiles } from '../../core/admin/admin-endpoint.ts';

/** Rejects if there is none. */
export async function readPageFiles(directory: string): Promise<PageFiles> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const read = paths.map(
    async (path) => [relative(directory, path).split(sep).join('/'), await readFile(path)] as const,
  );
  return new Map(await Promise.all(read));
}
