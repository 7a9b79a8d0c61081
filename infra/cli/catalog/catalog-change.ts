/** Changes one row of the catalog, which is the operator's own from then on. */

import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { isJsonObject } from '../../../lib/core/json-object.ts';
import { readModelRow } from '../../../lib/stores/catalog/model-row.ts';
import { type Installation, UsageError } from '../command.ts';
import { findRow } from './catalog-show.ts';

/** Rejects with UsageError where the changed row would have a fault. */
export async function changeRow(
  installation: Pick<Installation, 'catalog'>,
  id: string,
  change: (row: JsonObject) => JsonObject,
): Promise<JsonObject> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const known = await findRow(installation, id);
    if (!isJsonObject(known.row)) throw new Error(`The row of ${id} is damaged. See: catalog lint`);
    const changed = change(known.row);
    checkRow(changed);
    if (await installation.catalog.replace(known, changed)) return changed;
  }
  throw new Error(`The row of ${id} is being changed by others. Try again.`);
}

/** Whoever meets another one's change makes their own anew from it. */
const maxTries = 5;

function checkRow(row: JsonObject): void {
  try {
    readModelRow(row);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** How long a function uses a row that it has read. */
export const seenEverywhere = 'within a minute';

export const ownedNow = "The row is the operator's own from now on: a new seed does not change it.";
