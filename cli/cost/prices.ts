/**
 * AWS prices: a dated table, and its arithmetic. Quantities are whole millionths of their unit and amounts whole
 * nano-dollars, so that a bill is exactly the sum of its lines.
 */
import table from './prices.json' with { type: 'json' };

export type PriceName = keyof typeof table.prices;

interface Tier {
  /** The last unit of a month with this price; absent: all further units. */
  readonly upTo?: string;
  /** For `per` units, with at most twelve decimals. */
  readonly dollars: string;
}

export interface Price {
  readonly per: string;
  readonly unit: string;
  readonly tiers: readonly Tier[];
  /** The source of the amount. */
  readonly source: string;
  /** The amount has no source yet: check it on the AWS price page. */
  readonly assumed?: boolean;
}

export const { date: priceDate, region: priceRegion } = table;

export const prices: Readonly<Record<PriceName, Price>> = table.prices;

const million = 1_000_000n;

/** Millionths of a number, rounded to the nearest. */
export function toMillionths(value: number): bigint {
  const whole = Math.floor(value);
  return BigInt(whole) * million + BigInt(Math.round((value - whole) * 1e6));
}

/** The cost of a month's quantity in nano-dollars, rounded once to the nearest. */
export function charge({ per, tiers }: Price, millionths: bigint): bigint {
  let from = 0n;
  let picoDollars = 0n;
  for (const { upTo, dollars } of tiers) {
    const end = upTo === undefined ? millionths : smaller(BigInt(upTo) * million, millionths);
    if (end > from) picoDollars += (end - from) * toPicoDollars(dollars);
    from = end > from ? end : from;
  }
  return divide(picoDollars, BigInt(per) * million * 1_000n);
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other);

/** Rounds to the nearest. For amounts that are not negative. */
export const divide = (amount: bigint, by: bigint): bigint => (amount + by / 2n) / by;

function toPicoDollars(dollars: string): bigint {
  const [whole = '0', fraction = ''] = dollars.split('.');
  return BigInt(whole + fraction.padEnd(12, '0'));
}

/** In dollars and cents, or with three significant digits below one dollar. */
export function formatAmount(nanoDollars: bigint): string {
  const digits = String(nanoDollars).length;
  const decimals = nanoDollars >= 1_000_000_000n || nanoDollars === 0n ? 2 : Math.min(9, 12 - digits);
  const rounded = String(divide(nanoDollars, 10n ** BigInt(9 - decimals))).padStart(decimals + 1, '0');
  return `${rounded.slice(0, -decimals)}.${rounded.slice(-decimals)}`;
}

/** A count for people. */
export const grouped = (value: number | bigint): string => value.toLocaleString('en-US');
