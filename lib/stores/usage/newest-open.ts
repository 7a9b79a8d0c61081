/** The requests of a tenant that run: its newest open records without a final one. */
import { dayOf } from '../../core/accounting/counters.ts';
import type { OpenPage, Span } from '../../core/ports/usage-store.ts';
import { partitionKey, sortKey } from '../../core/tables.ts';
import { isoTime } from '../../core/time.ts';
import { getMany } from '../dynamodb/get-many.ts';
import { openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { daysBetween, finalBeside, ledgerPartitions } from './keys.ts';
import { readLedgerItem } from './read-ledger-item.ts';

/** Both kinds of records may lack what was written in the last second. */
export async function newestOpen(
  options: TableOptions,
  tenant: string,
  { from, to, max, partitions }: Span & { readonly max: number; readonly partitions: number },
): Promise<OpenPage> {
  const table = openTable(options);
  const keys = daysBetween(dayOf(from), dayOf(to)).flatMap((day) =>
    ledgerPartitions(tenant, day, partitions, 'open'),
  );
  const range = { from: isoTime(from), to: isoTime(to), limit: max, newestFirst: true, mayLag: true };
  const found = (await Promise.all(keys.map((key) => table.query(key, range)))).flat();
  const newest = found.toSorted((one, other) => (sortOf(one) < sortOf(other) ? 1 : -1)).slice(0, max);
  const finals = await getMany(
    options,
    newest.map((item) => finalBeside(partitionOf(item), sortOf(item))),
  );
  const ended = new Set(finals.map(sortOf));
  const records = newest.filter((item) => !ended.has(sortOf(item))).flatMap(recordIn);
  return { records, hasMore: found.length >= max };
}

const sortOf = (item: StoredItem): string => String(item[sortKey]);
const partitionOf = (item: StoredItem): string => String(item[partitionKey]);
const recordIn = (item: StoredItem) => readLedgerItem(item)?.record ?? [];
