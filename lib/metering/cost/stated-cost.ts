/** Compares what a provider states as its cost with what was computed: a difference means that a price is wrong. */
import type { FinishedAttempt } from '../../core/accounting/ledger.ts';
import { servedOf } from './bill.ts';
import { costOf } from './cost.ts';

export const differenceMessage = 'usage cost differs';

/** Differences of rounding: a millionth of a dollar, or a percent of a larger cost. */
const smallestDifference = 1_000;
const smallestShare = 0.01;

/** In nano-dollars; `computed` is null where it is unknown. */
interface StatedDifference {
  readonly model: string;
  readonly provider: string;
  readonly stated: number;
  readonly computed: number | null;
}

/** None where the price has no rule for stated costs, or the two differ by no more than rounding. */
export function statedDifference(attempt: FinishedAttempt): readonly StatedDifference[] {
  const { usage, model, provider } = attempt;
  const price = attempt.price?.price;
  const stated = usage?.statedCost;
  if (!usage || !price?.statedCost || stated === undefined) return [];
  const computed = costOf(usage, { ...price, statedCost: 'compare' }, servedOf(attempt));
  const rounding = Math.max(smallestDifference, smallestShare * (computed ?? 0));
  const isNear = computed !== null && Math.abs(computed - stated) <= rounding;
  return isNear ? [] : [{ model, provider, stated, computed }];
}
