/**
 * The cost of an answer: counts times prices, in whole nano-dollars. It is exact: each line of it is computed with integers of any
 * size and rounded once, half a nano-dollar up. A sum that a number cannot hold exactly counts as unknown.
 */

import type { Price } from '../../core/catalog/price.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { type CostLine, linesOf, type Part, sumOf } from './cost-lines.ts';
import { pricesFor, type Served } from './price-choice.ts';
import { tokenParts } from './token-parts.ts';

/**
 * The cost in nano-dollars; null if unknown, because there is no price, or none for the service tier or for something that was
 * used: searches, search units, characters, time of audio, audio, stored content, a tool.
 */
export function costOf(usage: Usage, price: Price | undefined, served: Served = {}): number | null {
  const lines = costLines(usage, price, served);
  return lines && sumOf(lines);
}

/** What the cost is made of, in the order of the provider's calls; null if a part of it is unknown. */
export function costLines(
  usage: Usage,
  price: Price | undefined,
  served: Served = {},
): readonly CostLine[] | null {
  if (!price) return null;
  if (!usage.calls) return linesOfCall(usage, price, served);
  const lines = usage.calls.map((call) => linesOfCall(call, price, served));
  return lines.every((some) => some !== null) ? lines.flat() : null;
}

function linesOfCall(call: Usage, price: Price, served: Served): readonly CostLine[] | null {
  const { statedCost } = call;
  if (price.statedCost === 'believe' && statedCost !== undefined) return linesOf([['stated', 1, statedCost]]);
  const tokens = tokenLines(call, price, served);
  const others = linesOf(otherParts(call, price));
  return tokens && others && [...tokens, ...others];
}

/** With what a region adds to the price of all tokens. */
function tokenLines(call: Usage, price: Price, served: Served): readonly CostLine[] | null {
  const prices = pricesFor(price, served, call.promptTokens);
  const parts = prices && tokenParts(call, prices);
  const lines = parts && linesOf(parts);
  const sum = lines && sumOf(lines);
  if (!lines || sum === null || price.upliftPercent === undefined) return lines;
  const uplift = linesOf([['uplift', sum, price.upliftPercent, 100]]);
  return uplift && [...lines, ...uplift];
}

const secondsPerHour = 3_600;
export const msPerHour = 3_600_000;

/** Some providers charge for a least time of each call. */
export const chargedMs = (audioMs: number, { minAudioMs = 0 }: Price): number =>
  audioMs === 0 ? 0 : Math.max(audioMs, minAudioMs);

function otherParts(call: Usage, price: Price): readonly Part[] {
  const {
    hostedCalls = {},
    images = 0,
    inputImages = 0,
    searchUnits = 0,
    characters = 0,
    audioMs = 0,
    cacheStorage: { tokens, seconds } = { tokens: 0, seconds: 0 },
  } = call;
  const parts: Part[] = [];
  const add = (what: string, quantity: number, unitPrice: number | undefined, per?: number) => {
    if (quantity !== 0) parts.push([what, quantity, unitPrice, per]);
  };
  add('request', 1, price.request ?? 0);
  for (const part of searchParts(call, price)) add(...part);
  for (const [name, calls] of Object.entries(hostedCalls)) {
    add(`tool:${name}`, calls, priceOfTool(price, name));
  }
  // An image that has no tokens must have a price.
  add('image', images, price.image ?? (call.completionTokens > 0 ? 0 : undefined));
  add('imageInputEach', inputImages, price.imageInputEach ?? (call.promptTokens > 0 ? 0 : undefined));
  add('searchUnit', searchUnits, price.searchUnit);
  add('characters', characters, price.characters);
  add('audioHour', chargedMs(audioMs, price), price.audioHour, msPerHour);
  add('cacheStorage', tokens * seconds, price.cacheStorage, secondsPerHour);
  return parts;
}

function searchParts({ webSearches = 0 }: Usage, { webSearch, webSearchRequest }: Price): readonly Part[] {
  const isKnown = webSearch !== undefined || webSearchRequest !== undefined;
  if (!isKnown) return [['webSearch', webSearches, undefined]];
  return [
    ['webSearch', webSearches, webSearch ?? 0],
    ['webSearchRequest', webSearches > 0 ? 1 : 0, webSearchRequest ?? 0],
  ];
}

/** The names of tools come from providers. */
export const priceOfTool = ({ hostedTools = {} }: Price, name: string): number | undefined =>
  Object.hasOwn(hostedTools, name) ? hostedTools[name] : undefined;
