/** Makes the ledger record of a finished request, with its cost. */
import type { FinishedRequest, LedgerRecord } from '../core/accounting/ledger.ts';
import type { DatedPrice } from '../core/model.ts';
import { costOf } from './cost.ts';

/** The error code of a request whose process ended before its answer did. */
export const interrupted = 'interrupted';

/** Characters. The usage reported by upstream is a few lines; anything longer is not stored. */
const maxRawUsageLength = 8_000;

export function billOf({ price, rawUsage, ...request }: FinishedRequest): LedgerRecord {
  const isShort = rawUsage !== undefined && JSON.stringify(rawUsage).length <= maxRawUsageLength;
  return {
    ...request,
    ...(isShort && { rawUsage }),
    priceFrom: price?.from ?? null,
    cost: costOfRequest(request, price),
  };
}

type Work = Pick<LedgerRecord, 'usage' | 'status' | 'error'>;

/**
 * The cost in nano-dollars; null if unknown. A request that failed before anything was generated costs nothing. An answer
 * without reported usage has an unknown cost.
 */
export function costOfRequest({ usage, status, error }: Work, price: DatedPrice | undefined): number | null {
  if (usage) return costOf(usage, price?.price);
  const hasFailed = (error !== undefined || status >= 400) && error !== interrupted;
  return hasFailed ? 0 : null;
}
