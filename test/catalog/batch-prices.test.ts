/** What batches cost with the models that ship with the gateway. */
import { expect, test } from 'vitest';
import { seedRows } from '../../infra/catalog/seed.ts';
import { priceAt } from '../../lib/core/accounting/price.ts';
import type { Model } from '../../lib/core/catalog/model.ts';
import type { Price, TieredPrices, TokenPrices } from '../../lib/core/catalog/price.ts';
import type { Usage } from '../../lib/core/generation/usage.ts';
import { batchTier, priceFactorOf } from '../../lib/metering/cost/batch-price.ts';
import { costOf } from '../../lib/metering/cost/cost.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';

const models = seedRows.map((row) => readModelRow(row));
const seconds = Date.UTC(2026, 10, 28) / 1000;

function targetAt(id: string, provider: string, upstreamId?: string) {
  const model = models.find((one) => one.id === id);
  const found = model?.deployments.find((one) => one.provider === provider);
  if (!model || !found) throw new Error(`${id} is not at ${provider}.`);
  const route = found.routes?.find((one) => one.upstreamId === upstreamId);
  return { model, deployment: { ...found, ...route } };
}

function priceAtPlace(id: string, provider: string, upstreamId?: string): Price {
  const { model, deployment } = targetAt(id, provider, upstreamId);
  const price = priceAt(deployment.prices ?? model.prices, seconds)?.price;
  if (!price) throw new Error(`${id} has no price at ${provider}.`);
  return price;
}

const use = (counts: Partial<Usage>): Usage => ({
  promptTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  ...counts,
});

const million = 1_000_000;
/** In US dollars. */
const costOfBatch = (price: Price, counts: Partial<Usage>) => {
  const cost = costOf(use(counts), price, { tier: batchTier });
  return cost === null ? null : cost / 1e9;
};

/** US dollars for a million tokens of input, of output and of cached input, each by itself in calls of a thousand. */
function perMillion(price: Price) {
  const thousandfold = (counts: Partial<Usage>) => {
    const cost = costOfBatch(price, counts);
    return cost === null ? null : Math.round(cost * 1_000 * million) / million;
  };
  return [
    thousandfold({ promptTokens: 1_000 }),
    thousandfold({ completionTokens: 1_000 }),
    thousandfold({ promptTokens: 1_000, cachedTokens: 1_000 }),
  ];
}

test.each([
  // Half of everything, as their price pages say.
  ['openai/gpt-5.5', 'openai', [2.5, 15, 0.25]],
  ['openai/gpt-6.1-sol', 'openai', [1, 5, 0.05]],
  ['openai/gpt-5-nano', 'openai', [0.025, 0.2, 0.0025]],
  ['openai/gpt-5.5', 'azure', [2.5, 15, 0.25]],
  ['openai/gpt-5', 'azure', [0.625, 5, 0.0625]],
  ['anthropic/claude-fable-5-1', 'anthropic', [5, 25, 0.125]],
  ['anthropic/claude-haiku-4-5', 'anthropic', [0.5, 2.5, 0.05]],
  ['anthropic/claude-fable-5-1', 'google-vertex-anthropic', [5, 25, 0.125]],
  // Without a known price of cached input, it costs as other input.
  ['openai/gpt-4.1', 'openai', [1, 4, 1]],
  ['openai/gpt-4o', 'azure', [1.25, 5, 1.25]],
  ['openai/gpt-oss-120b', 'groq', [0.075, 0.3, 0.075]],
  ['mistral/mistral-large-2512', 'mistral', [0.25, 0.75, 0.25]],
  // Cached input costs what it costs without a batch.
  ['google/gemini-3.5-flash', 'google', [0.75, 4.5, 0.15]],
  ['google/gemini-3.5-flash', 'google-vertex', [0.75, 4.5, 0.15]],
  ['google/gemini-2.5-pro', 'google', [0.625, 5, 0.125]],
  // Other shares than half.
  ['xai/grok-4.7', 'xai', [1.6, 4.8, 0.4]],
  ['zai/glm-5.1', 'fireworks', [0.7, 2.2, 0.35]],
  ['moonshotai/kimi-k2.6', 'moonshot', [0.57, 2.4, 0.57]],
  ['google/gemini-embedding-001', 'google', [0.075, 0, 0.075]],
  ['google/gemini-embedding-001', 'google-vertex', [0.12, 0, 0.12]],
  ['openai/text-embedding-3-large', 'openai', [0.065, 0, 0.065]],
] as const)('%s at %s: a million tokens of input, output and cached input', (id, provider, dollars) => {
  expect(perMillion(priceAtPlace(id, provider))).toEqual(dollars);
});

test.each([
  ['us.amazon.nova-2-lite-v1:0', [0.165, 1.375, 0.165]],
  ['jp.amazon.nova-2-lite-v1:0', [0.198, 1.6555, 0.198]],
  ['global.amazon.nova-2-lite-v1:0', [0.15, 1.25, 0.15]],
  ['eu.amazon.nova-2-lite-v1:0', [null, null, null]],
] as const)('Nova 2 Lite at Bedrock by %s', (upstreamId, dollars) => {
  expect(perMillion(priceAtPlace('amazon/nova-2-lite', 'bedrock', upstreamId))).toEqual(dollars);
});

test.each([
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', [1.65, 8.25, 1.65]],
  ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', [1.5, 7.5, 1.5]],
  ['us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0', [null, null, null]],
] as const)('Claude Sonnet 4.5 at Bedrock by %s', (upstreamId, dollars) => {
  expect(perMillion(priceAtPlace('anthropic/claude-sonnet-4-5', 'bedrock', upstreamId))).toEqual(dollars);
});

test('a long input has its own price in a batch, too', () => {
  const long = { promptTokens: 300_000, completionTokens: 1_000 };
  const of = (id: string, provider: string) => costOfBatch(priceAtPlace(id, provider), long);
  expect(of('openai/gpt-5.5', 'openai')).toBe((300_000 * 5 + 1_000 * 22.5) / million);
  expect(of('google/gemini-2.5-pro', 'google')).toBe((300_000 * 1.25 + 1_000 * 7.5) / million);
  expect(of('xai/grok-4.7', 'xai')).toBe((300_000 * 3.2 + 1_000 * 9.6) / million);
});

test('writes to a cache for an hour cost half of their price at Anthropic', () => {
  const written = { promptTokens: 1_000, cacheWriteTokens: 1_000, cacheWriteHourTokens: 1_000 };
  expect(costOfBatch(priceAtPlace('anthropic/claude-fable-5-1', 'anthropic'), written)).toBe(0.01);
});

test('web searches cost the same in a batch', () => {
  const price = priceAtPlace('openai/gpt-5.5', 'openai');
  expect(costOfBatch(price, { webSearches: 100 })).toBe(1);
});

test('a batch costs what it costs from a later day on', () => {
  const { prices } = targetAt('google/gemini-4-argon', 'google').model;
  const of = (day: string) => {
    const price = priceAt(prices, Date.parse(day) / 1000)?.price;
    return price && perMillion(price);
  };
  expect(of('2026-11-30')).toEqual([1, 5, 0.1]);
  expect(of('2026-12-01')).toEqual([2, 10, 0.2]);
});

const hasBatch = ({ prices, deployments }: Model) =>
  [prices, ...deployments.map((one) => one.prices ?? [])].some((all) =>
    all.some(({ price }) => price.serviceTiers?.[batchTier] !== undefined),
  );

test.each([
  'openai/gpt-5.3-codex',
  'openai/chat-latest',
  'openai/gpt-6-rosalind',
  'openai/gpt-image-2',
  'openai/text-embedding-ada-002',
  'xai/grok-4.6',
  'xai/grok-build-0.1',
  'deepseek/deepseek-v4-pro',
  'anthropic/claude-opus-4-1',
])('%s has no batches', (id) => {
  expect(models.filter((model) => model.id === id).map(hasBatch)).toEqual([false]);
});

test('nothing that has a price lacks that of a batch, and no batch costs more than without it', () => {
  const kinds = ['cachedInput', 'cacheWrite', 'cacheWriteHour', 'audioInput', 'imageOutput'] as const;
  const faults = models.flatMap((model) =>
    [model, ...model.deployments, ...model.deployments.flatMap(({ routes = [] }) => routes)]
      .flatMap(({ prices = [] }) => prices)
      .flatMap(({ price }) => {
        const batch = price.serviceTiers?.[batchTier];
        if (!batch) return [];
        const pairs: readonly (readonly [TokenPrices, TokenPrices | undefined])[] = [
          [price, batch],
          ...lengthsOf(price).map((one, index) => [one, lengthsOf(batch)[index]] as const),
        ];
        return pairs.flatMap(([listed, own]) => [
          ...kinds.filter((kind) => (listed[kind] ?? null) !== null && (own?.[kind] ?? null) === null),
          ...(['input', 'output'] as const).filter((kind) => (own?.[kind] ?? 0) > listed[kind]),
        ]);
      })
      .map((kind) => `${model.id}: ${kind}`),
  );
  expect(faults).toEqual([]);
});

const lengthsOf = ({ tiers = [] }: TieredPrices) => tiers;

test.each([
  ['openai/gpt-5.5', 'openai', 0.5],
  ['xai/grok-4.7', 'xai', 0.8],
  ['moonshotai/kimi-k2.6', 'moonshot', 0.6],
  ['google/gemini-embedding-001', 'google-vertex', 0.8],
  ['openai/gpt-5.3-codex', 'openai', null],
] as const)('the share of the list price of %s at %s', (id, provider, factor) => {
  expect(priceFactorOf(targetAt(id, provider), seconds)).toBe(factor);
});
