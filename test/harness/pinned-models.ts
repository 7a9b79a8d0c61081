/**
 * Models of the catalog at one of their places only: so that a test reaches a provider that stands second in a row. Their
 * id is the model's, a colon, and the provider.
 */
import { seedRows } from '../../infra/catalog/seed.ts';
import { createCatalogStore } from '../../lib/stores/catalog.ts';
import { createAwsCall } from '../../lib/transport/aws-call.ts';
import { createHttpClient } from '../../lib/transport/http-client.ts';
import { createSigner } from '../../lib/transport/sign.ts';
import { providerRows } from './providers.ts';

interface Row {
  readonly id: string;
  readonly deployments: readonly { readonly provider: string }[];
}

/** Adds those that the provider rows name, and `more`, to the local gateway of this process. */
export async function addPinnedModels(...more: readonly string[]): Promise<void> {
  const client = createHttpClient();
  const call = createAwsCall({
    send: client.send,
    sign: createSigner(async () => ({ accessKeyId: 'local', secretAccessKey: 'local' })),
    service: 'dynamodb',
    region: 'local',
    endpoint: process.env.DYNAMODB_ENDPOINT ?? '',
    jsonVersion: '1.0',
  });
  const store = createCatalogStore({ call, table: 'catalog' });
  const named = providerRows.flatMap(({ model, reasoning }) => [model, reasoning ?? model]);
  const rows = pinnedRows([...named, ...more]);
  await Promise.all(rows.map((row) => store.put(row, { source: 'operator' })));
  await client.close();
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
