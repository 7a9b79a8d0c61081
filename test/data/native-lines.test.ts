/** Lines of batches rest at their provider, whatever else is known of it: none under zero retention is in a job of a batch API. */
import { expect, test } from 'vitest';
import type { Catalog } from '../../lib/core/ports/catalog.ts';
import type { Provider } from '../../lib/providers/provider.ts';
import { dataRule } from '../../lib/routing/data-rule.ts';
import { createNativeCatalog } from '../../lib/runtime/batches/native-catalog.ts';
import { testModel } from '../harness/matrix/model.ts';

test('a place that keeps nothing of single requests keeps lines', async () => {
  const price = { input: 2, output: 2, cachedInput: 2, cacheWrite: 2 };
  const batch = { input: 1, output: 1, cachedInput: 1, cacheWrite: 1, tiers: [] };
  const model = testModel({
    prices: [{ from: 0, price: { ...price, serviceTiers: { batch } } }],
    deployments: [{ provider: 'bedrock', region: 'global', upstreamId: 'one', collectsData: false }],
  });
  const catalog: Catalog = {
    find: async () => model,
    list: async () => [model],
    named: async () => ({ models: [] }),
    aliases: async () => new Map(),
  };
  const provider: Pick<Provider, 'isConfigured'> = { isConfigured: () => true };
  const native = createNativeCatalog({
    catalog,
    providers: { load: async () => provider as Provider },
    findAccess: async () => ({ settings: {} }),
    batchProviders: ['bedrock'],
    now: () => 0,
  });
  const reasonsOf = async (seen: Catalog) => {
    const found = await seen.find('acme/one');
    const rule = dataRule({ policies: [{ zdr: true }] });
    return (found?.deployments ?? []).map((deployment) => rule({ model, deployment }));
  };
  expect(await reasonsOf(catalog)).toEqual([undefined]);
  expect(await reasonsOf(native)).toEqual(['data_policy.zdr']);
});
