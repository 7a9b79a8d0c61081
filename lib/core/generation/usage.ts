/**
 * Token counts of one answer, normalized: what is inside what is the same whichever provider counted.
 */
import type { JsonObject } from './request.ts';

export interface Usage {
  /** All input tokens: uncached, read from a cache and written to one. */
  readonly promptTokens: number;
  /** Part of `promptTokens`. */
  readonly cachedTokens: number;
  /** Part of `promptTokens`. */
  readonly cacheWriteTokens: number;
  /** All output tokens, reasoning included. */
  readonly completionTokens: number;
  /** Part of `completionTokens`; 0 where the provider does not tell. */
  readonly reasoningTokens: number;
  /** Part of `promptTokens`, of pictures that the model was shown; absent where the wire does not tell. */
  readonly inputImageTokens?: number;
  /** Part of `completionTokens`, of pictures that the model drew. */
  readonly outputImageTokens?: number;
  /** Searches of the web that the provider made and charges for; absent: none. */
  readonly webSearches?: number;
}

/** What upstream counted: in the house's words and in its own. */
export interface Counted {
  readonly usage: Usage;
  readonly raw: JsonObject;
}

export function totalTokens(usage: Usage): number {
  return usage.promptTokens + usage.completionTokens;
}
