/** The prices of batch APIs: those of the service tier `batch`. */
import { priceOf } from '../../core/accounting/price.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { DatedPrice, Price, TieredPrices } from '../../core/catalog/price.ts';
import { ofTier } from './price-choice.ts';

/** The service tier of everything that a batch API answers. */
export const batchTier = 'batch';

/** The price with that of batches as its default; undefined where a batch has no known price. What is paid for each call costs the same. */
export function batchPriceOf(price: Price): Price | undefined {
  const batch = ofTier(price, batchTier);
  if (!batch) return undefined;
  const { serviceTiers: _, hours: __, tiers: ___, ...kept } = withoutTokens(price);
  return { ...kept, ...batch, serviceTiers: { [batchTier]: batch } };
}

/** The same for each of a list. Those without a price of batches are left out. */
export const batchPrices = (prices: readonly DatedPrice[]): readonly DatedPrice[] =>
  prices.flatMap(({ from, price }) => {
    const batch = batchPriceOf(price);
    return batch ? [{ from, price: batch }] : [];
  });

/**
 * What a batch costs at a target in relation to the list price, for as many tokens of input as of output: 0.5 for half of it. Null where it
 * is not known. `seconds`: the time, in Unix seconds.
 */
export function priceFactorOf(target: Target, seconds: number): number | null {
  const price = priceOf(target, seconds)?.price;
  const batch = price && ofTier(price, batchTier);
  const listed = price ? sumOf(price) : 0;
  return batch && listed > 0 ? Math.round((sumOf(batch) / listed) * 10_000) / 10_000 : null;
}

const sumOf = ({ input, output }: TieredPrices): number => input + output;

/** The prices of tokens have no place beside those of batches. */
function withoutTokens({
  cacheWriteHour: _,
  reasoning: __,
  imageInput: ___,
  cachedImageInput: ____,
  audioInput: _____,
  cachedAudioInput: ______,
  imageOutput: _______,
  ...price
}: Price): Price {
  return price;
}
