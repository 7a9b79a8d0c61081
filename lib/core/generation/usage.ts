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
  /** Part of `cacheWriteTokens`, kept longer than by default: an hour (Anthropic) or a day (OpenAI). Absent: none. */
  readonly cacheWriteHourTokens?: number;
  /** All output tokens, reasoning included. */
  readonly completionTokens: number;
  /** Part of `completionTokens`; 0 if the provider does not report them. */
  readonly reasoningTokens: number;
  /** Part of `promptTokens`, of input images; absent if the protocol does not report them. */
  readonly inputImageTokens?: number;
  /** Part of `promptTokens`, of audio, that of videos too; absent: none. */
  readonly inputAudioTokens?: number;
  /** Parts of `cachedTokens`, of images and of audio; absent: unknown. */
  readonly cachedImageTokens?: number;
  readonly cachedAudioTokens?: number;
  /** Part of `completionTokens`, of generated images. */
  readonly outputImageTokens?: number;
  /** Web searches that the provider charges for; absent: none. */
  readonly webSearches?: number;
  /** Generated images, where the provider charges for each of them; absent: none. */
  readonly images?: number;
  /** Images that were sent to be edited, where the provider charges for each of them; absent: none. */
  readonly inputImages?: number;
  /** Search units, in which some providers charge for reranking; absent: none, or unknown. */
  readonly searchUnits?: number;
  /** Characters that were spoken, where the provider charges for them; absent: none. */
  readonly characters?: number;
  /** Milliseconds of audio that was transcribed, where the provider charges for its time; absent: none. */
  readonly audioMs?: number;
  /** Calls of the provider's other tools that cost more than their tokens, by the tool's name; absent: none. */
  readonly hostedCalls?: Readonly<Record<string, number>>;
  /** What was kept at the provider as cached content for later requests; absent: nothing. */
  readonly cacheStorage?: CacheStorage;
  /** What the provider itself reports as the cost, in nano-dollars; absent: it does not. */
  readonly statedCost?: number;
  /** The parts of a sum, one for each call of the provider: prices may depend on the length of one call. */
  readonly calls?: readonly Usage[];
}

/** The use of a call of which nothing was cached, nor is more known. */
export const plainUsage = (promptTokens: number, completionTokens: number): Usage => ({
  promptTokens,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens,
  reasoningTokens: 0,
});

/** The use of a call that has generated nothing. */
export const inputOnly = (promptTokens: number): Usage => plainUsage(promptTokens, 0);

/** Tokens that a provider keeps for a time, and charges for. */
export interface CacheStorage {
  readonly tokens: number;
  readonly seconds: number;
}

/** Usage in the internal format, and the usage object of upstream. */
export interface Counted {
  readonly usage: Usage;
  readonly raw: JsonObject;
  /** The service tier that the answer names; absent: none. */
  readonly serviceTier?: string;
}

export function totalTokens(usage: Usage): number {
  return usage.promptTokens + usage.completionTokens;
}

/**
 * The use of two calls for one answer. A cost that only one of them states is no cost of both, and the time of stored tokens is
 * the longer one: what each costs is counted by the parts.
 */
export function addUsage(one: Usage, other: Usage): Usage {
  return { ...added(one, other), calls: [...(one.calls ?? [one]), ...(other.calls ?? [other])] };
}

function added(one: Usage, other: Usage): Usage {
  const { calls: _, hostedCalls: oneTools, cacheStorage: oneStorage, statedCost: oneCost, ...ones } = one;
  const { calls: __, hostedCalls, cacheStorage, statedCost, ...others } = other;
  const stored =
    oneStorage && cacheStorage ? addStorage(oneStorage, cacheStorage) : (oneStorage ?? cacheStorage);
  return {
    ...ones,
    ...others,
    ...addCounts(ones, others),
    ...((oneTools ?? hostedCalls) && { hostedCalls: addCounts(oneTools ?? {}, hostedCalls ?? {}) }),
    ...(stored && { cacheStorage: stored }),
    ...(oneCost !== undefined && statedCost !== undefined && { statedCost: oneCost + statedCost }),
  };
}

function addCounts<Name extends string>(
  one: Readonly<Partial<Record<Name, number>>>,
  other: Readonly<Partial<Record<Name, number>>>,
): Readonly<Record<Name, number>> {
  const names = Object.keys({ ...one, ...other }) as Name[];
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)])) as Record<
    Name,
    number
  >;
}

const addStorage = (one: CacheStorage, other: CacheStorage): CacheStorage => ({
  tokens: one.tokens + other.tokens,
  seconds: Math.max(one.seconds, other.seconds),
});
