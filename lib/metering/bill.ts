/** Makes the ledger record of a finished request, with the cost of each attempt. */
import {
  type FinishedAttempt,
  type FinishedRequest,
  type LedgerAttempt,
  type LedgerRecord,
  sumOfAmounts,
} from '../core/accounting/ledger.ts';
import { inputOnly } from '../core/generation/usage.ts';
import type { DatedPrice } from '../core/model.ts';
import { costOf } from './cost.ts';

/** The error code of a request whose process ended before its answer did. */
export const interrupted = 'interrupted';

/** Characters. The usage reported by upstream is a few lines; anything longer is not stored. */
const maxRawUsageLength = 8_000;

export function billOf({ attempts, ...request }: FinishedRequest): LedgerRecord {
  const billed = attempts.map(billAttempt);
  return { ...request, ...sumsOf(billed), attempts: billed };
}

/**
 * The record of a request whose last attempt is still running: with the least that this attempt uses, its input. So it costs this
 * much if its process ends.
 */
export function openBillOf({ attempts, ...request }: FinishedRequest): LedgerRecord {
  const running = attempts.at(-1);
  if (!running) return billOf({ attempts, ...request });
  const { uncounted: _, ...known } = running;
  const open = { ...known, usage: inputOnly(running.inputTokens), estimated: true as const };
  return billOf({ ...request, attempts: [...attempts.slice(0, -1), open] });
}

/** The amounts of a record: what its attempts come to. */
export function sumsOf(attempts: readonly LedgerAttempt[]): Pick<LedgerRecord, 'cost' | 'charge'> {
  return {
    cost: sumOfAmounts(attempts.map(({ cost }) => cost)),
    charge: sumOfAmounts(attempts.map(({ charge }) => charge)),
  };
}

function billAttempt({ price, rawUsage, inputTokens: _, ...attempt }: FinishedAttempt): LedgerAttempt {
  const isShort = rawUsage !== undefined && JSON.stringify(rawUsage).length <= maxRawUsageLength;
  const cost = costOfAttempt(attempt, price);
  return { ...attempt, ...(isShort && { rawUsage }), priceFrom: price?.from ?? null, cost, charge: cost };
}

/** The cost in nano-dollars; null if unknown: a call was sent whose use is not known, or there is no price. */
export function costOfAttempt(
  { usage, uncounted = 0, tier, at }: Pick<LedgerAttempt, 'usage' | 'uncounted' | 'tier' | 'at'>,
  price: DatedPrice | undefined,
): number | null {
  if (uncounted > 0) return null;
  return usage ? costOf(usage, price?.price, { at, ...(tier !== undefined && { tier }) }) : 0;
}
