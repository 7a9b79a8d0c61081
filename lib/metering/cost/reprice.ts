/** Writes recomputed costs to the ledger. The aggregator corrects the sums and limits by the change of each record. */
import type { UsageStore } from '../../core/ports/usage-store.ts';
import type { RepricedRecord } from './recompute.ts';

/** The number of written records. Can be repeated safely: a cost that has changed in the meantime is not overwritten. */
export async function reprice(
  usage: Pick<UsageStore, 'reprice'>,
  records: readonly RepricedRecord[],
): Promise<number> {
  let written = 0;
  for (const { record, ...bill } of records) {
    if (await usage.reprice(record, bill)) written += 1;
  }
  return written;
}
