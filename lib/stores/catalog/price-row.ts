/**
 * Prices in a catalog row: USD per million tokens, or for other things in the unit that providers use, and the dates or times
 * from which later prices apply. `read-price.ts` converts them.
 */
import * as z from 'zod/mini';
import { lazy } from '../../async/lazy.ts';
import { objectOf, strictObjectOf } from '../../core/formats/given-fields.ts';

type ObjectKind = typeof strictObjectOf;

/** As `Date.getUTCDay` counts them. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Whether a number as people write it has no more decimals. Binary fractions are never exact: compared are the shortest texts. */
function hasAtMost(places: number, value: number): boolean {
  return Number(value.toFixed(places)) === value;
}

const maxDollars = 1_000_000;

/** USD with so many decimals that the amount is exact inside. */
const dollars = (decimals: number) =>
  z.number().check(
    z.nonnegative(),
    z.maximum(maxDollars),
    z.refine((usd) => hasAtMost(decimals, usd), {
      error: `More than ${decimals} decimals: not exact in thousandths of a nano-dollar per token`,
    }),
  );

const perMillion = lazy(() => dollars(6));

/** Fields of one kind share a schema, because building schemas delays the first request of a function. */
function amounts() {
  const amount = perMillion();
  const optional = lazy(() => z.exactOptional(amount));
  const optionalOrNull = lazy(() => z.exactOptional(z.nullable(amount)));
  return {
    input: amount,
    output: amount,
    cachedInput: optionalOrNull,
    cacheWrite: optionalOrNull,
    /** Of what is kept longer than by default: for an hour (Anthropic) or a day (OpenAI). */
    cacheWriteHour: optional,
    reasoning: optional,
    imageInput: optional,
    cachedImageInput: optional,
    audioInput: optional,
    cachedAudioInput: optional,
    imageOutput: optional,
  };
}

/** Names of service tiers and tools, as providers write them. */
const names = () => z.string().check(z.regex(/^[a-z][a-z0-9_]{0,63}$/));

function servicePrices(object: ObjectKind) {
  const fields = amounts();
  const tier = () => object({ ...fields, aboveInputTokens: z.int().check(z.positive()) });
  const tiered = { ...fields, tiers: lazy(() => z.exactOptional(z.array(tier()))) };
  return {
    ...tiered,
    /** By the name of the tier in answers. A text is the name of another tier with the same prices. */
    serviceTiers: lazy(() => z.exactOptional(z.record(names(), z.union([names(), object(tiered)])))),
  };
}

/** Hours of the day (UTC): from the first minute to before the last. */
const rangePattern = /^(?:[01]\d|2[0-3]):[0-5]\d-(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

const isRange = (text: string): boolean => rangePattern.test(text) && text.slice(0, 5) < text.slice(6);

export const percent = () =>
  z.number().check(
    z.positive(),
    z.maximum(1_000),
    z.refine((percent) => hasAtMost(2, percent), 'More than two decimals'),
  );

function priceFields(object: ObjectKind) {
  const prices = servicePrices(object);
  const one = lazy(() => z.exactOptional(dollars(9)));
  const optional = lazy(() => z.exactOptional(perMillion()));
  const range = () => z.string().check(z.refine(isRange, 'Not a range of hours such as 01:00-04:00'));
  const hours = () =>
    object({
      ...prices,
      utc: z.array(range()).check(z.minLength(1)),
      weekdays: () => z.exactOptional(z.array(z.enum(weekdays)).check(z.minLength(1))),
      exceptDates: () => z.exactOptional(z.array(z.iso.date()).check(z.maxLength(100))),
    });
  return {
    ...prices,
    hours: lazy(() => z.exactOptional(z.array(hours()))),
    /** USD per thousand requests, web searches, requests that search at least once, search units, and calls of other tools. */
    request: optional,
    webSearch: optional,
    webSearchRequest: optional,
    searchUnit: optional,
    hostedTools: lazy(() => z.exactOptional(z.record(names(), perMillion()))),
    /** USD per million characters that are spoken. */
    characters: optional,
    /** USD per hour of audio that is transcribed, and the milliseconds that are charged at least for a call. */
    audioHour: one,
    minAudioMs: () => z.exactOptional(z.int().check(z.positive(), z.maximum(3_600_000))),
    /** USD per generated image. */
    image: one,
    /** USD per image that is sent to be edited. */
    imageInputEach: one,
    /** USD per million tokens of cached content and hour. */
    cacheStorage: optional,
    upliftPercent: lazy(() => z.exactOptional(percent())),
    freeAllowance: () => z.exactOptional(z.literal(true)),
    statedCost: () => z.exactOptional(z.enum(['believe', 'compare'])),
  };
}

/** The price fields of a model or of one of its deployments. */
export function pricesSchema(object: ObjectKind) {
  const fields = priceFields(object);
  const price = () => object(fields, knownTiers());
  const later = () => object({ ...fields, from: z.union([z.iso.date(), z.iso.datetime()]) }, knownTiers());
  return {
    /** Applies until the first of the later prices. */
    price: lazy(() => z.exactOptional(price())),
    /** In chronological order of the dates or times (UTC) from which they apply. */
    laterPrices: lazy(() => z.exactOptional(z.array(later()))),
  };
}

export type PriceRow = z.output<ReturnType<typeof schemaOfOne>>;

const schemaOfOne = () => objectOf(priceFields(strictObjectOf));

const knownTiers = () =>
  z.refine<TierNames & { readonly hours?: readonly TierNames[] }>(
    (row) => [row, ...(row.hours ?? [])].every(hasKnownTiers),
    { error: 'Names a service tier without prices', path: ['serviceTiers'] },
  );

interface TierNames {
  readonly serviceTiers?: Readonly<Record<string, string | object>>;
}

/** Every name of a tier leads to prices. */
function hasKnownTiers({ serviceTiers = {} }: TierNames): boolean {
  const named = Object.values(serviceTiers).filter((tier) => typeof tier === 'string');
  return named.every((name) => Object.hasOwn(serviceTiers, name) && typeof serviceTiers[name] === 'object');
}
