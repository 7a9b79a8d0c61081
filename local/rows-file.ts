/** A file of the operator's with rows: a JSON list. */
import { readFile } from 'node:fs/promises';

/**
 * The rows of the file; none where there is no such file, unless it is `required`. Throws Error for a file that cannot be
 * read, and for one that is not a list.
 */
export async function readRowsFile(
  path: string,
  required: boolean,
  kind: string,
): Promise<readonly unknown[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && !required) return '[]';
    throw new Error(`The ${kind} file ${path} cannot be read.`, { cause: error });
  });
  try {
    const rows: unknown = JSON.parse(text);
    if (Array.isArray(rows)) return rows;
  } catch {
    // Text that is not JSON is not a list either.
  }
  throw new Error(`The ${kind} file ${path} is not a JSON list of rows.`);
}
