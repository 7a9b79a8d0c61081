/** Changes one row of the catalog. The row then belongs to the operator: the seed does not overwrite it. */

import { isJsonObject } from '../../lib/core/formats/json-object.ts';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { type Installation, UsageError } from '../command.ts';
import { findRow } from './catalog-show.ts';

/** Rejects with UsageError if the changed row would be invalid. */
export async function changeRow(
  installation: Pick<Installation, 'catalog'>,
  id: string,
  change: (row: JsonObject) => JsonObject,
): Promise<JsonObject> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const known = await findRow(installation, id);
    if (!isJsonObject(known.row)) throw new Error(`The catalog row of ${id} is damaged. Run: catalog lint`);
    const changed = change(known.row);
    checkRow(changed);
    if (await installation.catalog.replace(known, changed)) return changed;
  }
  throw new Error(`The catalog row of ${id} was changed by another process. Try again.`);
}

/** If another process changed the row meanwhile, the change is applied again to the new row. */
const maxTries = 5;

function checkRow(row: JsonObject): void {
  try {
    readModelRow(row);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** How long functions use a row that they have read. */
export const seenEverywhere = 'within a minute';

export const ownedNow = 'This row is yours now: catalog sync does not overwrite it.';
