/** What a request that is over comes to, as a record of the ledger. */
import type { FinishedRequest, LedgerRecord } from '../core/accounting/ledger.ts';
import type { DatedPrice } from '../core/model.ts';
import { costOf } from './cost.ts';

/** The code of a request whose process was ended before its answer was. */
export const interrupted = 'interrupted';

/** Characters. What upstream counts is a few lines; a host that says more is not quoted. */
const longestRawUsage = 8_000;

export function billOf({ price, rawUsage, ...request }: FinishedRequest): LedgerRecord {
  const isShort = rawUsage !== undefined && JSON.stringify(rawUsage).length <= longestRawUsage;
  return {
    ...request,
    ...(isShort && { rawUsage }),
    priceFrom: price?.from ?? null,
    cost: costOfRequest(request, price),
  };
}

type Work = Pick<LedgerRecord, 'usage' | 'status' | 'error'>;

/**
 * In nano-dollars; null where it is not known. A request that failed before anything was generated costs nothing; an
 * answer of which nobody says what was generated may have cost anything.
 */
export function costOfRequest({ usage, status, error }: Work, price: DatedPrice | undefined): number | null {
  if (usage) return costOf(usage, price?.price);
  const hasFailed = (error !== undefined || status >= 400) && error !== interrupted;
  return hasFailed ? 0 : null;
}
