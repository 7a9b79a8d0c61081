/**
 * What Claude models need in every protocol: the thinking configuration, and the lifetime of a cached prefix.
 */

import type { ReasoningTraits, Target } from '../core/catalog/model.ts';
import { cacheSeconds } from '../core/generation/content.ts';
import {
  json,
  type NativeField,
  type NativeFields,
  type NativeReading,
  number,
  object,
  over,
  sameChoice,
  text,
} from '../core/generation/original/native-fields.ts';
import { reasoningEfforts, thinkingTokens } from '../core/generation/parameters.ts';
import { claudeFormat } from '../core/generation/reasoning-format.ts';
import type {
  CacheControl,
  GenerationParameters,
  JsonObject,
  ReasoningDetail,
  ReasoningEffort,
} from '../core/generation/request.ts';

/** How long Claude caches a prefix: an hour costs more to write than five minutes. */
export const claudeLifetimes: readonly string[] = ['5m', '1h'];

/** The minimum number of thinking tokens that Claude accepts. */
const minBudget = 1024;

/**
 * The fields `thinking` and `output_config` for an effort. Empty if the effort needs no field. Undefined for a style that is
 * not Claude's. A rule keeps the budget below the token limit.
 */
export function encodeThinking(
  effort: ReasoningEffort,
  traits: ReasoningTraits,
): { readonly thinking?: JsonObject; readonly output_config?: JsonObject } | undefined {
  if (traits.style !== 'adaptive' && traits.style !== 'budget') return undefined;
  // A model that always thinks rejects it, which is better than thinking all the same.
  const isOff = traits.off === 'omit' && traits.efforts.includes('none');
  if (effort === 'none') return isOff ? {} : { thinking: { type: 'disabled' } };
  if (traits.style === 'adaptive') {
    return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort } };
  }
  return { thinking: { type: 'enabled', budget_tokens: withinRange(thinkingTokens[effort], traits) } };
}

/** The field `thinking` for a number of tokens, which the rules have fitted to the model. */
export function encodeThinkingTokens(tokens: number): { readonly thinking: JsonObject } {
  return {
    thinking: tokens === 0 ? { type: 'disabled' } : { type: 'enabled', budget_tokens: tokens },
  };
}

function withinRange(wanted: number, { budget }: ReasoningTraits): number {
  return Math.min(Math.max(wanted, budget?.min ?? minBudget), budget?.max ?? Number.POSITIVE_INFINITY);
}

/** Whether the model will think, according to the fields that are sent, else by its default. */
export function willThink(
  thinking: JsonObject | undefined,
  effort: ReasoningEffort | undefined,
  target: Target,
) {
  if (thinking) return thinking.type !== 'disabled';
  return effort === undefined && (target.model.traits.reasoning?.defaultEffort ?? 'none') !== 'none';
}

/** A piece of reasoning that can be sent back to Claude, signed or redacted, and its position in the message. */
type ReturnableReasoning = { readonly position: number } & (
  | { readonly type: 'signed'; readonly text: string; readonly signature: string }
  | { readonly type: 'redacted'; readonly data: string }
);

/**
 * The pieces that can be sent back to Claude, in order. Reasoning of other models and text without a signature cannot be
 * sent and are omitted here; a normalization rule has reported that.
 */
export function returnableReasoning(details: readonly ReasoningDetail[]): readonly ReturnableReasoning[] {
  return details.flatMap((detail): ReturnableReasoning[] => {
    if (detail.format !== claudeFormat) return [];
    const position = detail.position ?? detail.index;
    if (detail.type === 'reasoning.encrypted') return [{ type: 'redacted', data: detail.data, position }];
    if (detail.type !== 'reasoning.text' || detail.signature === undefined) return [];
    return [{ type: 'signed', text: detail.text, signature: detail.signature, position }];
  });
}

/**
 * The lifetime of a cache marker in Claude's format: `5m` for up to 300 seconds, else `1h`. An invalid value is passed
 * unchanged, for the provider to reject. Undefined if the caller set none.
 */
export function cacheLifetime(marker: CacheControl): string | undefined {
  if (marker.ttl === undefined) return undefined;
  const seconds = cacheSeconds(marker);
  if (seconds === undefined) return marker.ttl;
  return seconds <= 300 ? '5m' : '1h';
}

/**
 * The fields of Claude that callers may give as `native_fields`, in the Messages API and on Bedrock. Sources:
 * MessageCreateParams in Anthropic's SDKs; its guides "Extended thinking" and "Adaptive thinking".
 */
interface Thinking {
  readonly type?: string;
  readonly budget_tokens?: number;
  readonly display?: string;
}

/** A budget is within the limit of the answer, so the rules must know of it. */
function readThinking(value: Thinking, { reasoning_effort: effort }: GenerationParameters): NativeReading {
  const { type, budget_tokens: budget, display } = value;
  const left: JsonObject = display === 'omitted' ? { thinking: { display } } : {};
  if (type === 'disabled')
    return { parameters: { reasoning_effort: 'none', reasoning_max_tokens: undefined } };
  if (budget !== undefined)
    return { parameters: { reasoning_effort: undefined, reasoning_max_tokens: budget }, left };
  const kept = effort === 'none' ? { reasoning_effort: undefined } : {};
  return { parameters: { reasoning_max_tokens: undefined, ...kept }, left: { thinking: { ...value } } };
}

const thinking: NativeField = object(
  {
    type: { type: 'text', values: ['enabled', 'disabled', 'adaptive'] },
    budget_tokens: { type: 'count' },
    display: text,
  },
  { reads: readThinking },
);

/** How a Claude model thinks and samples. */
export const claudeFields: NativeFields = {
  thinking,
  output_config: object({
    effort: sameChoice('reasoning_effort', reasoningEfforts),
    format: over(json, 'response_format'),
  }),
  top_k: over(number, 'top_k'),
};
