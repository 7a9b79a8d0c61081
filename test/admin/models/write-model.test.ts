/** A model as the admin API shows it: what it can do, its deployments with their routes, prices and health. */
import { expect, test } from 'vitest';
import { writeModel } from '../../../lib/admin/models/write-model.ts';
import type { Deployment, Model, Traits } from '../../../lib/core/catalog/model.ts';

const noTraits: Traits = { refuses: [], refusesWhileReasoning: [] };
const prices = (input: number) => [
  { from: 0, price: { input, output: 2_000, cachedInput: null, cacheWrite: null } },
];
const first: Deployment = { provider: 'bedrock', region: 'us', upstreamId: 'global.one' };

const model = (changes: Partial<Model> = {}): Model => ({
  id: 'acme/one-1-5',
  owner: 'acme',
  created: 5,
  status: 'active',
  endpoints: ['chat_completions'],
  modalities: { input: ['text', 'image'], output: ['text'] },
  limits: { context: 300, input: 200, output: 100 },
  traits: noTraits,
  prices: prices(1_000),
  deployments: [first],
  timeouts: { connectMs: 1, firstByteMs: 1, bodyMs: 1, idleMs: 1 },
  ...changes,
});

type Context = Parameters<typeof writeModel>[1];

const shown = (changes: Partial<Model> = {}, context: Partial<Context> = {}) =>
  writeModel(model(changes), {
    writtenBy: 'seed',
    buyer: { pricing: undefined, at: 10 },
    isAllowed: true,
    aliases: [],
    recent: undefined,
    isForOperator: true,
    ...context,
  });

test('a model without traits has the capabilities of none', () => {
  expect(shown()).toEqual({
    object: 'model',
    id: 'acme/one-1-5',
    owner: 'acme',
    name: 'One 1.5',
    status: 'active',
    replacement: null,
    created_at: 5,
    aliases: [],
    capabilities: {
      operations: ['chat_completions'],
      input: ['text', 'image'],
      output: ['text'],
      reasoning: null,
      structured_output: null,
      web_search: false,
      fills_in: false,
      dimensions: null,
    },
    context: { window: 300, input: 200, output: 100 },
    allowed: true,
    written_by: 'seed',
    price: expect.objectContaining({ input: '1.00' }),
    places: [
      {
        provider: 'bedrock',
        region: 'us',
        ways: [{ upstream_id: 'global.one', from: null, regions: null, price: null, price_known: true }],
        equal_to_previous: false,
        collects_data: null,
        retains_data: null,
        health: expect.objectContaining({ state: 'unknown', attempts: null }),
      },
    ],
  });
});

test('traits are shown as capabilities', () => {
  const traits: Traits = {
    ...noTraits,
    reasoning: { style: 'effort', efforts: ['none', 'high'], defaultEffort: 'high' },
    structuredOutput: 'schema',
    webSearch: true,
    fillsIn: true,
    embedding: { dimensions: { default: 1_024 } },
  };
  expect(shown({ traits }).capabilities).toMatchObject({
    reasoning: { efforts: ['none', 'high'], default_effort: 'high' },
    structured_output: 'schema',
    web_search: true,
    fills_in: true,
    dimensions: 1_024,
  });
});

test('names of the catalog come before those of the operator', () => {
  const named = shown({ aliases: ['one-2026'], replacement: 'acme/two' }, { aliases: ['fast'] });
  expect(named).toMatchObject({ aliases: ['one-2026', 'fast'], replacement: 'acme/two' });
});

test('each route has its own ids, regions and prices; the id is for operators', () => {
  const routes: Deployment['routes'] = [
    { upstreamId: 'eu.one', from: ['eu'], regions: ['eu'], prices: prices(3_000) },
    { upstreamId: 'one', prices: [] },
  ];
  const deployments = [{ ...first, routes, equalToPrevious: true, collectsData: true, retainsData: false }];
  const [place] = shown({ deployments }).places;
  expect(place).toMatchObject({ equal_to_previous: true, collects_data: true, retains_data: false });
  expect(place?.ways).toEqual([
    {
      upstream_id: 'eu.one',
      from: ['eu'],
      regions: ['eu'],
      price: expect.objectContaining({ input: '3.00' }),
      price_known: true,
    },
    { upstream_id: 'one', from: null, regions: null, price: null, price_known: false },
  ]);
  const forTenant = shown({ deployments }, { isForOperator: false }).places[0];
  expect(forTenant?.ways.map(({ upstream_id: id }) => id)).toEqual([null, null]);
});

test('a fixed price of the tenant holds for every route', () => {
  const models = { 'acme/one-1-5': { input: 1, output: 1, cachedInput: null, cacheWrite: null } };
  const buyer = { pricing: [{ from: 0, markup: 0, models }], at: 10 };
  const deployments = [{ ...first, prices: prices(3_000) }];
  expect(shown({ deployments }, { buyer }).places[0]?.ways[0]?.price).toBeNull();
  expect(shown({ deployments }).places[0]?.ways[0]?.price).toMatchObject({ input: '3.00' });
});

test('calls are those of the region, and for routes also of regions that no other deployment has', () => {
  const called = (region: string, attempts: number, changes = {}) => ({
    provider: 'bedrock',
    region,
    model: 'acme/one-1-5',
    attempts,
    failures: {},
    ...changes,
  });
  const sums = [
    called('us', 1),
    called('eu', 10),
    called('ap', 100),
    called('us', 1_000, { model: 'acme/two' }),
    called('us', 10_000, { provider: 'other' }),
  ];
  const routed = { ...first, routes: [{ upstreamId: 'one' }] as const };
  const attempts = (...deployments: readonly Deployment[]) =>
    shown({ deployments }, { recent: { since: 0, sums } }).places.map(({ health }) => health.attempts);
  expect(attempts(first)).toEqual([1]);
  expect(attempts(routed)).toEqual([111]);
  expect(attempts(routed, { ...first, region: 'eu' })).toEqual([101, 10]);
  expect(attempts(routed, { ...first, provider: 'other', region: 'ap' })).toEqual([111, 0]);
  const health = shown({}, { recent: { since: 7, sums }, isForOperator: false }).places[0]?.health;
  expect(health).toMatchObject({ state: 'healthy', since: 7, attempts: null });
});
