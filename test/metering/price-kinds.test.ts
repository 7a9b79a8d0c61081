/** One worked example for each kind of price, with figures from the providers' pages: counts, prices, and the cost by hand. */
import { describe, expect, test } from 'vitest';
import type { Price } from '../../lib/core/catalog/price.ts';
import { addUsage, type Usage } from '../../lib/core/generation/usage.ts';
import { costLines, costOf } from '../../lib/metering/cost/cost.ts';
import type { Served } from '../../lib/metering/cost/price-choice.ts';
import { statedDifference } from '../../lib/metering/cost/stated-cost.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { textModel } from '../harness/text-model.ts';
import { usageOf } from './usages.ts';

/** A price as rows have it. */
function priceOf(price: object): Price {
  const row = textModel('acme/one', { provider: 'acme', upstreamId: 'one' }, { price });
  const [first] = readModelRow(row).prices;
  if (!first) throw new Error('No price');
  return first.price;
}

const costs = (counts: Partial<Usage>, price: Price, served?: Served) =>
  costOf(usageOf(counts), price, served);

/** Nano-dollars. */
const dollar = 1_000_000_000;

describe('service tiers', () => {
  // gpt-5.5. Source: developers.openai.com/api/docs/pricing and openai.com/api-priority-processing, in November 2026.
  const price = priceOf({
    input: 5,
    output: 30,
    cachedInput: 0.5,
    tiers: [{ aboveInputTokens: 272_000, input: 10, output: 45, cachedInput: 1 }],
    serviceTiers: {
      flex: {
        input: 2.5,
        output: 15,
        cachedInput: 0.25,
        tiers: [{ aboveInputTokens: 272_000, input: 5, output: 22.5, cachedInput: 0.5 }],
      },
      priority: { input: 12.5, output: 75, cachedInput: 1.25 },
      fast: 'priority',
    },
  });
  const counts = { promptTokens: 100_000, completionTokens: 2_000 };

  test.each([
    [undefined, 0.56],
    ['default', 0.56],
    ['auto', 0.56],
    ['flex', 0.28],
    ['priority', 1.4],
    ['fast', 1.4],
  ])('100,000 tokens in and 2,000 out in the tier %s', (tier, dollars) => {
    expect(costs(counts, price, tier === undefined ? {} : { tier })).toBe(dollars * dollar);
  });

  test('a long prompt has the prices for long prompts of its tier', () => {
    const long = { promptTokens: 272_001, cachedTokens: 272_000, completionTokens: 10 };
    expect(costs(long, price, { tier: 'flex' })).toBe(5_000 + 272_000 * 500 + 10 * 22_500);
    expect(costs({ ...long, promptTokens: 272_000 }, price, { tier: 'flex' })).toBe(272_000 * 250 + 150_000);
  });

  test('a tier without prices for long prompts has none for them', () => {
    expect(costs({ promptTokens: 272_000 }, price, { tier: 'priority' })).toBe(272_000 * 12_500);
    expect(costs({ promptTokens: 272_001 }, price, { tier: 'priority' })).toBeNull();
  });

  test.each(['scale', 'ultrafast', 'constructor', '__proto__'])(
    'the tier %s has no price: never the default',
    (tier) => {
      expect(costs(counts, price, { tier })).toBeNull();
      expect(costLines(usageOf(counts), price, { tier })).toBeNull();
    },
  );

  test('a model without tiers has no price for one', () => {
    expect(costs(counts, priceOf({ input: 5, output: 30 }), { tier: 'flex' })).toBeNull();
  });
});

describe('writes to a cache', () => {
  // claude-opus-5. Source: platform.claude.com/docs/en/about-claude/pricing: 1.25 times the input for five minutes, twice for an hour.
  const opus = { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 };
  const written = { promptTokens: 100_000, cacheWriteTokens: 99_000 };

  test('are kept for five minutes or for an hour', () => {
    const price = priceOf({ ...opus, cacheWriteHour: 10 });
    expect(costs(written, price)).toBe(1_000 * 5_000 + 99_000 * 6_250);
    expect(costs({ ...written, cacheWriteHourTokens: 99_000 }, price)).toBe(0.995 * dollar);
    expect(costs({ ...written, cacheWriteHourTokens: 9_000 }, price)).toBe(
      1_000 * 5_000 + 90_000 * 6_250 + 9_000 * 10_000,
    );
  });

  test('for an hour have no known price without one of their own', () => {
    expect(costs({ ...written, cacheWriteHourTokens: 1 }, priceOf(opus))).toBeNull();
    expect(costs(written, priceOf(opus))).toBe(5_000_000 + 618_750_000);
  });
});

describe('cached content', () => {
  // gemini-3.1-pro. Source: ai.google.dev/gemini-api/docs/pricing: 2.00, cached 0.20, storage 4.50 per million tokens and hour;
  // creation costs as input (docs.cloud.google.com, context caching overview); the lifetime that was set counts, by the second.
  const gemini = { input: 2, output: 12, cachedInput: 0.2 };
  const price = priceOf({ ...gemini, cacheStorage: 4.5 });
  const created = usageOf({
    promptTokens: 150_000,
    cacheWriteTokens: 150_000,
    cacheStorage: { tokens: 150_000, seconds: 3_600 },
  });

  test('is paid for when it is made, and for the time that it is kept', () => {
    expect(costOf(created, price)).toBe(0.3 * dollar + 0.675 * dollar);
    const answered = usageOf({ promptTokens: 150_010, cachedTokens: 150_000, completionTokens: 5 });
    expect(costOf(addUsage(created, answered), price)).toBe(
      0.975 * dollar + 150_000 * 200 + 10 * 2_000 + 5 * 12_000,
    );
  });

  test('is kept for seconds, and half a nano-dollar counts as a whole one', () => {
    const kept = (tokens: number, seconds: number) => costs({ cacheStorage: { tokens, seconds } }, price);
    expect(kept(1, 3_600)).toBe(4_500);
    expect(kept(1, 1)).toBe(1);
    expect(kept(2, 1)).toBe(3);
    expect(kept(4, 1)).toBe(5);
    expect(kept(1_000_000, 31_536_000)).toBe(39_420 * dollar);
  });

  test('has no known cost without a price of storage', () => {
    expect(costOf(created, priceOf(gemini))).toBeNull();
  });
});

describe('times of the day', () => {
  // deepseek-flash. Source: api-docs.deepseek.com/quick_start/pricing: peak hours are 01:00-04:00 and 06:00-10:00 UTC, Monday to Friday.
  const price = priceOf({
    input: 0.15,
    output: 0.6,
    cachedInput: 0.003,
    hours: [
      {
        utc: ['01:00-04:00', '06:00-10:00'],
        weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
        exceptDates: ['2026-11-25'],
        input: 0.3,
        output: 1.2,
        cachedInput: 0.006,
      },
    ],
  });
  const offPeak = 500 * 150 + 500 * 3 + 100 * 600;

  test.each([
    ['Monday', '2026-11-23T00:59:59.999Z', 1],
    ['Monday', '2026-11-23T01:00:00.000Z', 2],
    ['Monday', '2026-11-23T03:59:59.999Z', 2],
    ['Monday', '2026-11-23T04:00:00.000Z', 1],
    ['Monday', '2026-11-23T06:00:00.000Z', 2],
    ['a public holiday', '2026-11-25T02:00:00.000Z', 1],
    ['the day after it', '2026-11-26T02:00:00.000Z', 2],
    ['Friday', '2026-11-27T09:59:59.999Z', 2],
    ['Friday', '2026-11-27T10:00:00.000Z', 1],
    ['Saturday', '2026-11-28T02:00:00.000Z', 1],
    ['Sunday', '2026-11-29T07:00:00.000Z', 1],
  ])('on %s at %s', (_, time, times) => {
    const counts = { promptTokens: 1_000, cachedTokens: 500, completionTokens: 100 };
    expect(costs(counts, price, { at: Date.parse(time) })).toBe(times * offPeak);
  });
});

describe('what is no token', () => {
  const text = { input: 1, output: 2 };

  test('a request may have a price', () => {
    // sonar-pro with little search context: 6 dollars for a thousand requests. Source: docs.perplexity.ai pricing.
    const price = priceOf({ input: 3, output: 15, request: 6 });
    expect(costs({ promptTokens: 20, completionTokens: 200 }, price)).toBe(60_000 + 3_000_000 + 6_000_000);
    expect(costOf(addUsage(usageOf({}), usageOf({})), price)).toBe(12_000_000);
  });

  test('searches have a price each, or one for each request that searches', () => {
    expect(costs({ webSearches: 3 }, priceOf({ ...text, webSearch: 10 }))).toBe(0.03 * dollar);
    expect(costs({ webSearches: 3 }, priceOf({ ...text, webSearchRequest: 35 }))).toBe(0.035 * dollar);
    expect(costs({ webSearches: 3 }, priceOf(text))).toBeNull();
  });

  test('a tool of the provider has its own price, or the cost is unknown', () => {
    // A container of a gigabyte costs 0.03 dollars, a thousand file searches 2.50. Source: developers.openai.com/api/docs/pricing.
    const price = priceOf({ ...text, hostedTools: { code_interpreter: 30, file_search: 2.5 } });
    expect(costs({ hostedCalls: { code_interpreter: 1, file_search: 3 } }, price)).toBe(
      30_000_000 + 7_500_000,
    );
    expect(costs({ hostedCalls: { code_interpreter: 1, image_generation: 1 } }, price)).toBeNull();
    expect(costs({ hostedCalls: { constructor: 1 } }, price)).toBeNull();
    expect(costs({ hostedCalls: { file_search: 1 } }, priceOf(text))).toBeNull();
  });

  test('an image may have a price beside its tokens, and must have one without', () => {
    // grok-imagine-image: 0.02 dollars an image. Source: docs.x.ai models.
    expect(costs({ images: 3 }, priceOf({ input: 0, output: 0, image: 0.02 }))).toBe(0.06 * dollar);
    expect(costs({ images: 3 }, priceOf(text))).toBeNull();
    const drawn = { images: 1, completionTokens: 1_120, outputImageTokens: 1_120 };
    expect(costs(drawn, priceOf({ ...text, imageOutput: 120 }))).toBe(1_120 * 120_000);
  });

  test('so may an image that is sent to be edited', () => {
    // grok-imagine-image: 0.002 dollars for each of two, beside the one that is made of them. Source: github.com/agentjido/llmdb/pull/106.
    const edited = { images: 1, inputImages: 2 };
    const price = { input: 0, output: 0, image: 0.02 };
    expect(costs(edited, priceOf({ ...price, imageInputEach: 0.002 }))).toBe(24_000_000);
    expect(costs(edited, priceOf(price))).toBeNull();
    // Its tokens are its price elsewhere.
    expect(costs({ inputImages: 1, promptTokens: 10, inputImageTokens: 10 }, priceOf(text))).toBe(
      costs({ promptTokens: 10, inputImageTokens: 10 }, priceOf(text)),
    );
  });
});

describe('reranking', () => {
  test('costs search units, or tokens', () => {
    // rerank-v4.0-pro: 2.50 dollars for a thousand units; 250 documents are three. Source: litellm 1.109.1.
    expect(costs({ searchUnits: 3 }, priceOf({ input: 0, output: 0, searchUnit: 2.5 }))).toBe(7_500_000);
    // rerank-v5.0-fast: 0.02 dollars for a million tokens.
    expect(costs({ promptTokens: 12_345 }, priceOf({ input: 0.02, output: 0 }))).toBe(246_900);
  });

  test('has no known cost where units are charged, and have no price', () => {
    expect(costs({ searchUnits: 1, promptTokens: 10 }, priceOf({ input: 1, output: 0 }))).toBeNull();
  });
});

describe('speech', () => {
  test('costs characters, or tokens', () => {
    // tts-1: 15 dollars for a million characters. Source: litellm 1.109.1.
    expect(costs({ characters: 4_096 }, priceOf({ input: 0, output: 0, characters: 15 }))).toBe(61_440_000);
    // gpt-4o-mini-tts: 0.60 for a million tokens of text, 12 of audio.
    expect(costs({ promptTokens: 100, completionTokens: 1_000 }, priceOf({ input: 0.6, output: 12 }))).toBe(
      12_060_000,
    );
  });

  test('has no known cost where characters are charged, and have no price', () => {
    expect(costs({ characters: 1 }, priceOf({ input: 1, output: 1 }))).toBeNull();
  });
});

describe('transcription', () => {
  // whisper-large-v3-turbo at Groq: 0.04 dollars an hour, at least 10 s a call. Sources: console.groq.com/docs/speech-text; litellm#16570.
  const groq = priceOf({ input: 0, output: 0, audioHour: 0.04, minAudioMs: 10_000 });

  test('costs the time of the audio, at least that of a short call', () => {
    expect(costs({ audioMs: 3_600_000 }, groq)).toBe(40_000_000);
    expect(costs({ audioMs: 61_234 }, groq)).toBe(680_378);
    expect(costs({ audioMs: 3_000 }, groq)).toBe(111_111);
  });

  test('has no known cost where time is charged, and has no price', () => {
    expect(costs({ audioMs: 1 }, priceOf({ input: 1, output: 1 }))).toBeNull();
  });
});

describe('sound and images in a cache', () => {
  // gemini-2.5-flash has its own prices of audio, cached too. Source: ai.google.dev/gemini-api/docs/pricing.
  const prices = { input: 0.3, output: 2.5, cachedInput: 0.03, audioInput: 1 };
  const heard = { promptTokens: 1_000, inputAudioTokens: 600, cachedTokens: 500 };

  test('have a price of their own', () => {
    const price = priceOf({ ...prices, cachedAudioInput: 0.1 });
    expect(costs({ ...heard, cachedAudioTokens: 400 }, price)).toBe(
      300 * 300 + 100 * 30 + 200 * 1_000 + 400 * 100,
    );
    expect(costs({ ...heard, cachedTokens: 0 }, price)).toBe(400 * 300 + 600 * 1_000);
  });

  test('have no known cost without a price, or without a count', () => {
    expect(costs({ ...heard, cachedAudioTokens: 400 }, priceOf(prices))).toBeNull();
    const plainCached = { ...heard, promptTokens: 1_200, cachedAudioTokens: 0 };
    expect(costs(plainCached, priceOf(prices))).toBe(100 * 300 + 500 * 30 + 600 * 1_000);
    expect(costs(heard, priceOf({ ...prices, cachedAudioInput: 0.1 }))).toBeNull();
  });

  test('images that cost as much as text are text', () => {
    const seen = { promptTokens: 100, inputImageTokens: 100, cachedTokens: 100 };
    expect(costs(seen, priceOf(prices))).toBe(3_000);
    const image = priceOf({ ...prices, imageInput: 8, cachedImageInput: 2 });
    expect(costs({ ...seen, cachedImageTokens: 100 }, image)).toBe(200_000);
    expect(costs(seen, image)).toBeNull();
  });
});

describe('regions', () => {
  // OpenAI and Anthropic add ten percent for processing in one region. Source: their pricing pages.
  const price = priceOf({ input: 5, output: 30, webSearch: 10, upliftPercent: 10 });

  test('add a part to the price of all tokens, and to nothing else', () => {
    expect(costs({ promptTokens: 1_000, completionTokens: 10, webSearches: 1 }, price)).toBe(
      5_300_000 + 530_000 + 10_000_000,
    );
  });

  test('half a nano-dollar counts as a whole one', () => {
    const small = priceOf({ input: 0.005, output: 1, upliftPercent: 10 });
    expect(costs({ promptTokens: 1 }, small)).toBe(6);
    const smaller = priceOf({ input: 0.001, output: 1, upliftPercent: 12.25 });
    expect([1, 4, 5].map((promptTokens) => costs({ promptTokens }, smaller))).toEqual([1, 4, 6]);
  });
});

describe('a price with parts of a nano-dollar', () => {
  // gpt-oss-20b at Groq: cached input 0.0375 dollars for a million tokens. Source: groq.com/pricing.
  const price = priceOf({ input: 0.075, output: 0.3, cachedInput: 0.0375 });

  test('is exact, and each line is rounded once', () => {
    const cached = (cachedTokens: number) => costs({ promptTokens: cachedTokens, cachedTokens }, price);
    expect([1, 2, 3, 1_000_000].map(cached)).toEqual([38, 75, 113, 37_500_000]);
  });
});

describe('a cost that the provider states', () => {
  const counts = { promptTokens: 1_000, completionTokens: 100, statedCost: 9_060_000 };
  const text = { input: 3, output: 15 };

  test('is billed where it is believed', () => {
    expect(costs(counts, priceOf({ ...text, statedCost: 'believe' }))).toBe(9_060_000);
    expect(
      costs({ ...counts, hostedCalls: { unknown: 1 } }, priceOf({ ...text, statedCost: 'believe' })),
    ).toBe(9_060_000);
    const { statedCost: _, ...silent } = counts;
    expect(costs(silent, priceOf({ ...text, statedCost: 'believe' }))).toBe(4_500_000);
  });

  test('is only compared otherwise', () => {
    expect(costs(counts, priceOf(text))).toBe(4_500_000);
    expect(costs(counts, priceOf({ ...text, statedCost: 'compare' }))).toBe(4_500_000);
  });

  const served = { provider: 'acme', model: 'acme/one', region: 'global', at: 0, inputTokens: 0 };
  const attempt = (statedCost: number, price: object) => ({
    ...served,
    usage: usageOf({ ...counts, statedCost }),
    price: { from: 0, price: priceOf({ ...text, ...price }) },
  });
  const found = { provider: 'acme', model: 'acme/one', stated: 9_060_000, computed: 4_500_000 };

  test.each(['compare', 'believe'])('is reported if it differs by more than rounding: %s', (rule) => {
    expect(statedDifference(attempt(9_060_000, { statedCost: rule }))).toEqual([found]);
    expect(statedDifference(attempt(4_544_000, { statedCost: rule }))).toEqual([]);
    expect(statedDifference(attempt(4_546_000, { statedCost: rule }))).toHaveLength(1);
  });

  test('is not looked at without a rule, and reported where the computed one is unknown', () => {
    expect(statedDifference(attempt(9_060_000, {}))).toEqual([]);
    const priority = { ...attempt(4_500_000, { statedCost: 'compare' }), tier: 'priority' };
    expect(statedDifference(priority)).toMatchObject([{ computed: null }]);
  });
});

test('use that is free up to an allowance is billed in full', () => {
  const price = priceOf({ input: 0.3, output: 2.5, webSearch: 14, freeAllowance: true });
  expect(costs({ webSearches: 1 }, price)).toBe(14_000_000);
});

test('the lines of a cost show how it comes about', () => {
  const price = priceOf({
    input: 5,
    output: 30,
    cachedInput: 0.5,
    webSearch: 10,
    upliftPercent: 10,
    cacheStorage: 4.5,
  });
  const usage = usageOf({
    promptTokens: 1_000,
    cachedTokens: 400,
    completionTokens: 10,
    webSearches: 2,
    cacheStorage: { tokens: 100, seconds: 60 },
  });
  expect(costLines(usage, price)).toEqual([
    { what: 'input', quantity: 600, unitPrice: 5_000, amount: 3_000_000 },
    { what: 'cachedInput', quantity: 400, unitPrice: 500, amount: 200_000 },
    { what: 'output', quantity: 10, unitPrice: 30_000, amount: 300_000 },
    { what: 'uplift', quantity: 3_500_000, unitPrice: 10, per: 100, amount: 350_000 },
    { what: 'webSearch', quantity: 2, unitPrice: 10_000_000, amount: 20_000_000 },
    { what: 'cacheStorage', quantity: 6_000, unitPrice: 4_500, per: 3_600, amount: 7_500 },
  ]);
});

test.each<[string, Partial<Usage>]>([
  ['a part of a token', { promptTokens: 1.5 }],
  ['a negative count', { completionTokens: -1 }],
  ['no number', { webSearches: Number.NaN }],
  ['a sum that a number cannot hold', { promptTokens: 2 ** 52 }],
  ['more that was written for long than at all', { promptTokens: 9, cacheWriteHourTokens: 9 }],
])('%s has no known cost', (_, counts) => {
  const price = priceOf({ input: 5, output: 30, cacheWrite: 1, cacheWriteHour: 2, webSearch: 10 });
  expect(costs(counts, price)).toBeNull();
});
