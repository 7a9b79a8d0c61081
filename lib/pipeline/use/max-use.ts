/** What a request can come to at most, so that it can be reserved before any target is called. */
import { priceOf } from '../../core/accounting/price.ts';
import { type Pricing, tariffOf } from '../../core/accounting/pricing.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { MaxUse } from '../../core/ports/metering.ts';
import { boundWithMarkup } from '../../metering/cost/charge.ts';
import { highestCost, type MaxTokens } from '../../metering/limits/highest-cost.ts';

/** The use at the most expensive target: which one answers is known only when it is too late to refuse. */
export function maxUse(
  targets: readonly Target[],
  maxTokens: (target: Target) => MaxTokens,
  seconds: number,
  pricing: Pricing | undefined,
): MaxUse {
  const uses = targets.map((target) => {
    const tokens = maxTokens(target);
    return { tokens, charge: highestCharge(tokens, target, seconds, pricing) };
  });
  const highest = (count: (tokens: MaxTokens) => number) =>
    Math.max(...uses.map(({ tokens }) => count(tokens)));
  const expected = uses.flatMap(({ tokens: { usualOutput } }) => usualOutput ?? []);
  return {
    fixed: {
      tokens: highest(({ input }) => input),
      amount: highestOf(uses.map(({ charge }) => charge.fixed)),
    },
    perOutputToken: { tokens: 1, amount: highestOf(uses.map(({ charge }) => charge.perOutputToken)) },
    output: {
      max: highest(({ output }) => output),
      min: highest(({ output, minOutput = output }) => minOutput),
      ...(expected.length > 0 && { expected: Math.max(...expected) }),
    },
  };
}

interface HighestCharge {
  readonly fixed: number | null;
  readonly perOutputToken: number | null;
}

function highestCharge(
  tokens: MaxTokens,
  target: Target,
  seconds: number,
  pricing: Pricing | undefined,
): HighestCharge {
  const tariff = tariffOf(pricing, target.model.id, seconds);
  const cost =
    'price' in tariff
      ? highestCost(withoutTier(tokens), tariff.price, seconds * 1000)
      : highestCost(tokens, priceOf(target, seconds)?.price, seconds * 1000);
  if (!cost) return { fixed: null, perOutputToken: null };
  if ('price' in tariff) return cost;
  return {
    fixed: boundWithMarkup(cost.fixed, tariff),
    perOutputToken: boundWithMarkup(cost.perOutputToken, tariff),
  };
}

/** A tenant's fixed price is that of every tier. */
const withoutTier = ({ tier: _, ...tokens }: MaxTokens): MaxTokens => tokens;

const highestOf = (amounts: readonly (number | null)[]): number | null =>
  amounts.some((amount) => amount === null) ? null : Math.max(...amounts.map((amount) => amount ?? 0));
