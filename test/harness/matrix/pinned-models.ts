/**
 * Models of the catalog at one of their places only: so that a test reaches a provider that stands second in a row. Their
 * id is the model's, a colon, and the provider.
 */
import { seedRows } from '../../../infra/catalog/seed.ts';
import { connectDatabase } from '../../../infra/local/database-call.ts';
import { createCatalogStore } from '../../../lib/stores/catalog/catalog.ts';
import { providerRows } from './providers.ts';

interface Row {
  readonly id: string;
  readonly deployments: readonly { readonly provider: string }[];
}

/** Adds those that the provider rows name, and `more`, to the local gateway of this process. */
export async function addPinnedModels(...more: readonly string[]): Promise<void> {
  const { call, close } = connectDatabase(process.env.DYNAMODB_ENDPOINT ?? '');
  const store = createCatalogStore({ call, table: 'catalog' });
  const named = providerRows.flatMap(({ model, reasoning }) => [model, reasoning ?? model]);
  const rows = pinnedRows([...named, ...more]);
  await Promise.all(rows.map((row) => store.put(row, { source: 'operator' })));
  await close();
}

function pinnedRows(ids: readonly string[]): readonly Row[] {
  const all = seedRows as readonly Row[];
  return [...new Set(ids)].flatMap((id) => {
    const [model, provider] = id.split(':');
    const row = provider === undefined ? undefined : all.find((one) => one.id === model);
    if (!row) return [];
    return [{ ...row, id, deployments: row.deployments.filter((place) => place.provider === provider) }];
  });
}
