/**
 * Token counts of the Gemini wire: thoughts are counted beside the answer, cached tokens inside the prompt.
 */
import type { Usage } from '../../core/generation/usage.ts';
import { asCount, asObject } from '../json.ts';

/** Undefined where the metadata counts nothing (some frames only name the kind of traffic). */
export function readUsage(metadata: unknown): Usage | undefined {
  const counts = asObject(metadata);
  if (counts.promptTokenCount === undefined && counts.totalTokenCount === undefined) return undefined;
  const promptTokens = asCount(counts.promptTokenCount) + asCount(counts.toolUsePromptTokenCount);
  const reasoningTokens = asCount(counts.thoughtsTokenCount);
  return {
    promptTokens,
    cachedTokens: Math.min(asCount(counts.cachedContentTokenCount), promptTokens),
    cacheWriteTokens: 0,
    completionTokens: asCount(counts.candidatesTokenCount) + reasoningTokens,
    reasoningTokens,
  };
}
