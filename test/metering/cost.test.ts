/** A table of costs: token counts, prices, and the cost in nano-dollars calculated by hand. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceAt } from '../../lib/core/accounting/price.ts';
import type { Price } from '../../lib/core/catalog/price.ts';
import { addUsage, type Usage } from '../../lib/core/generation/usage.ts';
import { costOf } from '../../lib/metering/cost/cost.ts';
import { linesOf } from '../../lib/metering/cost/cost-lines.ts';
import { usageOf } from './usages.ts';

const plain: Price = { input: 1_250, output: 10_000, cachedInput: 125, cacheWrite: null };
const claude: Price = { input: 3_000, output: 15_000, cachedInput: 300, cacheWrite: 3_750 };
const tiered: Price = {
  ...plain,
  tiers: [
    { aboveInputTokens: 500_000, input: 4_000, output: 40_000, cachedInput: 400, cacheWrite: null },
    { aboveInputTokens: 200_000, input: 2_500, output: 15_000, cachedInput: 250, cacheWrite: null },
  ],
};
const imagePrice: Price = { ...plain, input: 5_000, output: 10_000, imageInput: 8_000, imageOutput: 30_000 };

test.each<[string, Partial<Usage>, Price | undefined, number | null]>([
  ['nothing', {}, plain, 0],
  ['input and output', { promptTokens: 1_000, completionTokens: 200 }, plain, 3_250_000],
  ['one token', { promptTokens: 1 }, plain, 1_250],
  ['reasoning is output', { completionTokens: 200, reasoningTokens: 150 }, plain, 2_000_000],
  [
    'reasoning with its own price',
    { completionTokens: 200, reasoningTokens: 150 },
    { ...plain, reasoning: 3_000 },
    950_000,
  ],
  ['a cached part', { promptTokens: 1_000, cachedTokens: 800 }, plain, 350_000],
  [
    'tokens read from the cache and written to it',
    { promptTokens: 1_000, cachedTokens: 600, cacheWriteTokens: 300, completionTokens: 10 },
    claude,
    1_755_000,
  ],
  ['a cache write without its own price', { promptTokens: 100, cacheWriteTokens: 100 }, plain, 125_000],
  [
    'cached tokens without their own price',
    { promptTokens: 100, cachedTokens: 100 },
    { ...plain, cachedInput: null },
    125_000,
  ],
  ['above the second tier', { promptTokens: 500_001, cachedTokens: 1 }, tiered, 2_000_000_400],
  [
    'image tokens of input and output',
    { promptTokens: 60, inputImageTokens: 50, completionTokens: 1_100, outputImageTokens: 1_056 },
    imagePrice,
    50_000 + 400_000 + 440_000 + 31_680_000,
  ],
  ['sound without a known price', { promptTokens: 100, inputAudioTokens: 40 }, plain, null],
  [
    'sound at the price of text, partly cached',
    { promptTokens: 100, inputAudioTokens: 100, cachedTokens: 40 },
    { ...plain, audioInput: 1_250 },
    75_000 + 5_000,
  ],
  ['no price', { promptTokens: 10 }, undefined, null],
])('%s', (_, usage, price, nanoDollars) => {
  expect(costOf(usageOf(usage), price)).toBe(nanoDollars);
});

test('the applicable price is the last one that has started', () => {
  const prices = [0, 100, 200].map((from) => ({ from, price: { ...plain, input: from } }));
  expect([99, 100, 199, 200, 9_999].map((at) => priceAt(prices, at)?.from)).toEqual([0, 100, 100, 200, 200]);
  expect(priceAt([], 5)).toBeUndefined();
});

test('each call of an answer has its own tier', () => {
  const long = usageOf({ promptTokens: 400_000 });
  const apart = costOf(long, tiered) ?? 0;
  const sum = addUsage(long, long);
  expect([sum.promptTokens, costOf(sum, tiered)]).toEqual([800_000, 2 * apart]);
  expect(costOf(usageOf({ promptTokens: 800_000 }), tiered)).not.toBe(2 * apart);
});

test('amounts are exact, whatever their size', () => {
  const price = fc.oneof(
    fc.nat(100_000),
    fc.maxSafeNat().map((thousandths) => thousandths / 1_000_000),
  );
  const per = fc.constantFrom(1, 100, 3_600);
  fc.assert(
    fc.property(fc.oneof(fc.nat(1_000_000), fc.maxSafeNat()), price, per, (quantity, unitPrice, divisor) => {
      const thousandths = BigInt(Math.round(unitPrice * 1_000));
      const whole = BigInt(1_000 * divisor);
      const exact = (2n * BigInt(quantity) * thousandths + whole) / (2n * whole);
      const lines = linesOf([['input', quantity, unitPrice, divisor]]);
      const isExact = exact <= BigInt(Number.MAX_SAFE_INTEGER);
      expect(lines?.reduce((sum, { amount }) => sum + amount, 0)).toBe(isExact ? Number(exact) : undefined);
    }),
    { numRuns: 2_000 },
  );
});
