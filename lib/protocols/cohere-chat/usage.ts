/** Token counts of Cohere. `tokens` is what the model read and wrote; `billed_units` excludes what Cohere added. */

import { asObject } from '../../core/formats/json-object.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { asCount, isMiscounted } from '../json.ts';
import type * as wire from './wire.ts';

/** Undefined if there are no counts. Cached tokens are part of the input. */
export function readUsage(value: unknown): Usage | undefined {
  const { tokens, billed_units, cached_tokens } = asObject<wire.Usage>(value);
  const counts = tokens ?? billed_units;
  if (typeof counts !== 'object' || counts === null) return undefined;
  const { input_tokens, output_tokens } = asObject<wire.Tokens>(counts);
  if (isMiscounted(input_tokens, output_tokens)) return undefined;
  const promptTokens = asCount(input_tokens);
  return {
    promptTokens,
    cachedTokens: Math.min(asCount(cached_tokens), promptTokens),
    cacheWriteTokens: 0,
    completionTokens: asCount(output_tokens),
    reasoningTokens: 0,
  };
}
