/**
 * Token counts of the Converse API. On this wire the input count leaves out what was read from or written to a cache,
 * and nothing tells how much of the output was reasoning.
 */
import type { JsonObject } from '../../core/generation/request.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { asCount } from '../json.ts';

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
