/** A price as a list of amounts, each with what it is for and when it applies: for people, in commands and the admin API. */
import type { HourPrices, Price, TieredPrices } from '../../core/catalog/price.ts';
import { weekdays } from '../../stores/catalog/price-row.ts';

export interface PriceAmount {
  readonly what: string;
  /** What the amount is for: `million tokens`, `image`. */
  readonly per: string;
  /** When it applies: hours, a service tier, a length of the input; empty: usually. */
  readonly appliesTo: string;
  /** A number of nano-dollars, of which 10 to the power of `exponent` are a dollar; or a text: a percentage, how a cost is treated. */
  readonly amount: { readonly nanoDollars: number; readonly exponent: number } | string;
}

/** Every amount that is known. */
export function amountsOf(price: Price): readonly PriceAmount[] {
  return [
    ...serviceAmounts(price, ''),
    ...(price.hours ?? []).flatMap((hours) => serviceAmounts(hours, timesOf(hours))),
    ...otherAmounts(price),
  ];
}

function serviceAmounts(prices: Price | HourPrices, when: string): readonly PriceAmount[] {
  const { serviceTiers = {} } = prices;
  return [
    ...tieredAmounts(prices, when),
    ...Object.entries(serviceTiers).flatMap(([name, tier]) =>
      tieredAmounts(tier, joined(when, `tier ${name}`)),
    ),
  ];
}

function tieredAmounts(prices: TieredPrices, when: string): readonly PriceAmount[] {
  const { tiers = [] } = prices;
  return [
    ...tokenAmounts(prices, when),
    ...tiers.flatMap(({ aboveInputTokens, ...tier }) =>
      tokenAmounts(tier, joined(when, `above ${aboveInputTokens} input tokens`)),
    ),
  ];
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ');

const kinds = [
  'input',
  'output',
  'cachedInput',
  'cacheWrite',
  'cacheWriteHour',
  'reasoning',
  'imageInput',
  'cachedImageInput',
  'audioInput',
  'cachedAudioInput',
  'imageOutput',
] as const;

/** Nano-dollars for one token are thousandths of a dollar for a million. */
export const perMillionExponent = 3;

const tokenAmounts = (prices: TieredPrices, appliesTo: string): readonly PriceAmount[] =>
  kinds.flatMap((what) => {
    const nanoDollars = prices[what] ?? null;
    const amount = nanoDollars !== null && { nanoDollars, exponent: perMillionExponent };
    return amount ? [{ what, per: 'million tokens', appliesTo, amount }] : [];
  });

/** Fields of a price, the power of ten of nano-dollars that are a dollar for the unit, and the unit. */
const others = [
  ['request', 6, 'thousand'],
  ['webSearch', 6, 'thousand'],
  ['webSearchRequest', 6, 'thousand'],
  ['searchUnit', 6, 'thousand'],
  ['characters', 3, 'million'],
  ['audioHour', 9, 'hour of audio'],
  ['image', 9, 'image'],
  ['imageInputEach', 9, 'input image'],
  ['cacheStorage', perMillionExponent, 'million tokens and hour'],
] as const;

function otherAmounts(price: Price): readonly PriceAmount[] {
  const { hostedTools = {}, upliftPercent, statedCost } = price;
  const one = (what: string, per: string, amount: PriceAmount['amount']): PriceAmount => ({
    what,
    per,
    appliesTo: '',
    amount,
  });
  return [
    ...others.flatMap(([what, exponent, per]) => {
      const nanoDollars = price[what];
      return nanoDollars === undefined ? [] : [one(what, per, { nanoDollars, exponent })];
    }),
    ...Object.entries(hostedTools).map(([name, nanoDollars]) =>
      one(name, 'thousand calls', { nanoDollars, exponent: 6 }),
    ),
    ...(upliftPercent === undefined ? [] : [one('uplift', 'price of tokens', `${upliftPercent} %`)]),
    ...(statedCost === undefined ? [] : [one('stated cost', 'answer', statedCost)]),
  ];
}

function timesOf({ ranges, weekdays: days, exceptDates }: HourPrices): string {
  const times = ranges.map(({ from, to }) => `${timeOfDay(from)}-${timeOfDay(to)}`).join(' ');
  const names = days?.map((day) => weekdays[day]).join(' ');
  const except = exceptDates && `except ${exceptDates.length} days`;
  return [`${times} UTC`, names, except].filter((part) => part !== undefined).join(' ');
}

const timeOfDay = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
