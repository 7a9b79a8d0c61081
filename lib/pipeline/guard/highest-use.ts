/** What remote rules may cost, for what is reserved in limits. */

import { tariffOf } from '../../core/accounting/pricing.ts';
import type { Call } from '../../core/endpoint.ts';
import { type MaxUse, noUse } from '../../core/ports/metering.ts';
import { boundWithMarkup } from '../../metering/cost/charge.ts';
import type { ActiveRule, Session } from './session.ts';

/** The rules, and how many characters they look at. */
type Looked = readonly [rules: readonly ActiveRule[], characters: number];

/** The most that the tenant may be charged, in nano-dollars; null: a price is not known. */
export function highestCharge(
  { guardrails, now }: Session,
  { key }: Pick<Call<unknown>, 'key'>,
  looked: readonly Looked[],
): number | null {
  const tariff = tariffOf(key?.tenantPolicy?.pricing, '', now() / 1000);
  return looked
    .flatMap(([rules, characters]) => rules.map(({ rule }) => guardrails.highestCost(rule, characters)))
    .map((cost) => ('markup' in tariff ? boundWithMarkup(cost, tariff) : cost))
    .reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}

/** Of looking at a request before it is planned. */
export const useOfLooking = (amount: number | null): MaxUse => ({
  ...noUse,
  fixed: { tokens: 0, amount },
  isFree: false,
});
