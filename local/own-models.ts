/**
 * The operator's own models on this machine: a JSON list of catalog rows, `models.json` in the data directory or the file
 * `GATEWAY_MODELS_FILE`, written to the catalog at each start. The provider of a row may be one of the operator's own hosts
 * (`own-hosts.ts`), or `self-hosted`.
 */
import { join } from 'node:path';
import type { CatalogStore } from '../lib/stores/catalog/catalog.ts';
import { readRowsFile } from './rows-file.ts';

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
