/**
 * Prices as a catalog row has them, for people: USD for a million tokens, and days or moments from which later ones hold. Inside
 * the house a price is a whole number of nano-dollars for one token.
 */
import * as z from 'zod/mini';
import type { DatedPrice, Price } from '../../core/model.ts';

type ObjectKind = typeof z.strictObject;

/** One dollar for a million tokens is a thousand nano-dollars for one. */
const nanoDollarsPerDollarPerMillion = 1_000;

/** One dollar for a thousand searches is a million nano-dollars for one. */
const nanoDollarsPerDollarPerThousand = 1_000_000;

/** Here and in the row, fields of one kind share a schema: a function makes them all while its first request waits. */
function amounts() {
  const amount = z.number().check(
    z.nonnegative(),
    z.refine((usd) => Math.abs(nanoDollars(usd) - usd * nanoDollarsPerDollarPerMillion) < 1e-6, {
      error: 'Not a whole number of nano-dollars for a token',
    }),
  );
  const own = z.exactOptional(amount);
  const ownOrNone = z.exactOptional(z.nullable(amount));
  return {
    input: amount,
    output: amount,
    cachedInput: ownOrNone,
    cacheWrite: ownOrNone,
    reasoning: own,
    imageInput: own,
    imageOutput: own,
  };
}

function priceFields(object: ObjectKind) {
  const fields = amounts();
  const tier = object({ ...fields, aboveInputTokens: z.int().check(z.positive()) });
  const forThousand = z.exactOptional(z.number().check(z.nonnegative()));
  return {
    ...fields,
    tiers: z.exactOptional(z.array(tier)),
    /** USD for a thousand searches of the web. */
    webSearch: forThousand,
    /** USD for a thousand requests that search it, however often: some models are charged so. */
    webSearchRequest: forThousand,
  };
}

/** What a model, or one place of it, costs: the fields of a row. */
export function pricesSchema(object: ObjectKind) {
  const fields = priceFields(object);
  return {
    /** From the beginning, or until the first of the later ones. */
    price: z.exactOptional(object(fields)),
    /** In the order of the days, or moments (UTC), from which they hold. */
    laterPrices: z.exactOptional(
      z.array(object({ ...fields, from: z.union([z.iso.date(), z.iso.datetime()]) })),
    ),
  };
}

type PriceRow = z.output<ReturnType<typeof schemaOfOne>>;
type AmountsRow = Omit<PriceRow, 'tiers' | 'webSearch' | 'webSearchRequest'>;

const schemaOfOne = () => z.object(priceFields(z.strictObject));

interface PricesRow {
  readonly price?: PriceRow;
  readonly laterPrices?: readonly (PriceRow & { readonly from: string })[];
}

/** The prices by date, oldest first; empty where none is known. */
export function readPrices({ price, laterPrices = [] }: PricesRow): readonly DatedPrice[] {
  const later = laterPrices.map(({ from, ...row }) => ({
    from: secondsOf(from),
    price: readPrice(row),
  }));
  return [...(price ? [{ from: 0, price: readPrice(price) }] : []), ...later];
}

const secondsOf = (date: string) => Math.floor(Date.parse(date) / 1000);

/** Whether later prices stand in the order of their days. */
export function areInOrder({ laterPrices = [] }: PricesRow): boolean {
  const seconds = laterPrices.map(({ from }) => secondsOf(from));
  return seconds.every((second, index) => index === 0 || (seconds[index - 1] ?? 0) < second);
}

function readPrice({ tiers, webSearch, webSearchRequest, ...row }: PriceRow): Price {
  return {
    ...readAmounts(row),
    ...(tiers && {
      tiers: tiers.map(({ aboveInputTokens, ...tier }) => ({ ...readAmounts(tier), aboveInputTokens })),
    }),
    ...(webSearch !== undefined && { webSearch: perSearch(webSearch) }),
    ...(webSearchRequest !== undefined && { webSearchRequest: perSearch(webSearchRequest) }),
  };
}

function readAmounts({ input, output, cachedInput, cacheWrite, ...others }: AmountsRow) {
  return {
    input: nanoDollars(input),
    output: nanoDollars(output),
    cachedInput: nanoDollarsOrNull(cachedInput),
    cacheWrite: nanoDollarsOrNull(cacheWrite),
    ...Object.fromEntries(Object.entries(others).map(([name, usd]) => [name, nanoDollars(usd)])),
  };
}

const perSearch = (usdPerThousand: number) => Math.round(usdPerThousand * nanoDollarsPerDollarPerThousand);

function nanoDollars(usdPerMillion: number): number {
  return Math.round(usdPerMillion * nanoDollarsPerDollarPerMillion);
}

function nanoDollarsOrNull(usdPerMillion: number | null | undefined): number | null {
  return usdPerMillion === undefined || usdPerMillion === null ? null : nanoDollars(usdPerMillion);
}
