/** Rows of a test's own in the catalog of the gateway that runs in this process. */

import { createCatalogStore } from '../../../lib/stores/catalog/catalog.ts';
import { connectDatabase } from '../../../local/database-call.ts';
import { databaseEndpoint } from '../gateways/environment.ts';

export interface TestDeployment {
  readonly provider: string;
  readonly region?: string;
  readonly upstreamId: string;
  readonly equalToPrevious?: boolean;
  readonly collectsData?: boolean;
  readonly retainsData?: boolean;
  readonly regions?: readonly string[];
  readonly ways?: readonly object[];
  readonly price?: object;
}

/**
 * Writes models that take text, images and PDF, each at the given deployments. Call it when the gateway has started. `input`:
 * what else they take.
 */
export async function putModels(
  models: Readonly<Record<string, readonly TestDeployment[]>>,
  ...input: readonly string[]
): Promise<void> {
  const { call, close } = connectDatabase(databaseEndpoint());
  const store = createCatalogStore({ call, table: 'catalog' });
  const rows = Object.entries(models).map(([id, deployments]) => rowOf(id, deployments, input));
  for (const row of rows) await store.put(row, { source: 'operator' });
  await close();
}

function rowOf(id: string, deployments: readonly TestDeployment[], input: readonly string[]): object {
  return {
    id,
    created: '2026-01-01',
    status: 'active',
    endpoints: ['chat_completions', 'responses'],
    modalities: { input: ['text', 'image', 'pdf', ...input], output: ['text'] },
    limits: { context: null, input: null, output: 4096 },
    traits: {},
    price: { input: 1, output: 1 },
    deployments: deployments.map((deployment) => ({ region: 'global', ...deployment })),
  };
}
