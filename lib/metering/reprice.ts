/** Writes recomputed costs to the ledger and corrects the daily counters. */
import { dayOf } from '../core/accounting/counters.ts';
import type { RepricedRecord } from './recompute.ts';
import { type Difference, type ReconcileOptions, reconcile } from './reconcile.ts';

export interface Repriced {
  readonly written: number;
  /** Counters that did not match the ledger afterwards. */
  readonly sums: readonly Difference[];
}

/** `records` belong to one tenant. Can be repeated safely: a cost that has changed in the meantime is not overwritten. */
export async function reprice(
  { usage, now }: ReconcileOptions,
  tenant: string,
  records: readonly RepricedRecord[],
): Promise<Repriced> {
  let written = 0;
  for (const { record, ...bill } of records) {
    if (await usage.reprice(record, bill)) written += 1;
  }
  const days = [...new Set(records.map(({ record }) => dayOf(record.at)))];
  return { written, sums: await reconcile({ usage, now }, tenant, days) };
}
