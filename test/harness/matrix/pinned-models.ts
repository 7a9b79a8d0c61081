/** Models of the catalog at one of their providers only, so that a test reaches a provider that is not the first. */

import { createCatalogStore } from '../../../lib/stores/catalog/catalog.ts';
import { connectDatabase } from '../../../local/database-call.ts';
import { databaseEndpoint } from '../gateways/environment.ts';
import { pinnedRow } from './pinned-id.ts';
import { providerRows } from './providers.ts';

/** Adds those of the provider rows, and `more`, to the local gateway of this process. */
export async function addPinnedModels(...more: readonly string[]): Promise<void> {
  const { call, close } = connectDatabase(databaseEndpoint());
  const store = createCatalogStore({ call, table: 'catalog' });
  const named = providerRows.flatMap(({ model, reasoning }) => [model, reasoning ?? model]);
  const rows = [...new Set([...named, ...more])].flatMap(pinnedRow);
  await Promise.all(rows.map((row) => store.put(row, { source: 'operator' })));
  await close();
}
