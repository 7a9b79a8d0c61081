/** The filters of the model list agree with the plan: a model is listed exactly if a request for it would be planned. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Deployment, Model } from '../../lib/core/catalog/model.ts';
import type { Catalog } from '../../lib/core/ports/catalog.ts';
import { allowsModel, type DataPolicy } from '../../lib/core/tenancy.ts';
import { filteredIds } from '../../lib/operations/models/filter-models.ts';
import type { Supported } from '../../lib/operations/models/supported.ts';
import { readWishes } from '../../lib/pipeline/data/forbidden-by.ts';
import { createHealth } from '../../lib/routing/health.ts';
import { plan } from '../../lib/routing/plan.ts';
import { testModel, testRequest } from '../harness/matrix/model.ts';

const regions = fc.uniqueArray(fc.constantFrom('eu', 'eu-west-1', 'us'), { minLength: 1 });
const providers = fc.constantFrom('bedrock', 'openai', 'fireworks', 'unheard-of');

const deployments = fc.record(
  {
    provider: providers,
    region: fc.constant('global'),
    upstreamId: fc.constant('one'),
    regions,
    collectsData: fc.boolean(),
    retainsData: fc.boolean(),
    barredBy: fc.constant('bedrockGeography'),
  },
  { requiredKeys: ['provider', 'region', 'upstreamId'] },
) satisfies fc.Arbitrary<Deployment>;

const models = fc
  .tuple(
    fc.array(deployments, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('active', 'deprecated', 'inactive', 'retired'),
    fc.subarray(['image', 'pdf']),
    fc.constantFrom('chat_completions', 'embeddings'),
  )
  .map(([deployments, status, input, endpoint]) => ({
    deployments,
    status,
    endpoints: [endpoint],
    modalities: { input: ['text', ...input], output: ['text'] },
  })) satisfies fc.Arbitrary<Partial<Model>>;

const flag = fc.constant(true as const);
const policies = fc.record(
  {
    zdr: flag,
    noTraining: flag,
    regions,
    providers: fc.record({ only: fc.array(providers, { minLength: 1 }) }),
  },
  { requiredKeys: [] },
) satisfies fc.Arbitrary<DataPolicy>;

const isPlanned = async (promise: Promise<unknown>) =>
  await promise.then(
    () => true,
    () => false,
  );

test('a model is listed for a key exactly if a request of the key would be planned', async () => {
  const question = fc.record({
    shapes: fc.array(models, { minLength: 1, maxLength: 4 }),
    keyPolicy: policies,
    tenantPolicy: policies,
    isNamed: fc.boolean(),
    zdr: fc.boolean(),
    region: fc.option(fc.constantFrom('eu', 'us', 'global'), { nil: undefined }),
    supports: fc.subarray<Supported>(['image', 'web_search']),
  });
  await fc.assert(
    fc.asyncProperty(
      question,
      async ({ shapes, keyPolicy, tenantPolicy, isNamed, zdr, region, supports }) => {
        const all = shapes.map((shape, index) => testModel({ id: `acme/m${index}`, ...shape }));
        const named = isNamed ? { models: ['acme/m0'] } : {};
        const key = {
          id: 'key_1',
          hash: 'hash',
          tenant: 'acme',
          keyPolicy: { dataPolicy: keyPolicy, ...named },
          tenantPolicy: { dataPolicy: tenantPolicy },
        };
        const catalog: Catalog = {
          find: async (id) => all.find((model) => model.id === id),
          list: async () => all,
          named: async () => ({ models: [] }),
          aliases: async () => new Map(),
        };
        const asked = ['chat_completions', ...supports] as const;
        const searching = supports.includes('web_search');
        const searchers = all.map((model) => ({
          ...model,
          traits: { ...model.traits, webSearch: searching },
        }));
        const listed = await filteredIds(
          catalog,
          { models: searchers, aliases: new Map() },
          { supports: asked, zdr, region, key },
        );
        const preferences = {
          ...(zdr && { noRetention: true }),
          ...(region !== undefined && { regions: [region] }),
        };
        const generation = testRequest(
          {},
          searching ? { webSearch: { position: 0, type: 'web_search' } } : {},
        );
        const wishes = await readWishes({ catalog }, { preferences, generation }, { key });
        for (const { id } of all) {
          const planned = plan(
            { catalog, health: createHealth({ now: () => 0 }), availability: async () => 'real' },
            {
              endpoint: 'chat_completions',
              model: id,
              fallbacks: [],
              needs: [{ modality: supports.includes('image') ? 'image' : 'text' }],
              preferences,
              isAllowed: (model) => allowsModel(key.keyPolicy, model),
              ...wishes,
            },
          );
          expect(await isPlanned(planned), id).toBe(listed.has(id));
        }
      },
    ),
  );
});
