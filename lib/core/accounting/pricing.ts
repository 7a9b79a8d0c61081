/** What a tenant is charged for what a provider costs: a markup, or fixed prices of some models. */
import type { Price } from '../catalog/price.ts';

/** The terms of a tenant from a time on, until the next ones begin. */
export interface PricingTerms {
  /** The Unix second from which they apply. */
  readonly from: number;
  /** Added to the cost, in hundredths of a percent: 2,000 is 20 %. Negative: a discount. */
  readonly markup: number;
  /** Fixed prices by the id of a model. They replace its cost and markup. */
  readonly models?: Readonly<Record<string, Price>>;
  /** What is charged for calls with the tenant's own credentials: a part of the list price, in hundredths of a percent. Absent: nothing. */
  readonly ownKeyFee?: number;
}

/** Oldest first. Before the first terms, and without any, the charge is the cost. */
export type Pricing = readonly PricingTerms[];

/** How one model is charged. */
export type Tariff = { readonly price: Price } | { readonly markup: number };

const atCost: Tariff = { markup: 0 };

/** The terms at a time, in Unix seconds. */
export function termsAt(pricing: Pricing | undefined, seconds: number): PricingTerms | undefined {
  return pricing?.findLast(({ from }) => from <= seconds);
}

/** As `PricingTerms.ownKeyFee`. */
export const ownKeyFeeAt = (pricing: Pricing | undefined, seconds: number): number =>
  termsAt(pricing, seconds)?.ownKeyFee ?? 0;

export function tariffOf(pricing: Pricing | undefined, model: string, seconds: number): Tariff {
  const terms = termsAt(pricing, seconds);
  if (!terms) return atCost;
  const price = terms.models?.[model];
  return price ? { price } : { markup: terms.markup };
}

/** 20 for 2,000. */
export const markupPercent = (markup: number): string => {
  const digits = String(Math.abs(markup)).padStart(3, '0');
  const fraction = digits.slice(-2).replace(/(?<!0)0+$/, '');
  return `${markup < 0 ? '-' : ''}${digits.slice(0, -2)}${fraction && `.${fraction}`}`;
};

/** The terms that were applied, for records, invoices and exports; absent: the charge is the cost. */
export function describeTerms(pricing: Pricing | undefined, seconds: number): string | undefined {
  const terms = termsAt(pricing, seconds);
  if (!terms) return undefined;
  const since = new Date(terms.from * 1000).toISOString().replace('.000Z', 'Z');
  return `${markupPercent(terms.markup)} % from ${since}`;
}
