/** Writes the sums of the dashboard. Like the daily counters, each knows how far it has seen the stream of the ledger's changes. */
import type { StreamBatch } from '../../core/accounting/journal.ts';
import { addNumbers, type SumKey, sumUntil } from '../../core/accounting/sums.ts';
import type { CountedChange } from '../../core/ports/usage-store.ts';
import { expiryAttribute } from '../../core/tables.ts';
import { addOnce } from '../dynamodb/add-once.ts';
import type { Table } from '../dynamodb/table.ts';
import { toItemUpdate } from '../dynamodb/update-expression.ts';
import { sinceKey, sumKey } from './sum-keys.ts';

/** In Unix milliseconds. It may be some seconds before the latest, where several shards of the stream write it. */
export const lastAttribute = 'lastAt';

/** Adds the changes that the sum has not seen, in one write. A sum that has expired is gone, or will be: nothing is added to it. */
export async function addToSum(
  table: Table,
  key: SumKey,
  { changes, batch }: { readonly changes: readonly CountedChange[]; readonly batch: StreamBatch },
): Promise<void> {
  const until = sumUntil(key);
  if (until * 1000 <= batch.now) return;
  await addOnce(table, sumKey(key), {
    changes,
    batch,
    fieldsOf(unseen) {
      const counts = unseen.map((change) => change.counts).reduce(addNumbers);
      const latest = Math.max(0, ...unseen.map(({ lastAt = 0 }) => lastAt));
      return {
        set: latest > 0 ? [[[lastAttribute], latest]] : [],
        setOnce: [[[expiryAttribute], until]],
        add: Object.entries(counts),
      };
    },
  });
}

/** The time, in Unix milliseconds, from which on sums have all changes of the ledger. */
export const sinceAttribute = 'at';

/** Sets the mark once, or takes it away: what the ledger gets from then on is in no sum. */
export async function noteSums(table: Table, areKept: boolean, now: number): Promise<void> {
  const fields = areKept
    ? { setOnce: [[[sinceAttribute], now]] as const, where: [] }
    : { remove: [[sinceAttribute]], where: [{ path: [sinceAttribute], exists: true }] };
  await table.update(sinceKey, toItemUpdate(fields));
}
