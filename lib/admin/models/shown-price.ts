/** A price as the admin API shows it: what a tenant is charged, or what the provider takes. Exact, as text. */
import { priceAt } from '../../core/accounting/price.ts';
import { type Pricing, tariffOf } from '../../core/accounting/pricing.ts';
import type { DatedPrice, Price } from '../../core/catalog/price.ts';
import { amountsOf, type PriceAmount, perMillionExponent } from './price-amounts.ts';
import type { PriceAnswer } from './schema.ts';

/** Whose prices are shown, and when. */
export interface Buyer {
  /** Of the tenant; absent: its charge is the cost, or the provider's prices are asked for. */
  readonly pricing: Pricing | undefined;
  /** In Unix seconds. */
  readonly at: number;
}

/** Null where no price is known. */
export function shownPrice(
  prices: readonly DatedPrice[],
  model: string,
  { pricing, at }: Buyer,
): PriceAnswer | null {
  const tariff = tariffOf(pricing, model, at);
  if ('price' in tariff) return write(tariff.price, 0);
  const price = priceAt(prices, at)?.price;
  return price ? write(price, tariff.markup) : null;
}

/** Whether the tenant has a price for the model that does not depend on where it is served. */
export const hasFixedPrice = (model: string, { pricing, at }: Buyer): boolean =>
  'price' in tariffOf(pricing, model, at);

/** `markup` in hundredths of a percent. */
function write(price: Price, markup: number): PriceAnswer {
  const perMillion = (nanoDollars: number) =>
    dollarText({ nanoDollars, exponent: perMillionExponent }, markup);
  const orNull = (nanoDollars: number | null) => (nanoDollars === null ? null : perMillion(nanoDollars));
  return {
    input: perMillion(price.input),
    output: perMillion(price.output),
    cached_input: orNull(price.cachedInput),
    cache_write: orNull(price.cacheWrite),
    lines: amountsOf(price).map(({ what, per, appliesTo, amount }) => ({
      what,
      usd: typeof amount === 'string' ? amount : dollarText(amount, markup),
      per,
      applies_to: appliesTo,
    })),
  };
}

/** Prices are whole thousandths of a nano-dollar, and a markup is whole hundredths of a percent. */
const priceDecimals = 3;
const markupDecimals = 4;

/** With as many decimals as it has, at least two. */
function dollarText(
  { nanoDollars, exponent }: Exclude<PriceAmount['amount'], string>,
  markup: number,
): string {
  const parts = BigInt(Math.round(nanoDollars * 10 ** priceDecimals));
  const digits = String(parts * BigInt(10 ** markupDecimals + markup));
  const decimals = priceDecimals + markupDecimals + exponent;
  const whole = digits.padStart(decimals + 1, '0');
  const fraction = whole
    .slice(-decimals)
    .replace(/(?<!0)0+$/, '')
    .padEnd(2, '0');
  return `${whole.slice(0, -decimals)}.${fraction}`;
}
