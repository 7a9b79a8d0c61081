/** What the tests of block wires' decoders expect of usage. */
import { expect } from 'vitest';
import type { GenerationEvent } from '../../lib/core/generation/events.ts';

/** The counts that the samples of block wires name: 10 in, 5 out; in the wire's own words besides. */
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
