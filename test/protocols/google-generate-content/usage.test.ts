/** Gemini's usage: cached tokens are part of the prompt, thoughts are not part of the answer. */
import { expect, test } from 'vitest';
import { readUsage } from '../../../lib/protocols/google-generate-content/usage.ts';

test('cached tokens are counted once, thoughts are added', () => {
  const metadata = {
    cachedContentTokenCount: 3512,
    candidatesTokenCount: 2,
    promptTokenCount: 3520,
    thoughtsTokenCount: 42,
    totalTokenCount: 3564,
  };
  expect(readUsage(metadata)).toEqual({
    promptTokens: 3520,
    cachedTokens: 3512,
    cacheWriteTokens: 0,
    completionTokens: 44,
    reasoningTokens: 42,
  });
});
