/** The expected usage in the decoder tests of protocols with blocks. */
import { expect } from 'vitest';
import type { GenerationEvent } from '../../lib/core/generation/events.ts';

/** The usage in the samples of these protocols: 10 input tokens, 5 output tokens, and the reported object. */
export const usage = (parts: object = {}): GenerationEvent => ({
  type: 'usage',
  usage: {
    promptTokens: 10,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    completionTokens: 5,
    reasoningTokens: 0,
    ...parts,
  },
  raw: expect.any(Object),
});
