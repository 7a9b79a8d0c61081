/** What one record adds to the daily counters. */
import { type CounterKey, type Counts, dayOf, toCounts } from '../core/accounting/counters.ts';
import { type LedgerRecord, usageOf } from '../core/accounting/ledger.ts';

export function countsOf(record: LedgerRecord): Counts {
  const { cost, charge, normalizations, status, error } = record;
  return toCounts({
    ...usageOf(record),
    requests: 1,
    failed: error !== undefined || status >= 400 ? 1 : 0,
    cost: cost ?? 0,
    unpriced: cost === null ? 1 : 0,
    charge: charge ?? 0,
    uncharged: charge === null ? 1 : 0,
    normalizations,
  });
}

export function counterKeyOf({ tenant, at, key, model }: LedgerRecord): CounterKey {
  return { tenant, day: dayOf(at), key, model };
}
