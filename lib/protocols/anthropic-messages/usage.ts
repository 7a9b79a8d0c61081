/**
 * Token counts of the Messages API. On this wire the input count leaves out what was read from or written to a cache.
 */
import type { JsonObject } from '../../core/generation/request.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { asArray, asCount, asObject } from '../json.ts';

/** What a stream told before, with what it tells now: counts grow, and one that is not told again still holds. */
export function mergeUsage(known: JsonObject | undefined, told: unknown): JsonObject | undefined {
  const news = Object.entries(asObject(told)).filter(([, value]) => value !== null && value !== undefined);
  return known || news.length > 0 ? { ...known, ...Object.fromEntries(news) } : undefined;
}

/** The counts of a whole answer. Where it took several rounds, the top level counts only some of them. */
export function readUsage(usage: JsonObject): Usage {
  const iterations = asArray(usage.iterations).map(asObject);
  const rounds = iterations.length > 0 ? iterations : [usage];
  const sum = (name: string) => rounds.reduce((total, round) => total + asCount(round[name]), 0);
  const cachedTokens = sum('cache_read_input_tokens');
  const cacheWriteTokens = sum('cache_creation_input_tokens');
  const webSearches = asCount(asObject(usage.server_tool_use).web_search_requests);
  return {
    promptTokens: sum('input_tokens') + cachedTokens + cacheWriteTokens,
    cachedTokens,
    cacheWriteTokens,
    completionTokens: sum('output_tokens'),
    reasoningTokens: asCount(asObject(usage.output_tokens_details).thinking_tokens),
    ...(webSearches > 0 && { webSearches }),
  };
}
