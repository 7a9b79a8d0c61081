/** What a request can come to at most, so that it can be reserved before any target is called. */
import { priceOf } from '../core/accounting/price.ts';
import type { Target } from '../core/model.ts';
import type { MaxUse } from '../core/ports/metering.ts';
import { highestCost, type MaxTokens } from '../metering/cost.ts';

/** The use at the most expensive target: which one answers is known only when it is too late to refuse. */
export function maxUse(
  targets: readonly Target[],
  maxTokens: (target: Target) => MaxTokens,
  seconds: number,
): MaxUse {
  const uses = targets.map((target): MaxUse => {
    const tokens = maxTokens(target);
    const cost = highestCost(tokens, priceOf(target, seconds)?.price);
    return { inputTokens: tokens.input, outputTokens: tokens.output, cost };
  });
  const costs = uses.map(({ cost }) => cost);
  return {
    inputTokens: Math.max(...uses.map(({ inputTokens }) => inputTokens)),
    outputTokens: Math.max(...uses.map(({ outputTokens }) => outputTokens)),
    cost: costs.some((cost) => cost === null) ? null : Math.max(...costs.map((cost) => cost ?? 0)),
  };
}
