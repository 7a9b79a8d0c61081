/** The models that ship with the gateway are valid, and seeding them keeps the rows of an operator. */
import { describe, expect, test } from 'vitest';
import { seedCatalog, seedRows, seedRowsByOwner } from '../../infra/catalog/seed.ts';
import type { Model } from '../../lib/core/catalog/model.ts';
import type { ModelEndpoint } from '../../lib/core/catalog/model-endpoints.ts';
import { namesOf } from '../../lib/core/names/names.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { createCatalog, createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { useTestDatabase } from '../stores/database.ts';

const models = seedRows.map((row) => readModelRow(row));
const byId = new Map(models.map((model) => [model.id, model]));
const served = models.filter(({ status }) => status === 'active' || status === 'deprecated');
/** The operation that every model of this kind supports. */
function mainEndpointOf({ endpoints, modalities, traits }: Model): ModelEndpoint {
  if (traits.embedding) return 'embeddings';
  // Of OpenAI's models that take and make audio, none generates over another operation.
  if (endpoints.includes('realtime')) return 'realtime';
  if (traits.transcription) return 'audio_transcriptions';
  if (modalities.output.includes('moderation')) return 'moderations';
  if (modalities.output.includes('rerank')) return 'rerank';
  if (modalities.output.includes('audio')) return 'audio_speech';
  return modalities.output.includes('image') ? 'images_generations' : 'responses';
}

const yearSeconds = 365 * 86_400;
const rising = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

describe('the models that ship with the gateway', () => {
  test('ids are unique, and each is in the file of its owner', () => {
    expect(byId.size).toBe(models.length);
    for (const [owner, rows] of Object.entries(seedRowsByOwner)) {
      for (const row of rows) expect(readModelRow(row).owner).toBe(owner);
    }
  });

  test.each(models.map((model) => [model.id, model] as const))('%s is consistent', (_, model) => {
    expect(model.endpoints).toContain(mainEndpointOf(model));
    expect(model.created).toBeGreaterThan(Date.UTC(2022, 0) / 1000);
    // A release may be announced some months ahead.
    expect(model.created).toBeLessThan(Date.now() / 1000 + yearSeconds);
    for (const { provider, region } of model.deployments) {
      expect(providers.has(provider), provider).toBe(true);
      expect(region === 'global').toBe(provider !== 'bedrock');
    }
    const efforts = model.traits.reasoning?.efforts ?? [];
    expect(efforts).toEqual(rising.filter((effort) => efforts.some((own) => own === effort)));
    for (const modality of [...model.modalities.input, ...model.modalities.output]) {
      expect(['text', 'image', 'pdf', 'audio', 'video', 'embedding', 'moderation', 'rerank']).toContain(
        modality,
      );
    }
  });

  test('a name without its owner is that of one model', () => {
    const names = models.flatMap((model) => namesOf(model));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test.each([
    ['gpt-4o-2024-11-20', 'openai/gpt-4o-2024-11-20'],
    ['claude-opus-4-7-20260416', 'anthropic/claude-opus-4-7'],
    ['mistral-large-latest', 'mistral/mistral-large-2512'],
    ['gemini-flash-latest', 'google/gemini-3.8-flash'],
    ['grok-4.20-reasoning', 'xai/grok-4.20-0309-reasoning'],
    ['chat-latest', 'openai/chat-latest'],
  ])("the provider's name %s is that of %s", (name, id) => {
    expect(models.find((model) => namesOf(model).includes(name))?.id).toBe(id);
  });

  test('image models have a timeout of minutes, below the idle limit of a connection', () => {
    const imageModels = served.filter(({ endpoints }) => endpoints.includes('images_generations'));
    expect(imageModels.length).toBeGreaterThan(5);
    for (const { id, timeouts, traits } of imageModels) {
      expect(traits.image, id).toBeDefined();
      // Some take two minutes; API Gateway closes a connection that is idle for five.
      expect(timeouts.bodyMs, id).toBeGreaterThan(2 * 120_000);
      expect(timeouts.bodyMs, id).toBeLessThan(285_000);
    }
  });

  test('a model that is not active names an active replacement', () => {
    for (const { id, status, replacement } of models) {
      if (status === 'active') expect(replacement, id).toBeUndefined();
      else expect(byId.get(replacement ?? '')?.status, id).toBe('active');
    }
  });

  test('cached tokens cost less than others, and long prompts not less than short ones', () => {
    for (const { id, prices } of served) {
      for (const { price } of prices) {
        if (price.cachedInput !== null) expect(price.cachedInput, id).toBeLessThan(price.input);
        for (const tier of price.tiers ?? []) expect(tier.input, id).toBeGreaterThan(price.input);
      }
    }
  });

  test('no upstream id has two model ids', () => {
    const names = models.flatMap(({ deployments }) =>
      deployments.map((at) => `${at.provider} ${at.upstreamId}`),
    );
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('seeding', () => {
  const database = useTestDatabase('catalog');
  test('writes every model, can be repeated, and keeps the rows of an operator', async () => {
    const store = createCatalogStore({ call: database.call, table: 'catalog' });
    expect(await seedCatalog(store)).toEqual({ written: models.length, kept: 0 });
    await store.put(seedRows[0], { source: 'operator' });
    expect(await seedCatalog(store)).toEqual({ written: models.length - 1, kept: 1 });
    expect(await seedCatalog(store, await store.list())).toEqual({ written: 0, kept: models.length });
    const catalog = createCatalog({ store, now: Date.now, warn: (id) => expect.unreachable(id) });
    const listed = await catalog.list();
    expect(listed).toEqual(models.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  });
});
