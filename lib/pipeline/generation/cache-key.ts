/**
 * The `prompt_cache_key` of a request that has none, at providers that route by it: requests of one conversation then reach a
 * server that has the beginning of it in its cache.
 *
 * A prompt of fewer than 1,024 tokens is not cached. Sources: developers.openai.com/api/docs/guides/prompt-caching,
 * learn.microsoft.com/azure/ai-services/openai/how-to/prompt-caching
 */
import { hash } from 'node:crypto';
import type { GenerationRequest } from '../../core/generation/request.ts';
import { charactersOf } from '../../normalization/conversation/truncation.ts';
import { added, type Normalized } from '../../normalization/rule.ts';

/** In few languages are so few characters 1,024 tokens. */
const minCharacters = 2_048;

/** A hash says nothing of the conversation, nor of its tenant, and no tenant can make another's. */
export const cacheKeyOf = (conversation: string): string =>
  hash('sha256', `cache ${conversation}`).slice(0, 32);

const reason = 'The provider keeps requests with one key where their beginning is cached.';

/** `key`: undefined without a conversation. */
export function withCacheKey(request: GenerationRequest, key: () => string | undefined): Normalized {
  const { parameters } = request;
  const isCached = parameters.prompt_cache_key === undefined && charactersOf(request) >= minCharacters;
  const own = isCached ? key() : undefined;
  if (own === undefined) return { request, changes: [] };
  return {
    request: { ...request, parameters: { ...parameters, prompt_cache_key: own } },
    changes: [added('prompt_cache_key', own, reason)],
  };
}
