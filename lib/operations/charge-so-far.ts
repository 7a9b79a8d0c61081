/** What a request is charged so far, for answers that show it. */
import { sumOfAmounts } from '../core/accounting/ledger.ts';
import type { Call } from '../core/endpoint.ts';
import { timeOfRequest } from '../core/names/request-id.ts';
import { billAttempt } from '../metering/cost/bill.ts';

const nanoDollars = 1_000_000_000;

type Charged = Pick<Call<unknown>, 'facts' | 'key' | 'requestId'>;

/** Of all attempts, in US dollars, as numbers of JSON are; null if it is not known. */
export function chargeSoFar({ facts, key, requestId }: Charged): number | null {
  const pricing = key?.tenantPolicy?.pricing;
  const charges = facts.attempts.map(
    (attempt) => billAttempt(attempt, pricing, timeOfRequest(requestId) ?? attempt.at).charge,
  );
  const charge = sumOfAmounts(charges);
  return charge === null ? null : charge / nanoDollars;
}

/** The cost that `usage` of an answer has; undefined: it was not asked for. Called when the answer has been read. */
export type CostInUsage = (() => number | null) | undefined;

export const costInUsage = (call: Call<{ readonly includeCost: boolean }>): CostInUsage =>
  call.input.includeCost ? () => chargeSoFar(call) : undefined;

/** `usage` in the public format, with the cost. */
export const withCost = (usage: object, cost: CostInUsage): object =>
  cost ? { ...usage, cost: cost() } : usage;
