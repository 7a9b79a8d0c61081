/**
 * Token counts of one answer, with the same meaning for every provider.
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
  /** Part of `completionTokens`; 0 if the provider does not report them. */
  readonly reasoningTokens: number;
  /** Part of `promptTokens`, of input images; absent if the protocol does not report them. */
  readonly inputImageTokens?: number;
  /** Part of `promptTokens`, of sound, that of videos too; absent: none. */
  readonly inputAudioTokens?: number;
  /** Part of `completionTokens`, of generated images. */
  readonly outputImageTokens?: number;
  /** Web searches that the provider charges for; absent: none. */
  readonly webSearches?: number;
  /** Calls of other tools of the provider that cost more than their tokens; no price of these is known. Absent: none. */
  readonly hostedCalls?: number;
  /** All tokens, where a service tier was used whose prices the catalog does not have; absent: none. */
  readonly otherTierTokens?: number;
  /** The parts of a sum, one for each call of the provider: prices may depend on the length of one call. */
  readonly calls?: readonly Usage[];
}

/** Usage in the internal form, and the usage object of upstream. */
export interface Counted {
  readonly usage: Usage;
  readonly raw: JsonObject;
}

export function totalTokens(usage: Usage): number {
  return usage.promptTokens + usage.completionTokens;
}

/** The use of two calls for one answer. */
export function addUsage(one: Usage, other: Usage): Usage {
  const { calls: _, ...ones } = one;
  const { calls: __, ...others } = other;
  const names = Object.keys({ ...ones, ...others }) as (keyof typeof ones)[];
  const sums = Object.fromEntries(names.map((name) => [name, (ones[name] ?? 0) + (others[name] ?? 0)]));
  return { ...ones, ...sums, calls: [...(one.calls ?? [one]), ...(other.calls ?? [other])] };
}
