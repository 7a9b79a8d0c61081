/**
 * Token counts of the Converse API. The input count excludes tokens read from or written to a cache, and the number of
 * reasoning tokens is not reported.
 */
import type { JsonObject } from '../../core/generation/request.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { asCount, asObject } from '../json.ts';
import { joinTiers, readServiceTier } from '../service-tier.ts';

export function readUsage(usage: JsonObject): Usage {
  const cachedTokens = asCount(usage.cacheReadInputTokens);
  const cacheWriteTokens = asCount(usage.cacheWriteInputTokens);
  return {
    promptTokens: asCount(usage.inputTokens) + cachedTokens + cacheWriteTokens,
    cachedTokens,
    cacheWriteTokens,
    completionTokens: asCount(usage.outputTokens),
    reasoningTokens: 0,
  };
}

/**
 * The tier and the latency that the answer names: both have prices of their own.
 * Source: ServiceTier and PerformanceConfiguration of ConverseStreamMetadataEvent.
 */
export function readTier({ serviceTier, performanceConfig }: JsonObject): string | undefined {
  return joinTiers(
    readServiceTier(asObject(serviceTier).type),
    readServiceTier(asObject(performanceConfig).latency),
  );
}
