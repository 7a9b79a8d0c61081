/** What a tenant can be charged for a request at most, so that it can be reserved before any target is called. */
import { priceOf } from '../core/accounting/price.ts';
import { type Pricing, tariffOf } from '../core/accounting/pricing.ts';
import type { Price, Target } from '../core/model.ts';
import type { MaxUse } from '../core/ports/metering.ts';
import { boundWithMarkup } from '../metering/charge.ts';
import { highestCost, type MaxTokens } from '../metering/cost.ts';

/** The use at the most expensive target: which one answers is known only when it is too late to refuse. */
export function maxUse(
  targets: readonly Target[],
  maxTokens: (target: Target) => MaxTokens,
  { seconds, pricing }: { readonly seconds: number; readonly pricing: Pricing | undefined },
): MaxUse {
  const uses = targets.map((target): MaxUse => {
    const tokens = maxTokens(target);
    const tariff = tariffOf(pricing, target.model.id, seconds);
    const costAt = (price: Price | undefined) => highestCost(tokens, price);
    const cost =
      'price' in tariff
        ? costAt(tariff.price)
        : boundWithMarkup(costAt(priceOf(target, seconds)?.price), tariff);
    return { inputTokens: tokens.input, outputTokens: tokens.output, cost };
  });
  const costs = uses.map(({ cost }) => cost);
  return {
    inputTokens: Math.max(...uses.map(({ inputTokens }) => inputTokens)),
    outputTokens: Math.max(...uses.map(({ outputTokens }) => outputTokens)),
    cost: costs.some((cost) => cost === null) ? null : Math.max(...costs.map((cost) => cost ?? 0)),
  };
}
