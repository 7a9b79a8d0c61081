/**
 * Token counts of the Converse API. The input count excludes tokens read from or written to a cache, and the number of
 * reasoning tokens is not reported.
 */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import { hostedCallsOf, type ToolCounts } from '../../core/generation/tools/tool-counts.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { asCount, isMiscounted } from '../json.ts';
import { joinTiers, readServiceTier } from '../service-tier.ts';
import type * as wire from './wire.ts';

/** `shown`: the calls of the provider's tools in the answer. Undefined if a count is none. */
export function readUsage(usage: wire.Usage, shown: ToolCounts = {}): Usage | undefined {
  if (isMiscounted(usage.inputTokens, usage.outputTokens)) return undefined;
  const cachedTokens = asCount(usage.cacheReadInputTokens);
  const cacheWriteTokens = asCount(usage.cacheWriteInputTokens);
  const hourTokens = Math.min(hourTokensOf(usage), cacheWriteTokens);
  return {
    promptTokens: asCount(usage.inputTokens) + cachedTokens + cacheWriteTokens,
    cachedTokens,
    cacheWriteTokens,
    ...(hourTokens > 0 && { cacheWriteHourTokens: hourTokens }),
    completionTokens: asCount(usage.outputTokens),
    reasoningTokens: 0,
    ...hostedCallsOf(shown),
  };
}

/** What was written to the cache for an hour, which costs more than for five minutes. Source: CacheDetail of TokenUsage. */
const hourTokensOf = ({ cacheDetails }: wire.Usage): number =>
  asArray(cacheDetails)
    .map(asObject<wire.CacheDetail>)
    .reduce((sum, { ttl, inputTokens }) => sum + (ttl === '1h' ? asCount(inputTokens) : 0), 0);

/**
 * The tier and the latency that the answer names: both have prices of their own.
 * Source: ServiceTier and PerformanceConfiguration of ConverseStreamMetadataEvent.
 */
export function readTier({ serviceTier, performanceConfig }: wire.Answer): string | undefined {
  return joinTiers(
    readServiceTier(asObject<wire.ServiceTier>(serviceTier).type),
    readServiceTier(asObject<wire.Performance>(performanceConfig).latency),
  );
}
