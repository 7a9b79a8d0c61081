/**
 * Token counts of the OpenAI chat protocol. Hosts report them in different places and under different names; which counts
 * include which is the same for all hosts but one.
 */

import { asArray, asObject, isJsonObject } from '../../core/formats/json-object.ts';
import type { Counted, Usage } from '../../core/generation/usage.ts';
import { readStatedCost } from '../counts.ts';
import { asCount, isMiscounted } from '../json.ts';
import type * as wire from './wire.ts';

/** The usage of a body or chunk, or undefined if it has none. */
export function readUsage(chunk: wire.Answer): Counted | undefined {
  const counts = countsOf(chunk);
  if (!counts || isMiscounted(...tokensOf(counts))) return undefined;
  return { usage: toUsage(counts), raw: counts };
}

/** Every piece of a stream is asked, and few have them. */
function countsOf({ usage, x_groq, choices }: wire.Answer): wire.Usage | undefined {
  if (isComplete(usage)) return usage;
  const groq = asObject<wire.GroqAnswer>(x_groq).usage;
  if (isComplete(groq)) return groq;
  for (const choice of asArray(choices)) {
    const own = asObject<wire.Choice>(choice).usage;
    if (isComplete(own)) return own;
  }
  return undefined;
}

function isComplete(counts: unknown): counts is wire.Usage {
  if (!isJsonObject(counts)) return false;
  return typeof counts.prompt_tokens === 'number' || typeof counts.completion_tokens === 'number';
}

/** Details that a host does not have are null. */
function tokensOf({ prompt_tokens, completion_tokens, ...counts }: wire.Usage): readonly unknown[] {
  const { cached_tokens, cache_write_tokens, audio_tokens } = asObject<wire.PromptDetails>(
    counts.prompt_tokens_details,
  );
  const { reasoning_tokens } = asObject<wire.CompletionDetails>(counts.completion_tokens_details);
  const details = [cached_tokens, cache_write_tokens, audio_tokens, reasoning_tokens];
  return [prompt_tokens, completion_tokens, ...details.map((detail) => detail ?? 0)];
}

function toUsage(counts: wire.Usage): Usage {
  const prompt = asObject<wire.PromptDetails>(counts.prompt_tokens_details);
  const promptTokens = asCount(counts.prompt_tokens);
  const inputAudioTokens = Math.min(asCount(prompt.audio_tokens), promptTokens);
  const answerTokens = asCount(counts.completion_tokens);
  const reasoning = asCount(
    asObject<wire.CompletionDetails>(counts.completion_tokens_details).reasoning_tokens,
  );
  // xAI reports reasoning separately from the answer; only its total includes both.
  const isBeside = asCount(counts.total_tokens) === promptTokens + answerTokens + reasoning;
  const completionTokens = isBeside ? answerTokens + reasoning : answerTokens;
  const cached =
    prompt.cached_tokens ??
    counts.prompt_cache_hit_tokens ??
    counts.cached_tokens ??
    counts.num_cached_tokens;
  const statedCost = readStatedCost(counts);
  // xAI's search beside the chat is charged for by source.
  const sources = asCount(counts.num_sources_used);
  return {
    promptTokens,
    cachedTokens: Math.min(asCount(cached), promptTokens),
    cacheWriteTokens: asCount(prompt.cache_write_tokens ?? prompt.cache_creation_input_tokens),
    completionTokens,
    reasoningTokens: Math.min(reasoning, completionTokens),
    ...(inputAudioTokens > 0 && { inputAudioTokens }),
    ...(sources > 0 && { hostedCalls: { live_search: sources } }),
    ...(statedCost !== undefined && { statedCost }),
  };
}
