/** Models of the catalog at one of their providers only, so that a test reaches a provider that is not the first. */
import type { AwsCall } from '../../../lib/core/ports/aws.ts';
import { createCatalogStore } from '../../../lib/stores/catalog/catalog.ts';
import { connectDatabase } from '../../../local/database-call.ts';
import { databaseEndpoint } from '../gateways/environment.ts';
import { pinnedRow } from './pinned-id.ts';
import { providerRows } from './providers.ts';

/** Those of the provider rows. Every test gateway has them. */
export const pinnedModels: readonly string[] = providerRows.flatMap(({ model, reasoning }) => [
  model,
  reasoning ?? model,
]);

export async function putPinnedModels(call: AwsCall, ids: readonly string[]): Promise<void> {
  const store = createCatalogStore({ call, table: 'catalog' });
  const rows = [...new Set(ids)].flatMap(pinnedRow);
  await Promise.all(rows.map((row) => store.put(row, { source: 'operator' })));
}

/** Adds further ones to the local gateway of this process. */
export async function addPinnedModels(...ids: readonly string[]): Promise<void> {
  const { call, close } = connectDatabase(databaseEndpoint());
  await putPinnedModels(call, ids);
  await close();
}
