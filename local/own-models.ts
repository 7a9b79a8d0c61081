/**
 * The operator's own models on this machine: a JSON list of catalog rows, `models.json` in the data directory or the file
 * `GATEWAY_MODELS_FILE`, written to the catalog at each start. The provider of a row may be one of the operator's own hosts
 * (`own-hosts.ts`), or `self-hosted`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogStore } from '../lib/stores/catalog/catalog.ts';

/**
 * Stores the rows of the file, if there is one, in place of the catalog's rows of these models. Throws Error for a named
 * file that does not exist, and for one that is not a list of rows.
 */
export async function writeOwnModels(
  store: Pick<CatalogStore, 'put'>,
  dataDirectory: string,
  named: string | undefined,
): Promise<void> {
  const path = named || join(dataDirectory, 'models.json');
  for (const row of await readRowsFile(path, Boolean(named), 'models')) {
    await store.put(row, { source: 'operator' }).catch((cause: Error) => {
      throw new Error(`The models file ${path} has a row that cannot be used. ${cause.message}`, { cause });
    });
  }
}

/**
 * The rows of a file of the operator’s, a JSON list; none where there is no such file, unless it is `required`. Throws Error for a file that cannot be
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
