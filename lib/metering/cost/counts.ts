/** What one record adds to the daily counters. */
import { type CounterKey, type Counts, dayOf, toCounts } from '../../core/accounting/counters.ts';
import { bucketOf } from '../../core/accounting/first-byte.ts';
import { type LedgerRecord, listCostOf, usageOf } from '../../core/accounting/ledger.ts';
import { addNumbers, type Numbers } from '../../core/accounting/sums.ts';

export function countsOf(record: LedgerRecord): Counts {
  const { cost, charge, normalizations, status, error, attempts } = record;
  const isEstimated = charge !== null && attempts.some(({ estimated }) => estimated);
  return toCounts({
    ...usageOf(record),
    requests: 1,
    failed: error !== undefined || status >= 400 ? 1 : 0,
    cost: cost ?? 0,
    unpriced: cost === null ? 1 : 0,
    charge: charge ?? 0,
    uncharged: charge === null ? 1 : 0,
    normalizations,
    listCost: listCostOf(attempts) ?? 0,
    ...(isEstimated && { estimated: 1, estimatedCharge: charge }),
  });
}

export function counterKeyOf({ tenant, at, key, model }: LedgerRecord): CounterKey {
  return { tenant, day: dayOf(at), key, model };
}

/** The counts of a record, and what the dashboard shows beside them. */
export function detailsOf(record: LedgerRecord): Numbers {
  const { streamed, firstByteMs } = record;
  return addNumbers(countsOf(record), {
    detailed: 1,
    ...((usageOf(record)?.cachedTokens ?? 0) > 0 && { cacheHits: 1 }),
    // Only of a stream it is the time to the first token.
    ...(streamed && firstByteMs !== undefined && { [bucketOf(firstByteMs)]: 1 }),
  });
}
