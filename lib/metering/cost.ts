/**
 * What an answer costs: token counts times prices, in whole nano-dollars. Exact: no fraction ever arises, and a sum that
 * a number cannot hold exactly is no cost at all.
 */

import type { Usage } from '../core/generation/usage.ts';
import type { Price, TokenPrices } from '../core/model.ts';

/**
 * The cost in nano-dollars; null where it is not known: without a price, or with searches that have none.
 *
 * A tier's prices hold for the whole request, once its input is longer than the tier says.
 */
export function costOf(usage: Usage, price: Price | undefined): number | null {
  if (!price) return null;
  const searched = searchCost(usage.webSearches ?? 0, price);
  if (searched === null) return null;
  const cost = tokenCost(usage, tierOf(price, usage.promptTokens)) + searched;
  return Number.isSafeInteger(cost) ? cost : null;
}

function searchCost(searches: number, { webSearch, webSearchRequest }: Price): number | null {
  if (searches === 0) return 0;
  if (webSearch === undefined && webSearchRequest === undefined) return null;
  return searches * (webSearch ?? 0) + (webSearchRequest ?? 0);
}

/** What a request may come to, in tokens and searches. */
export interface MaxTokens {
  readonly input: number;
  readonly output: number;
  /** Absent: none. */
  readonly searches?: number;
}

/** What so many tokens come to where each is of the dearest class; null without a price. */
export function highestCost(most: MaxTokens, price: Price | undefined): number | null {
  if (!price) return null;
  const searched = searchCost(most.searches ?? 0, price);
  if (searched === null) return null;
  const tiers: readonly TokenPrices[] = [price, ...(price.tiers ?? [])];
  const dearest = (names: readonly (keyof TokenPrices)[]) =>
    Math.max(...tiers.flatMap((tier) => names.map((name) => tier[name] ?? 0)));
  const input = dearest(['input', 'cachedInput', 'cacheWrite', 'imageInput']);
  const output = dearest(['output', 'reasoning', 'imageOutput']);
  return most.input * input + most.output * output + searched;
}

function tierOf(price: Price, inputTokens: number): TokenPrices {
  const reached = (price.tiers ?? []).filter(({ aboveInputTokens }) => inputTokens > aboveInputTokens);
  return reached.toSorted((one, other) => one.aboveInputTokens - other.aboveInputTokens).at(-1) ?? price;
}

/** Every token is counted once: in the dearest class that it is in by its kind, the rest as plain input or output. */
function tokenCost(usage: Usage, prices: TokenPrices): number {
  const { input, output } = prices;
  const parts = [
    [usage.cachedTokens, prices.cachedInput ?? input],
    [usage.cacheWriteTokens, prices.cacheWrite ?? input],
    [usage.inputImageTokens ?? 0, prices.imageInput ?? input],
    [usage.reasoningTokens, prices.reasoning ?? output],
    [usage.outputImageTokens ?? 0, prices.imageOutput ?? output],
  ] as const;
  const [cached, written, shown] = parts.map(([tokens]) => tokens);
  const plainInput = usage.promptTokens - (cached ?? 0) - (written ?? 0) - (shown ?? 0);
  const plainOutput = usage.completionTokens - usage.reasoningTokens - (usage.outputImageTokens ?? 0);
  const apart = parts.reduce((sum, [tokens, price]) => sum + tokens * price, 0);
  return apart + Math.max(0, plainInput) * input + Math.max(0, plainOutput) * output;
}
