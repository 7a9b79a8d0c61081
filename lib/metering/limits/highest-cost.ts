/**
 * The maximum cost of a request, which is reserved before a provider is called: never below what any answer within the bounds
 * costs. Only prices count that may apply: of the input lengths within the bound, of the service tiers that may serve the
 * request, and of the hours until it must have ended.
 */

import type { Price, ServicePrices, TieredPrices, TokenPrices } from '../../core/catalog/price.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { batchTier } from '../cost/batch-price.ts';
import { chargedMs, msPerHour, priceOfTool } from '../cost/cost.ts';
import { linesOf, type Part, sumOf } from '../cost/cost-lines.ts';
import { atHours, isDefaultTier, ofTier, reached } from '../cost/price-choice.ts';

type PaidBeside =
  | 'hostedCalls'
  | 'images'
  | 'inputImages'
  | 'searchUnits'
  | 'characters'
  | 'audioMs'
  | 'cacheStorage';

/** The maximum use of a request, in tokens and in what else is paid for. */
export interface MaxTokens extends Pick<Usage, PaidBeside> {
  readonly input: number;
  /** What tools of the provider may bring into the input beside that; absent: nothing. */
  readonly read?: number;
  readonly output: number;
  /** How little output is still of use; absent: there must be all of it. */
  readonly minOutput?: number;
  /** What the model usually writes, where the request asks for no limit. */
  readonly usualOutput?: number;
  /** Calls of the provider; absent: one. */
  readonly calls?: number;
  /** Web searches; absent: none. */
  readonly searches?: number;
  /** Whether some of the input may be audio. */
  readonly audio?: boolean;
  /** Whether some of the input may be kept longer than by default. */
  readonly keptLonger?: boolean;
  /** Whether something is asked for that has no bound, or no known price. */
  readonly endless?: boolean;
  /** Whether what is used is known to no one here. */
  readonly isUnseen?: boolean;
  /** The service tier that is asked for. */
  readonly tier?: string;
}

/** In nano-dollars. */
interface HighestCost {
  /** Of the input, and of what else is paid for. */
  readonly fixed: number;
  readonly perOutputToken: number;
}

/**
 * Null where a price that may apply is unknown. Prices are rounded up to whole nano-dollars for a token, so that the bound holds
 * however the tokens are divided.
 *
 * `now`: Unix milliseconds.
 */
export function highestCost(max: MaxTokens, price: Price | undefined, now: number): HighestCost | null {
  if (!price || max.endless || max.isUnseen) return null;
  const choices = choicesOf(max, price, now);
  const others = linesOf(otherParts(max, price));
  const fixedOthers = others && sumOf(others);
  const unknownAudio = max.audio && choices?.some(({ audioInput }) => audioInput === undefined);
  const unknownWrites = max.keptLonger && choices?.some(lacksLongWrites);
  if (!choices || fixedOthers === null || unknownAudio || unknownWrites) return null;
  const input = withUplift(highest(choices, inputPrices(max)), price);
  const perOutputToken = withUplift(highest(choices, outputPrices), price);
  const made = max.cacheStorage?.tokens ?? 0;
  const fixed = (max.input + (max.read ?? 0) + made) * input + fixedOthers;
  return Number.isSafeInteger(fixed + max.output * perOutputToken) ? { fixed, perOutputToken } : null;
}

/** Where writes have no price of their own, there are none for longer. */
const lacksLongWrites = ({ cacheWrite, cacheWriteHour }: TokenPrices): boolean =>
  cacheWrite !== null && cacheWriteHour === undefined;

const inputPrices = ({ audio, keptLonger }: MaxTokens): readonly (keyof TokenPrices)[] => [
  ...(['input', 'cachedInput', 'cacheWrite', 'imageInput', 'cachedImageInput'] as const),
  ...(audio ? (['audioInput', 'cachedAudioInput'] as const) : []),
  ...(keptLonger ? (['cacheWriteHour'] as const) : []),
];

const outputPrices = ['output', 'reasoning', 'imageOutput'] as const;

const highest = (choices: readonly TokenPrices[], names: readonly (keyof TokenPrices)[]): number =>
  Math.max(...choices.flatMap((prices) => names.map((name) => Math.ceil(prices[name] ?? 0))));

function withUplift(unitPrice: number, { upliftPercent = 0 }: Price): number {
  const hundredths = Math.round(upliftPercent * 100);
  return Math.ceil((unitPrice * (10_000 + hundredths)) / 10_000);
}

/** Longer than the time limit of any request and what ends after it. */
const longestMs = 16 * 60_000;

/** The prices of tokens that may apply; null if those of a tier are unknown that may be dearer. */
function choicesOf(max: MaxTokens, price: Price, now: number): readonly TokenPrices[] | null {
  const services = atHours(price, now, now + longestMs).map((prices) => ofTiers(prices, max.tier));
  if (!services.every((some) => some !== null)) return null;
  return services.flat().flatMap((prices) => [prices, ...reached(prices, max.input + (max.read ?? 0))]);
}

/**
 * What the provider may choose itself for `auto`: OpenAI then serves a request as its project is set up. Source: description of
 * `service_tier` in OpenAI's API schema. A request that names no tier counts with the default: projects have it by default.
 */
const chosenTiers: readonly string[] = ['priority', 'fast'];

/** They never cost more than the default tier, so that no price of them is needed for a bound. */
const cheaperTiers: readonly string[] = ['flex', batchTier];

/** The default tier serves a request where another one has no room for it. */
function ofTiers(prices: ServicePrices, asked: string | undefined): readonly TieredPrices[] | null {
  const known = (tiers: readonly string[]) => tiers.flatMap((tier) => ofTier(prices, tier) ?? []);
  if (asked === 'auto') return [prices, ...known(chosenTiers)];
  if (asked === undefined || isDefaultTier(asked)) return [prices];
  const own = known([asked]);
  // A batch API has no other tier.
  if (asked === batchTier && own.length > 0) return own;
  return own.length > 0 || cheaperTiers.includes(asked) ? [prices, ...own] : null;
}

function otherParts(max: MaxTokens, price: Price): readonly Part[] {
  const {
    calls = 1,
    searches = 0,
    hostedCalls = {},
    images = 0,
    inputImages = 0,
    searchUnits = 0,
    characters = 0,
    audioMs = 0,
    cacheStorage,
  } = max;
  const { webSearch, webSearchRequest } = price;
  const isKnown = webSearch !== undefined || webSearchRequest !== undefined;
  const { tokens, seconds } = cacheStorage ?? { tokens: 0, seconds: 0 };
  return [
    ['request', calls, price.request ?? 0],
    ['webSearch', searches, isKnown ? (webSearch ?? 0) : undefined],
    ['webSearchRequest', searches > 0 ? calls : 0, webSearchRequest ?? 0],
    ...Object.entries(hostedCalls).map(([name, max]): Part => [name, max, priceOfTool(price, name)]),
    ['image', images, price.image ?? 0],
    // Where images have a price, and those that are sent have none, it is unknown.
    ['imageInputEach', inputImages, price.imageInputEach ?? (price.image === undefined ? 0 : undefined)],
    ['searchUnit', searchUnits, price.searchUnit ?? 0],
    ['characters', characters, price.characters ?? 0],
    ['audioHour', calls * chargedMs(audioMs, price), price.audioHour ?? 0, msPerHour],
    ['cacheStorage', Math.ceil((tokens * seconds) / 3_600), price.cacheStorage],
  ];
}
