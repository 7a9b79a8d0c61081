/** Makes the ledger record of a finished request, with the cost and the charge of each attempt. */
import { interrupted } from '../core/accounting/interrupted.ts';
import {
  type FinishedAttempt,
  type FinishedRequest,
  type LedgerAttempt,
  type LedgerRecord,
  sumOfAmounts,
} from '../core/accounting/ledger.ts';
import { describeTerms, type Pricing } from '../core/accounting/pricing.ts';
import type { DatedPrice } from '../core/model.ts';
import { chargeOf } from './charge.ts';
import { costOf } from './cost.ts';

/** Characters. The usage reported by upstream is a few lines; anything longer is not stored. */
const maxRawUsageLength = 8_000;

/** `pricing`: how the tenant is charged; absent: at cost. */
export function billOf({ attempts, ...request }: FinishedRequest, pricing?: Pricing): LedgerRecord {
  const { status, error, at } = request;
  const hasFailed = (error !== undefined || status >= 400) && error !== interrupted;
  const billed = attempts.map((attempt, index) =>
    charged(billAttempt(attempt, hasFailed || index < attempts.length - 1 ? 0 : null), pricing, at),
  );
  const terms = describeTerms(pricing, at / 1000);
  return {
    ...request,
    ...(terms !== undefined && { pricing: terms }),
    ...sumsOf(billed),
    attempts: billed,
  };
}

/** The amounts of a record: what its attempts come to. */
export function sumsOf(attempts: readonly LedgerAttempt[]): Pick<LedgerRecord, 'cost' | 'charge'> {
  return {
    cost: sumOfAmounts(attempts.map(({ cost }) => cost)),
    charge: sumOfAmounts(attempts.map(({ charge }) => charge)),
  };
}

/** The attempt with its charge. All attempts of a request are charged at the terms of its time. */
export const charged = (
  attempt: Omit<LedgerAttempt, 'charge'>,
  pricing: Pricing | undefined,
  at: number,
): LedgerAttempt => ({ ...attempt, charge: chargeOf(attempt, pricing, at) });

/** `uncounted`: what an attempt costs whose use is not known. */
function billAttempt(
  { price, rawUsage, promptTokens: _, ...attempt }: FinishedAttempt,
  uncounted: number | null,
): Omit<LedgerAttempt, 'charge'> {
  const isShort = rawUsage !== undefined && JSON.stringify(rawUsage).length <= maxRawUsageLength;
  const cost = costOfAttempt(attempt, price, uncounted);
  return { ...attempt, ...(isShort && { rawUsage }), priceFrom: price?.from ?? null, cost };
}

/** The cost in nano-dollars; null if unknown. `uncounted`: what an attempt costs whose use is not known. */
export function costOfAttempt(
  { usage }: Pick<LedgerAttempt, 'usage'>,
  price: DatedPrice | undefined,
  uncounted: number | null,
): number | null {
  return usage ? costOf(usage, price?.price) : uncounted;
}
