/**
 * The thinking effort of a Gemini model: either a level or a number of tokens, never both.
 */

import type { ReasoningTraits } from '../../core/catalog/model.ts';
import type { ReasoningEffort } from '../../core/generation/request.ts';
import type * as wire from './wire.ts';

/** Tokens, as in Google's own OpenAI-compatible API. The two highest efforts mean the model's maximum. */
const budgets: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};

/** The part of `generationConfig` that is about thinking. `tokens`: in place of an effort. */
export function encodeThinking(
  effort: ReasoningEffort | undefined,
  traits: ReasoningTraits | undefined,
  tokens?: number,
): wire.Config {
  if (tokens !== undefined) return thinking({ thinkingBudget: tokens, includeThoughts: tokens > 0 });
  if (effort === undefined) return traits === undefined ? {} : thinking({ includeThoughts: true });
  if (traits?.style === 'level') return thinking({ thinkingLevel: effort, includeThoughts: true });
  if (traits?.style === 'budget') {
    const thinkingBudget = budgetOf(effort, traits);
    return thinking({ thinkingBudget, includeThoughts: thinkingBudget > 0 });
  }
  // Not a style of Google's models: sent so that Google rejects it.
  return { reasoning_effort: effort };
}

const thinking = (thinkingConfig: wire.ThinkingConfig): wire.Config => ({ thinkingConfig });

/** The thinking tokens of an effort, in the model's range. */
export function budgetOf(effort: ReasoningEffort, { budget }: ReasoningTraits): number {
  // Not within the model's range: a model that always thinks rejects it, as it should.
  if (effort === 'none') return 0;
  if (budget === undefined) return budgets[effort];
  const wanted = effort === 'xhigh' || effort === 'max' ? budget.max : budgets[effort];
  return Math.min(Math.max(wanted, budget.min), budget.max);
}
