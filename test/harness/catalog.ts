/** Rows of a test's own in the catalog of the gateway that runs in this process. */
import { createCatalogStore } from '../../lib/stores/catalog.ts';
import { createAwsCall } from '../../lib/transport/aws-call.ts';
import { createHttpClient } from '../../lib/transport/http-client.ts';
import { createSigner } from '../../lib/transport/sign.ts';

export interface TestDeployment {
  readonly provider: string;
  readonly region?: string;
  readonly upstreamId: string;
}

/** Writes models that take text, each at the given places. Call it when the gateway has started. */
export async function putModels(models: Readonly<Record<string, readonly TestDeployment[]>>): Promise<void> {
  const { send, close } = createHttpClient();
  const sign = createSigner(async () => ({ accessKeyId: 'local', secretAccessKey: 'local' }));
  const endpoint = process.env.DYNAMODB_ENDPOINT ?? '';
  const service = { service: 'dynamodb', region: 'local', jsonVersion: '1.0' } as const;
  const store = createCatalogStore({
    call: createAwsCall({ send, sign, endpoint, ...service }),
    table: 'catalog',
  });
  const rows = Object.entries(models).map(([id, places]) => rowOf(id, places));
  for (const row of rows) await store.put(row, { source: 'operator' });
  await close();
}

function rowOf(id: string, places: readonly TestDeployment[]): object {
  return {
    id,
    created: '2026-01-01',
    status: 'active',
    endpoints: ['chat_completions'],
    modalities: { input: ['text', 'image'], output: ['text'] },
    limits: { context: null, input: null, output: 4096 },
    traits: {},
    price: { input: 1, output: 1 },
    deployments: places.map((place) => ({ region: 'global', ...place })),
  };
}
