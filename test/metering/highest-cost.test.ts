/** The maximum cost of a request: which prices may apply, and that no answer within the bounds ever costs more. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  HourPrices,
  Price,
  ServicePrices,
  TieredPrices,
  TokenPrices,
} from '../../lib/core/catalog/price.ts';
import type { Usage } from '../../lib/core/generation/usage.ts';
import { batchPriceOf } from '../../lib/metering/cost/batch-price.ts';
import { costOf } from '../../lib/metering/cost/cost.ts';
import { highestCost, type MaxTokens } from '../../lib/metering/limits/highest-cost.ts';
import { usageOf } from './usages.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const most = { input: 10, output: 5 };
const plain: Price = { input: 1_250, output: 10_000, cachedInput: 125, cacheWrite: null };
const text = { fixed: 10 * 1_250, perOutputToken: 10_000 };
const highest = (max: MaxTokens, price: Price | undefined, at = now) => highestCost(max, price, at);

describe('the most expensive price counts', () => {
  test('of the classes of tokens', () => {
    expect(highest(most, plain)).toEqual(text);
    expect(highest(most, { ...plain, cacheWrite: 3_750 })).toEqual({ ...text, fixed: 37_500 });
    expect(highest(most, { ...plain, reasoning: 12_000 })).toEqual({ ...text, perOutputToken: 12_000 });
    expect(highest(most, { ...plain, imageOutput: 30_000 })).toEqual({ ...text, perOutputToken: 30_000 });
  });

  test('of the lengths that the input may reach', () => {
    const tiers = [
      { aboveInputTokens: 500_000, input: 4_000, output: 40_000, cachedInput: 400, cacheWrite: null },
      { aboveInputTokens: 200_000, input: 2_500, output: 15_000, cachedInput: 250, cacheWrite: null },
    ];
    const ofLength = (input: number) => highest({ ...most, input }, { ...plain, tiers });
    expect(ofLength(200_000)).toEqual({ fixed: 200_000 * 1_250, perOutputToken: 10_000 });
    expect(ofLength(200_001)).toEqual({ fixed: 200_001 * 2_500, perOutputToken: 15_000 });
    expect(ofLength(600_000)).toEqual({ fixed: 600_000 * 4_000, perOutputToken: 40_000 });
  });

  test('of audio, if some of the input may be audio', () => {
    const hearing = { ...plain, audioInput: 3_000, cachedAudioInput: 3_500 };
    expect(highest(most, hearing)).toEqual(text);
    expect(highest({ ...most, audio: true }, hearing)).toEqual({ ...text, fixed: 35_000 });
    expect(highest({ ...most, audio: true }, plain)).toBeNull();
  });

  test('of writes for longer, if the request asks for them', () => {
    const price = { ...plain, cacheWrite: 1_500, cacheWriteHour: 2_500 };
    expect(highest(most, price)).toEqual({ ...text, fixed: 15_000 });
    expect(highest({ ...most, keptLonger: true }, price)).toEqual({ ...text, fixed: 25_000 });
    expect(highest({ ...most, keptLonger: true }, { ...plain, cacheWrite: 1_500 })).toBeNull();
    // Where writes cost nothing of their own, there are none for longer.
    expect(highest({ ...most, keptLonger: true }, plain)).toEqual(text);
  });
});

describe('service tiers', () => {
  test('a line of a batch costs what batches cost, whichever way its price is found', () => {
    const batch = { ...plain, input: 625, output: 5_000, cachedInput: 63 };
    const price = { ...plain, audioInput: 9_000, webSearch: 10_000_000, serviceTiers: { batch } };
    const bound = { fixed: 10 * 625, perOutputToken: 5_000 };
    expect(highest({ ...most, tier: 'batch' }, price)).toEqual(bound);
    const priced = batchPriceOf(price);
    expect(highest(most, priced)).toEqual(bound);
    // The default price of audio is none of batches; a search costs what it costs.
    expect(highest({ ...most, audio: true }, priced)).toBeNull();
    expect(highest({ ...most, searches: 2 }, priced)).toEqual({ ...bound, fixed: bound.fixed + 20_000_000 });
    expect(batchPriceOf(plain)).toBeUndefined();
    const used = usageOf({ promptTokens: 10, cachedTokens: 4, completionTokens: 5 });
    const cost = costOf(used, price, { tier: 'batch' });
    expect(cost).toBe(6 * 625 + 4 * 63 + 5 * 5_000);
    expect(costOf(used, priced, { tier: 'batch' })).toBe(cost);
    expect(costOf(used, priced, {})).toBe(cost);
  });

  const flex = { ...plain, input: 625, output: 5_000 };
  const priority = { ...plain, input: 2_500, output: 20_000 };
  const scale = { ...plain, input: 9_000, output: 90_000 };
  const price = { ...plain, serviceTiers: { flex, priority, scale } };
  const ofPriority = { fixed: 25_000, perOutputToken: 20_000 };

  test.each([
    ['auto', ofPriority],
    [undefined, text],
    ['default', text],
    ['priority', ofPriority],
    ['flex', text],
    ['scale', { fixed: 90_000, perOutputToken: 90_000 }],
    ['fast', null],
  ])('the tier %s may be served by the default, and by what the provider may choose', (tier, expected) => {
    expect(highest({ ...most, ...(tier !== undefined && { tier }) }, price)).toEqual(expected);
  });

  test('a cheaper tier without a price costs at most the default', () => {
    expect(highest({ ...most, tier: 'flex' }, plain)).toEqual(text);
    expect(highest({ ...most, tier: 'priority' }, plain)).toBeNull();
  });
});

test('the prices of an hour count if the answer may end in it', () => {
  const peak = { ...plain, input: 2_500, output: 20_000, ranges: [{ from: 13 * 60, to: 14 * 60 }] };
  const price = { ...plain, hours: [{ ...peak, weekdays: [1] }] };
  const at = (time: string) => highest(most, price, Date.parse(time))?.perOutputToken;
  expect(at('2026-11-23T12:43:59Z')).toBe(10_000);
  expect(at('2026-11-23T12:44:00Z')).toBe(20_000);
  expect(at('2026-11-23T13:59:59Z')).toBe(20_000);
  expect(at('2026-11-23T14:00:00Z')).toBe(10_000);
  expect(at('2026-11-24T13:30:00Z')).toBe(10_000);
});

describe('what is no token', () => {
  test('is part of what is spent without output', () => {
    const price = {
      ...plain,
      request: 6_000,
      webSearch: 10,
      webSearchRequest: 7,
      hostedTools: { file_search: 100 },
      image: 20_000,
      imageInputEach: 3_000,
      cacheStorage: 4_500,
    };
    const max = {
      ...most,
      calls: 2,
      searches: 3,
      hostedCalls: { file_search: 4 },
      images: 2,
      inputImages: 3,
      cacheStorage: { tokens: 10, seconds: 3_600 },
    };
    expect(highest(max, price)?.fixed).toBe(
      12_500 + 12_000 + 30 + 14 + 400 + 40_000 + 9_000 + 45_000 + 12_500,
    );
  });

  test.each<[string, Partial<MaxTokens>]>([
    ['searches', { searches: 2 }],
    ['a tool of the provider', { hostedCalls: { file_search: 1 } }],
    ['something without a bound', { endless: true }],
  ])('%s without a price: the maximum is unknown', (_, more) => {
    expect(highest({ ...most, ...more }, plain)).toBeNull();
  });

  test('no price at all: the maximum is unknown', () => {
    expect(highest(most, undefined)).toBeNull();
  });
});

test('what a region adds, and parts of a nano-dollar, are rounded up', () => {
  const price = { ...plain, input: 37.5, cachedInput: 37.5, output: 100, upliftPercent: 10 };
  expect(highest(most, price)).toEqual({ fixed: 10 * 42, perOutputToken: 110 });
});

/** Thousandths of a nano-dollar. */
const amount = fc.integer({ min: 0, max: 200_000_000 }).map((thousandths) => thousandths / 1000);
const maybe = fc.option(amount, { nil: undefined, freq: 8 });
const tokenPrices = fc
  .record({
    input: amount,
    output: amount,
    cachedInput: fc.option(amount),
    cacheWrite: fc.option(amount),
    cacheWriteHour: maybe,
    reasoning: maybe,
    imageInput: maybe,
    cachedImageInput: maybe,
    audioInput: maybe,
    cachedAudioInput: maybe,
    imageOutput: maybe,
  })
  .map((all) => withoutUndefined(all) as TokenPrices);

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

const tiered: fc.Arbitrary<TieredPrices> = fc
  .tuple(tokenPrices, fc.array(fc.tuple(tokenPrices, fc.integer({ min: 1, max: 2_000 })), { maxLength: 3 }))
  .map(([prices, tiers]) => ({
    ...prices,
    tiers: tiers.map(([tier, aboveInputTokens]) => ({ ...tier, aboveInputTokens })),
  }));

/** As with the providers: flex costs no more than the default tier. */
const service: fc.Arbitrary<ServicePrices> = fc
  .tuple(tiered, fc.dictionary(fc.constantFrom('priority', 'fast', 'scale'), tiered))
  .map(([prices, serviceTiers]) => ({ ...prices, serviceTiers: { ...serviceTiers, flex: prices } }));

const hours: fc.Arbitrary<HourPrices> = fc
  .tuple(service, fc.integer({ min: 0, max: 1_438 }), fc.integer({ min: 1, max: 200 }), fc.boolean())
  .map(([prices, from, length, onMondays]) => ({
    ...prices,
    ranges: [{ from, to: Math.min(1_440, from + length) }],
    ...(onMondays && { weekdays: [1] }),
  }));

const upTo = (max: number) => fc.integer({ min: 0, max });
const whole = fc.integer({ min: 0, max: 100_000_000 });
const prices: fc.Arbitrary<Price> = fc
  .record({
    prices: service,
    hours: fc.array(hours, { maxLength: 2 }),
    others: fc
      .record({
        request: fc.option(whole, { nil: undefined, freq: 8 }),
        webSearch: fc.option(whole, { nil: undefined, freq: 8 }),
        webSearchRequest: fc.option(whole, { nil: undefined, freq: 8 }),
        image: fc.option(whole, { nil: undefined, freq: 8 }),
        imageInputEach: fc.option(whole, { nil: undefined, freq: 8 }),
        searchUnit: fc.option(whole, { nil: undefined, freq: 8 }),
        characters: fc.option(whole, { nil: undefined, freq: 8 }),
        audioHour: fc.option(whole, { nil: undefined, freq: 8 }),
        minAudioMs: fc.option(upTo(20_000), { nil: undefined }),
        cacheStorage: maybe,
        upliftPercent: fc.option(
          fc.integer({ min: 1, max: 5_000 }).map((percent) => percent / 100),
          { nil: undefined },
        ),
        hostedTools: fc.record({ file_search: whole }),
      })
      .map(withoutUndefined),
  })
  .map(({ prices: some, others, hours: at }) => ({ ...some, ...others, hours: at }) as Price);

const few = fc.oneof(fc.constant(0), upTo(500));

/** One call: how many tokens it has of each class. */
const call: fc.Arbitrary<Usage> = fc
  .record({
    text: few,
    read: few,
    written: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, upTo(500)),
    long: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, upTo(500)),
    image: few,
    readImage: few,
    audio: few,
    readAudio: few,
    output: few,
    thought: few,
    drawn: few,
    webSearches: upTo(2),
    images: upTo(2),
    sent: upTo(2),
    searchUnits: upTo(2),
    characters: upTo(100),
    audioMs: upTo(30_000),
    files: upTo(2),
    stored: fc.option(fc.record({ tokens: upTo(1_000), seconds: upTo(4_000) }), { nil: undefined }),
  })
  .map((of): Usage => {
    const input =
      of.text + of.read + of.written + of.long + of.image + of.readImage + of.audio + of.readAudio;
    return {
      ...usageOf({ promptTokens: input, completionTokens: of.output + of.thought + of.drawn }),
      cachedTokens: of.read + of.readImage + of.readAudio,
      cacheWriteTokens: of.written + of.long,
      cacheWriteHourTokens: of.long,
      inputImageTokens: of.image + of.readImage,
      inputAudioTokens: of.audio + of.readAudio,
      cachedImageTokens: of.readImage,
      cachedAudioTokens: of.readAudio,
      reasoningTokens: of.thought,
      outputImageTokens: of.drawn,
      webSearches: of.webSearches,
      images: of.images,
      inputImages: of.sent,
      searchUnits: of.searchUnits,
      characters: of.characters,
      audioMs: of.audioMs,
      hostedCalls: of.files > 0 ? { file_search: of.files } : {},
      ...(of.stored && { cacheStorage: of.stored }),
    };
  });

/** The bounds that these calls reach exactly. */
function boundsOf(calls: readonly Usage[]): MaxTokens {
  const sum = (count: (usage: Usage) => number) => calls.reduce((all, one) => all + count(one), 0);
  return {
    input: sum(({ promptTokens }) => promptTokens),
    output: sum(({ completionTokens }) => completionTokens),
    calls: calls.length,
    searches: sum(({ webSearches = 0 }) => webSearches),
    hostedCalls: { file_search: sum(({ hostedCalls = {} }) => hostedCalls.file_search ?? 0) },
    images: sum(({ images = 0 }) => images),
    inputImages: sum(({ inputImages = 0 }) => inputImages),
    searchUnits: sum(({ searchUnits = 0 }) => searchUnits),
    characters: sum(({ characters = 0 }) => characters),
    audioMs: sum(({ audioMs = 0 }) => audioMs),
    cacheStorage: {
      tokens: sum(({ cacheStorage }) => cacheStorage?.tokens ?? 0),
      seconds: Math.max(...calls.map(({ cacheStorage }) => cacheStorage?.seconds ?? 0)),
    },
    audio: calls.some(({ inputAudioTokens = 0 }) => inputAudioTokens > 0),
    keptLonger: calls.some(({ cacheWriteHourTokens = 0 }) => cacheWriteHourTokens > 0),
  };
}

test('no usage within the bounds costs more, at any hour, in any tier that may serve the request', () => {
  const asked = fc.constantFrom(undefined, 'auto', 'default', 'flex', 'priority', 'fast', 'scale');
  const chosen = ['default', 'priority', 'fast'];
  let compared = 0;
  fc.assert(
    fc.property(
      prices,
      fc.array(call, { minLength: 1, maxLength: 2 }),
      asked,
      fc.integer({ min: now - 3 * 86_400_000, max: now + 3 * 86_400_000 }),
      upTo(15 * 60_000),
      upTo(2),
      (price, calls, tier, began, lasted, choice) => {
        const max = boundsOf(calls);
        const highestOf = highestCost({ ...max, ...(tier && { tier }) }, price, began);
        const may = tier === 'auto' ? chosen : ['default', tier ?? 'default', tier ?? 'auto'];
        const served = { at: began + lasted, tier: may[choice] ?? 'default' };
        const cost = costOf({ ...usageOf({}), calls }, price, served);
        if (!highestOf || cost === null) return;
        compared += 1;
        expect(cost).toBeLessThanOrEqual(highestOf.fixed + highestOf.perOutputToken * max.output);
      },
    ),
    { numRuns: 1_000, interruptAfterTimeLimit: 10_000, markInterruptAsFailure: false, seed: 20_260_101 },
  );
  expect(compared).toBeGreaterThan(100);
});
