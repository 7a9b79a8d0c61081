/**
 * What Claude models want whichever wire carries them: how they are told to think, and how long a cached prefix lives.
 */
import { cacheSeconds } from '../core/generation/cache-lifetime.ts';
import { claudeFormat } from '../core/generation/reasoning-format.ts';
import type {
  CacheControl,
  JsonObject,
  ReasoningDetail,
  ReasoningEffort,
} from '../core/generation/request.ts';
import type { ReasoningTraits, Target } from '../core/model.ts';

/** Thinking tokens for each effort; a range in the model's traits narrows them. */
const budgets: Record<ReasoningEffort, number> = {
  none: 0,
  minimal: 1024,
  low: 2048,
  medium: 10_000,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
};

/** How many tokens of thinking an effort means, before a model's own range narrows them. */
export function thinkingTokens(effort: ReasoningEffort): number {
  return budgets[effort];
}

/** The least number of thinking tokens that Claude takes. */
const leastBudget = 1024;

/**
 * The fields `thinking` and `output_config` for an effort the model has. Empty where the effort needs no field, or
 * where `maxTokens` leaves no room for the least budget. Undefined for a style that is not Claude's.
 */
export function encodeThinking(
  effort: ReasoningEffort,
  traits: ReasoningTraits,
  maxTokens: number | undefined,
): { readonly thinking?: JsonObject; readonly output_config?: JsonObject } | undefined {
  if (traits.style !== 'adaptive' && traits.style !== 'budget') return undefined;
  if (effort === 'none') return traits.off === 'disabled' ? { thinking: { type: 'disabled' } } : {};
  if (traits.style === 'adaptive') {
    return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort } };
  }
  const budget = fitBudget(budgets[effort], traits, maxTokens);
  return budget === undefined ? {} : { thinking: { type: 'enabled', budget_tokens: budget } };
}

function fitBudget(wanted: number, traits: ReasoningTraits, maxTokens = Number.POSITIVE_INFINITY) {
  const least = traits.budget?.min ?? leastBudget;
  const most = Math.min(traits.budget?.max ?? Number.POSITIVE_INFINITY, maxTokens - 1);
  return most < least ? undefined : Math.min(Math.max(wanted, least), most);
}

/** Whether the model will think: as told by the fields that are sent, else as it does by itself. */
export function willThink(
  thinking: JsonObject | undefined,
  effort: ReasoningEffort | undefined,
  target: Target,
) {
  if (thinking) return thinking.type !== 'disabled';
  return effort === undefined && (target.model.traits.reasoning?.defaultEffort ?? 'none') !== 'none';
}

/** A piece of reasoning that Claude can take back, signed or redacted, and its place in the message. */
export type ReturnableReasoning = { readonly place: number } & (
  | { readonly type: 'signed'; readonly text: string; readonly signature: string }
  | { readonly type: 'redacted'; readonly data: string }
);

/**
 * The pieces that can go back to Claude, in their order. What others made, and text without a signature, has no place
 * on the wire and is left out here; a normalization rule has told the caller before.
 */
export function returnableReasoning(details: readonly ReasoningDetail[]): readonly ReturnableReasoning[] {
  return details.flatMap((detail): ReturnableReasoning[] => {
    if (detail.format !== claudeFormat) return [];
    const place = detail.place ?? detail.index;
    if (detail.type === 'reasoning.encrypted') return [{ type: 'redacted', data: detail.data, place }];
    if (detail.type !== 'reasoning.text' || detail.signature === undefined) return [];
    return [{ type: 'signed', text: detail.text, signature: detail.signature, place }];
  });
}

/**
 * The lifetime of a caching marker as Claude names it: `5m` for up to 300 seconds, else `1h`. A text that is no time is
 * passed as it is, for the provider to refuse. Undefined where the caller named none.
 */
export function cacheLifetime(marker: CacheControl): string | undefined {
  if (marker.ttl === undefined) return undefined;
  const seconds = cacheSeconds(marker);
  if (seconds === undefined) return marker.ttl;
  return seconds <= 300 ? '5m' : '1h';
}
