/** What one record adds to the daily counters. */
import { type CounterKey, type Counts, dayOf, toCounts } from '../core/accounting/counters.ts';
import type { LedgerRecord } from '../core/accounting/ledger.ts';

export function countsOf({ usage, cost, normalizations, status, error }: LedgerRecord): Counts {
  return toCounts({
    ...usage,
    requests: 1,
    failed: error !== undefined || status >= 400 ? 1 : 0,
    cost: cost ?? 0,
    unpriced: cost === null ? 1 : 0,
    normalizations,
  });
}

export function counterKeyOf({ tenant, at, key, model }: LedgerRecord): CounterKey {
  return { tenant, day: dayOf(at), key, model };
}
