/**
 * Prices in a catalog row: USD per million tokens, and the dates or times from which later prices apply. Elsewhere in the
 * gateway, a price is a whole number of nano-dollars per token.
 */
import * as z from 'zod/mini';
import type { DatedPrice, Price } from '../../core/model.ts';

type ObjectKind = typeof z.strictObject;

/** One dollar per million tokens is a thousand nano-dollars per token. */
const nanoDollarsPerDollarPerMillion = 1_000;

/** One dollar per thousand searches is a million nano-dollars per search. */
const nanoDollarsPerDollarPerThousand = 1_000_000;

/** Fields of one kind share a schema, because building schemas delays the first request of a function. */
function amounts() {
  const amount = z.number().check(
    z.nonnegative(),
    z.refine((usd) => Math.abs(nanoDollars(usd) - usd * nanoDollarsPerDollarPerMillion) < 1e-6, {
      error: 'Not a whole number of nano-dollars per token',
    }),
  );
  const optional = z.exactOptional(amount);
  const optionalOrNull = z.exactOptional(z.nullable(amount));
  return {
    input: amount,
    output: amount,
    cachedInput: optionalOrNull,
    cacheWrite: optionalOrNull,
    reasoning: optional,
    imageInput: optional,
    audioInput: optional,
    imageOutput: optional,
  };
}

function priceFields(object: ObjectKind) {
  const fields = amounts();
  const tier = object({ ...fields, aboveInputTokens: z.int().check(z.positive()) });
  const perThousand = z.exactOptional(z.number().check(z.nonnegative()));
  return {
    ...fields,
    tiers: z.exactOptional(z.array(tier)),
    /** USD per thousand web searches. */
    webSearch: perThousand,
    /** USD per thousand requests that search the web at least once: some models are billed this way. */
    webSearchRequest: perThousand,
  };
}

/** The price fields of a model or of one of its deployments. */
export function pricesSchema(object: ObjectKind) {
  const fields = priceFields(object);
  return {
    /** Applies until the first of the later prices. */
    price: z.exactOptional(object(fields)),
    /** In chronological order of the dates or times (UTC) from which they apply. */
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

/** The prices by date, oldest first; empty if none is known. */
export function readPrices({ price, laterPrices = [] }: PricesRow): readonly DatedPrice[] {
  const later = laterPrices.map(({ from, ...row }) => ({
    from: secondsOf(from),
    price: readPrice(row),
  }));
  return [...(price ? [{ from: 0, price: readPrice(price) }] : []), ...later];
}

const secondsOf = (date: string) => Math.floor(Date.parse(date) / 1000);

/** Whether later prices are in chronological order. */
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
