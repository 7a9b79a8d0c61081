/** Writes bills that were made again into the ledger, and makes the daily sums agree. */
import { dayOf } from '../core/accounting/counters.ts';
import type { RepricedRecord } from './recompute.ts';
import { type Difference, type ReconcileOptions, reconcile } from './reconcile.ts';

export interface Repriced {
  readonly written: number;
  /** Sums that were not what the ledger says then. */
  readonly sums: readonly Difference[];
}

/** `records` are one tenant's. May be repeated: a bill that somebody else has written meanwhile is left as it is. */
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
