/**
 * The cost of an answer: token counts times prices, in whole nano-dollars. The cost is exact: there are no fractions, and a
 * sum that a number cannot hold exactly counts as unknown.
 */

import type { Usage } from '../core/generation/usage.ts';
import type { Price, TokenPrices } from '../core/model.ts';

/** What a price depends on, beside the counts. */
export interface Served {
  /** The service tier that the answer names; absent: the usual one. */
  readonly tier?: string;
  /** When the provider was called, in Unix milliseconds; absent: at an hour without prices of its own. */
  readonly at?: number;
}

/** Names of the tier whose prices are those of the model. `auto` in an answer names no other one. */
const usualTiers: readonly string[] = ['default', 'standard', 'auto', 'on_demand'];

const isUsualTier = (tier: string | undefined): boolean => tier === undefined || usualTiers.includes(tier);

/**
 * The cost in nano-dollars; null if unknown, because there is no price, or none for web searches, sound, other tools or the
 * service tier.
 *
 * The prices of a tier apply to a whole call if its input is longer than the tier's threshold.
 */
export function costOf(usage: Usage, price: Price | undefined, how: Served = {}): number | null {
  if (!price || (usage.otherTierTokens ?? 0) > 0 || !isUsualTier(how.tier)) return null;
  let cost = 0;
  for (const call of usage.calls ?? [usage]) {
    const searched = searchCost(call.webSearches ?? 0, price);
    const prices = tierOf(price, call.promptTokens);
    if (
      searched === null ||
      !hasPriceForSound(call, prices) ||
      Object.keys(call.hostedCalls ?? {}).length > 0
    )
      return null;
    cost += tokenCost(call, prices) + searched;
  }
  const whole = Math.round(cost);
  return Number.isSafeInteger(whole) ? whole : null;
}

/** Sound in a cache has a price of its own, which is known only where sound costs as much as text. */
function hasPriceForSound({ inputAudioTokens = 0, cachedTokens }: Usage, prices: TokenPrices): boolean {
  if (inputAudioTokens === 0) return true;
  return prices.audioInput !== undefined && (cachedTokens === 0 || prices.audioInput === prices.input);
}

function searchCost(searches: number, { webSearch, webSearchRequest }: Price): number | null {
  if (searches === 0) return 0;
  if (webSearch === undefined && webSearchRequest === undefined) return null;
  return searches * (webSearch ?? 0) + (webSearchRequest ?? 0);
}

/** The maximum use of a request, in tokens and searches. */
export interface MaxTokens {
  readonly input: number;
  readonly output: number;
  /** How little output is still of use; absent: there must be all of it. */
  readonly leastOutput?: number;
  /** What the model usually writes, where the request asks for no limit. */
  readonly usualOutput?: number;
  /** Absent if there are none. */
  readonly searches?: number;
  /** Whether some of the input may be sound. */
  readonly audio?: boolean;
  /** Whether tools of the provider may be called that cost more than their tokens, or whose tokens have no bound. */
  readonly hostedTools?: boolean;
  /** Whether a service tier was asked for that costs more than the prices of the catalog. */
  readonly dearerTier?: boolean;
}

/** In nano-dollars. */
export interface HighestCost {
  /** Of the input, and of searches. */
  readonly fixed: number;
  readonly perOutputToken: number;
}

/** The maximum cost of these tokens, if each is of the most expensive class of a tier that so much input reaches; null if unknown. */
export function highestCost(max: MaxTokens, price: Price | undefined): HighestCost | null {
  if (!price || max.hostedTools || max.dearerTier) return null;
  const searched = searchCost(max.searches ?? 0, price);
  if (searched === null) return null;
  const reached = (price.tiers ?? []).filter(({ aboveInputTokens }) => max.input > aboveInputTokens);
  const tiers: readonly TokenPrices[] = [price, ...reached];
  if (max.audio && tiers.some(({ audioInput }) => audioInput === undefined)) return null;
  const mostExpensive = (names: readonly (keyof TokenPrices)[]) =>
    Math.max(...tiers.flatMap((tier) => names.map((name) => tier[name] ?? 0)));
  const input = mostExpensive([
    ...(['input', 'cachedInput', 'cacheWrite', 'imageInput'] as const),
    ...(max.audio ? (['audioInput'] as const) : []),
  ]);
  const perOutputToken = mostExpensive(['output', 'reasoning', 'imageOutput']);
  return { fixed: max.input * input + searched, perOutputToken };
}

function tierOf(price: Price, inputTokens: number): TokenPrices {
  const reached = (price.tiers ?? []).filter(({ aboveInputTokens }) => inputTokens > aboveInputTokens);
  return reached.toSorted((one, other) => one.aboveInputTokens - other.aboveInputTokens).at(-1) ?? price;
}

/** Counts every token once: in its special class if it has one, else as plain input or output. */
function tokenCost(usage: Usage, prices: TokenPrices): number {
  const { input, output, audioInput = input } = prices;
  // Sound at the price of text is counted as text: some of it may be among the cached tokens.
  const sound = audioInput === input ? 0 : (usage.inputAudioTokens ?? 0);
  const inputs: readonly Priced[] = [
    [usage.cachedTokens, prices.cachedInput ?? input],
    [usage.cacheWriteTokens, prices.cacheWrite ?? input],
    [usage.inputImageTokens ?? 0, prices.imageInput ?? input],
    [sound, audioInput],
  ];
  const outputs: readonly Priced[] = [
    [usage.reasoningTokens, prices.reasoning ?? output],
    [usage.outputImageTokens ?? 0, prices.imageOutput ?? output],
  ];
  return costOfAll(usage.promptTokens, input, inputs) + costOfAll(usage.completionTokens, output, outputs);
}

type Priced = readonly [tokens: number, price: number];

/** `classes` are parts of `all`; the rest has the plain price. */
function costOfAll(all: number, plain: number, classes: readonly Priced[]): number {
  const apart = classes.reduce((sum, [tokens]) => sum + tokens, 0);
  const cost = classes.reduce((sum, [tokens, price]) => sum + tokens * price, 0);
  return cost + Math.max(0, all - apart) * plain;
}
