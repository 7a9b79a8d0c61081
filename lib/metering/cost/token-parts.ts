/** Divides the tokens of a call by their prices: each counts once, in its special class if it has one, else as plain input or output. */

import type { TokenPrices } from '../../core/catalog/price.ts';
import type { Usage } from '../../core/generation/usage.ts';
import type { Part } from './cost-lines.ts';

/** Null where the price of some of them is not known. */
export function tokenParts(usage: Usage, prices: TokenPrices): readonly Part[] | null {
  const { cacheWriteTokens, cacheWriteHourTokens: long = 0 } = usage;
  const inputs: Part[] = [];
  let cachedMedia = 0;
  for (const medium of media) {
    const known = partsOf(medium, usage, prices);
    if (!known) return null;
    inputs.push(...known.parts);
    cachedMedia += known.cached;
  }
  addUnlessPlain(inputs, 'cachedInput', usage.cachedTokens - cachedMedia, prices);
  addUnlessPlain(inputs, 'cacheWrite', cacheWriteTokens - long, prices);
  inputs.push(['cacheWriteHour', long, prices.cacheWriteHour]);
  const outputs: Part[] = [];
  addUnlessPlain(outputs, 'reasoning', usage.reasoningTokens, prices);
  addUnlessPlain(outputs, 'imageOutput', usage.outputImageTokens ?? 0, prices);
  return [
    ['input', rest(usage.promptTokens, inputs), prices.input],
    ...inputs,
    ['output', rest(usage.completionTokens, outputs), prices.output],
    ...outputs,
  ];
}

/** A class without a price of its own stays among the plain tokens. */
function addUnlessPlain(
  parts: Part[],
  what: 'cachedInput' | 'cacheWrite' | 'reasoning' | 'imageOutput',
  tokens: number,
  prices: TokenPrices,
): void {
  const price = prices[what] ?? undefined;
  if (price !== undefined) parts.push([what, tokens, price]);
}

const rest = (all: number, apart: readonly Part[]): number =>
  all < 0 ? all : Math.max(0, all - apart.reduce((sum, [, tokens]) => sum + tokens, 0));

/** The input that is no text. The cache may hold a part of it, at a price of its own. */
const media = [
  {
    what: 'imageInput',
    cachedWhat: 'cachedImageInput',
    tokens: 'inputImageTokens',
    cached: 'cachedImageTokens',
    likeText: true,
  },
  {
    what: 'audioInput',
    cachedWhat: 'cachedAudioInput',
    tokens: 'inputAudioTokens',
    cached: 'cachedAudioTokens',
    likeText: false,
  },
] as const;

interface MediaParts {
  readonly parts: readonly Part[];
  /** Those among the cached tokens of the call. */
  readonly cached: number;
}

const none: MediaParts = { parts: [], cached: 0 };

/** None where they cost as much as text; null where it is not known how many of them have which price. */
function partsOf(medium: (typeof media)[number], usage: Usage, prices: TokenPrices): MediaParts | null {
  const tokens = usage[medium.tokens] ?? 0;
  const price = prices[medium.what] ?? (medium.likeText ? prices.input : undefined);
  const cachedPrice = prices[medium.cachedWhat];
  const cachedText = prices.cachedInput ?? prices.input;
  const isLikeText = price === prices.input && (cachedPrice ?? cachedText) === cachedText;
  if (tokens === 0 || isLikeText) return none;
  // What was written to a cache is not counted by medium.
  const isWritten = usage.cacheWriteTokens > 0 && (prices.cacheWrite ?? prices.input) !== prices.input;
  const cached = usage[medium.cached] ?? (usage.cachedTokens === 0 ? 0 : undefined);
  if (cached === undefined || isWritten) return null;
  return {
    parts: [
      [medium.what, tokens - cached, price],
      [medium.cachedWhat, cached, cachedPrice],
    ],
    cached,
  };
}
