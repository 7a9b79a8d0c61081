/** Token counts for tests of costs. */
import type { Usage } from '../../lib/core/generation/usage.ts';

const none: Usage = {
  promptTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
};

export const usageOf = (counts: Partial<Usage>): Usage => ({ ...none, ...counts });
