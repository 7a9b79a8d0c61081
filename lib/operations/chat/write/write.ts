/** What both forms of a chat answer share: identity, usage, finish reasons, calls and reasoning in the public shape. */
import type { GenerationEvent, TokenLogprob } from '../../../core/generation/events.ts';
import { isPublicTier } from '../../../core/generation/parameters.ts';
import type { ReasoningDetail, ToolIdentity } from '../../../core/generation/request.ts';
import { totalTokens, type Usage } from '../../../core/generation/usage.ts';

/** What is the same in every chunk of an answer. */
export interface ChatIdentity {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  /** The `owner/model` that answers. */
  readonly model: string;
}

export function writeUsage(usage: Usage): object {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: totalTokens(usage),
    prompt_tokens_details: {
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      ...(usage.inputAudioTokens !== undefined && { audio_tokens: usage.inputAudioTokens }),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

export function writeDetail(detail: ReasoningDetail): object {
  const { type, format, index, id, ...content } = detail;
  return { type, ...content, format, index, ...(id !== undefined && { id }) };
}

/** What a call calls, in the form of its kind. `text`: the arguments, or the input of a custom tool. */
export function writeCalled({ name, kind }: ToolIdentity, text: string): object {
  return kind === 'custom'
    ? { type: 'custom', custom: { name, input: text } }
    : { type: 'function', function: { name, arguments: text } };
}

/** What the provider reports about how it answered. */
export function writeMeta({ fingerprint, serviceTier }: GenerationEvent & { type: 'start' }): object {
  return {
    ...(fingerprint !== undefined && { system_fingerprint: fingerprint }),
    ...(isPublicTier(serviceTier) && { service_tier: serviceTier }),
  };
}

export function writeLogprobs(logprobs: {
  readonly content: readonly TokenLogprob[];
  readonly refusal: readonly TokenLogprob[];
}): object {
  const { content, refusal } = logprobs;
  return { content: content.length > 0 ? content : null, refusal: refusal.length > 0 ? refusal : null };
}
