/**
 * Token counts of one answer, normalized: what is inside what is the same whichever provider counted.
 */
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
}

export function totalTokens(usage: Usage): number {
  return usage.promptTokens + usage.completionTokens;
}
