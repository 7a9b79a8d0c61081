/**
 * What a caller wants of the deployments that may serve a request: OpenRouter's `provider` object, over the deployments that the
 * catalog knows. The words and units are OpenRouter's. Source: openrouter.ai/docs/features/provider-routing
 */
import { priceOf } from '../core/accounting/price.ts';
import type { Target } from '../core/catalog/model.ts';
import type { Price } from '../core/catalog/price.ts';
import { areWithin } from '../core/catalog/regions.ts';

export interface ProviderPreferences {
  /** Providers to try first, in this order. */
  readonly order?: readonly string[];
  readonly only?: readonly string[];
  readonly ignore?: readonly string[];
  /** False: no deployments but those of `order`; without one, no deployment but the first. */
  readonly allowFallbacks?: boolean;
  /** Cheapest first, those without a price last. */
  readonly sort?: 'price';
  /** In nano-dollars: for one token of input and of output, and for the request itself. */
  readonly maxPrice?: Readonly<Partial<Record<PriceLimit, number>>>;
  /** Only deployments that are known not to collect what callers send. */
  readonly noCollection?: boolean;
  /** Only deployments that are known not to train on what callers send. Policies alone ask for it. */
  readonly noTraining?: boolean;
  /** Only deployments that are known to keep nothing. */
  readonly noRetention?: boolean;
  /** Only deployments of which all regions are known to be within these regions and region groups. OpenRouter has addresses for that. */
  readonly regions?: readonly string[];
}

/** What forbids a target of what is wanted of data: `data-rule.ts`. A colon is before the field of the request that it is about. */
export type ForbiddenBy = (target: Target) => string | undefined;

type PriceLimit = 'prompt' | 'completion' | 'request';

export interface PriceContext {
  /** The time in Unix seconds. */
  readonly seconds: number;
  /** An upper bound of the tokens of input: long prompts cost more at some deployments. */
  readonly maxInputTokens: number;
}

/** A deployment is named by its provider, or by its provider and region: `bedrock/us-east-1`. */
export const indexIn = (names: readonly string[], { deployment: { provider, region } }: Target): number =>
  names.findIndex((name) => name === provider || name === `${provider}/${region}`);

/** The fields in the order in which they are looked at. */
const fields = [
  'only',
  'ignore',
  'order',
  'providers',
  'data_collection',
  'no_training',
  'zdr',
  'regions',
  'max_price',
  'require_parameters',
];

/** How many fields a deployment met before the one that excludes it. One that the operator bars met all. */
export function fieldsMet(excludedBy: string): number {
  const name = excludedBy.slice(excludedBy.indexOf('.') + 1);
  const index = fields.findIndex((field) => name.startsWith(field));
  // The field of the request that is at fault is looked at after the deployment itself.
  return index < 0 ? fields.length : index + (name.includes(':') ? 0.5 : 0);
}

/** The field or the operator's setting that excludes a target; undefined if it may be used. */
export const excludedBy = (
  target: Target,
  preferences: ProviderPreferences,
  prices: ((target: Target) => PriceContext) | undefined,
  forbiddenBy?: ForbiddenBy,
): string | undefined =>
  excludingField(target, preferences, prices, forbiddenBy) ?? target.deployment.barredBy;

function excludingField(
  target: Target,
  preferences: ProviderPreferences,
  prices: ((target: Target) => PriceContext) | undefined,
  forbiddenBy: ForbiddenBy = () => undefined,
): string | undefined {
  const { only, ignore, order, allowFallbacks = true, maxPrice, regions } = preferences;
  if (only && indexIn(only, target) < 0) return 'provider.only';
  if (ignore && indexIn(ignore, target) >= 0) return 'provider.ignore';
  if (order && !allowFallbacks && indexIn(order, target) < 0) return 'provider.order';
  const forbidden = forbiddenBy(target);
  if (forbidden !== undefined) return forbidden;
  if (regions && !areWithin(target.deployment.regions, regions)) return 'provider.regions';
  return maxPrice && prices && tooExpensive(target, maxPrice, prices(target));
}

function tooExpensive(
  target: Target,
  limits: NonNullable<ProviderPreferences['maxPrice']>,
  { seconds, maxInputTokens }: PriceContext,
): string | undefined {
  const price = priceOf(target, seconds)?.price;
  const prices = price && highestPrices(price, maxInputTokens);
  const names = ['prompt', 'completion', 'request'] as const;
  // A price that nobody knows may be too high.
  const exceeded = names.find((name) => {
    const limit = limits[name];
    return limit !== undefined && (!prices || prices[name] > limit);
  });
  return exceeded && `provider.max_price.${exceeded}`;
}

/** Rounded, so that what 10 % come to is what a caller writes. */
const withUplift = (nanoDollars: number, { upliftPercent = 0 }: Price): number =>
  Math.round(nanoDollars * (100 + upliftPercent) * 1e4) / 1e6;

/** The highest that a request may come to, for each kind of price. */
function highestPrices(price: Price, maxInputTokens: number): Readonly<Record<PriceLimit, number>> {
  const tiers = (price.tiers ?? []).filter(({ aboveInputTokens }) => aboveInputTokens < maxInputTokens);
  const reached = [price, ...tiers];
  return {
    prompt: withUplift(Math.max(...reached.map(({ input }) => input)), price),
    completion: withUplift(Math.max(...reached.map(({ output }) => output)), price),
    request: price.webSearchRequest ?? 0,
  };
}

/** The deployments of one model as the caller prefers them; undefined if the caller does not say. */
export function inCallersOrder(
  targets: readonly Target[],
  { order, sort }: ProviderPreferences,
  prices: ((target: Target) => PriceContext) | undefined,
): readonly Target[] | undefined {
  if (!order && !sort) return undefined;
  const sumOf = (target: Target) => (prices ? sumOfPrices(target, prices(target)) : 0);
  const sorted = sort ? targets.toSorted((one, other) => compare(sumOf(one), sumOf(other))) : targets;
  const placeOf = (target: Target) => {
    const deployment = order ? indexIn(order, target) : -1;
    return deployment < 0 ? Number.POSITIVE_INFINITY : deployment;
  };
  return sorted.toSorted((one, other) => compare(placeOf(one), placeOf(other)));
}

/** Also of infinite numbers, whose difference is not a number. */
const compare = (one: number, other: number) => Number(one > other) - Number(one < other);

/** For a token of input and one of output. */
function sumOfPrices(target: Target, { seconds }: PriceContext): number {
  const price = priceOf(target, seconds)?.price;
  return price ? withUplift(price.input + price.output, price) : Number.POSITIVE_INFINITY;
}
