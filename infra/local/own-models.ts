/**
 * The operator's own models on this machine: a JSON list of catalog rows, `models.json` in the data directory or the file
 * `GATEWAY_MODELS_FILE`, written to the catalog at each start. A row with provider `self-hosted` uses the operator's own
 * server.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogStore } from '../../lib/stores/catalog/catalog.ts';

/**
 * Writes the rows of the file, if there is one, over whatever the catalog says of these models. Throws Error for a
 * named file that is not there, and for one that is not a list of rows.
 */
export async function writeOwnModels(
  store: Pick<CatalogStore, 'put'>,
  dataDirectory: string,
  named: string | undefined,
): Promise<void> {
  const path = named || join(dataDirectory, 'models.json');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && !named) return '[]';
    throw new Error(`The models file ${path} cannot be read.`, { cause: error });
  });
  for (const row of readRows(text, path)) {
    await store.put(row, { source: 'operator' }).catch((cause: Error) => {
      throw new Error(`The models file ${path} has a row that cannot be used. ${cause.message}`, { cause });
    });
  }
}

function readRows(text: string, path: string): readonly unknown[] {
  try {
    const rows: unknown = JSON.parse(text);
    if (Array.isArray(rows)) return rows;
  } catch {
    // What is no JSON is no list either.
  }
  throw new Error(`The models file ${path} is not a JSON list of catalog rows.`);
}
