/** Reads the records of a tenant in order of time: day after day, and the partitions of each day merged. */
import { dayOf } from '../../core/accounting/counters.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import type { RecordPage, Span } from '../../core/ports/usage-store.ts';
import { expiryAttribute, sortKey } from '../../core/tables.ts';
import { isoTime } from '../../core/time.ts';
import type { StoredItem, Table } from '../dynamodb/table.ts';
import { daysBetween, ledgerPartitions } from './keys.ts';
import { readLedgerItem } from './read-ledger-item.ts';

interface PageQuestion extends Span {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly partitions: number;
  /** The time in milliseconds. */
  readonly now: number;
}

/** The next page starts after the sort key of the last item. */
export async function readPage(
  table: Table,
  tenant: string,
  { from, to, limit, after, partitions, now }: PageQuestion,
): Promise<RecordPage> {
  const found: StoredItem[] = [];
  const start = after === undefined ? isoTime(from) : following(after);
  for (const day of daysBetween(start.slice(0, 10), dayOf(to - 1))) {
    const keys = ledgerPartitions(tenant, day, partitions);
    // One item more than the page shows whether there is a next page.
    const wanted = limit + 1 - found.length;
    found.push(...(await readDay(table, keys, { from: start, to: isoTime(to), wanted, now })));
    if (found.length > limit) break;
  }
  const page = found.slice(0, limit);
  const end = page.at(-1)?.[sortKey];
  return {
    records: page.flatMap(recordIn),
    ...(found.length > limit && typeof end === 'string' && { after: end }),
  };
}

/** The least text that sorts after another one. */
const following = (text: string) => `${text}\u0000`;

interface DayQuestion {
  readonly from: string;
  readonly to: string;
  readonly wanted: number;
  readonly now: number;
}

/** One partition of a day, of which the next items are known. */
interface Reader {
  readonly partition: string;
  from: string;
  isAtEnd: boolean;
  readonly next: StoredItem[];
}

/** The first items of a day, from all its partitions: those that are wanted, and what was read with them. */
async function readDay(table: Table, partitions: readonly string[], question: DayQuestion) {
  const readers = partitions.map(
    (partition): Reader => ({ partition, from: question.from, isAtEnd: false, next: [] }),
  );
  const found: StoredItem[] = [];
  // Requests are spread evenly, so each partition has about its share of the page.
  const chunk = Math.ceil(question.wanted / partitions.length) + (partitions.length > 1 ? 8 : 0);
  while (found.length < question.wanted) {
    await Promise.all(readers.map((reader) => fill(table, reader, chunk, question)));
    const filled = readers.filter(({ next }) => next.length > 0);
    if (filled.length === 0) break;
    // Until one of them is empty, the first of all is known.
    while (filled.every(({ next }) => next.length > 0)) {
      const first = filled.reduce((one, other) => (sortOf(other) < sortOf(one) ? other : one));
      found.push(...first.next.splice(0, 1));
    }
  }
  return found;
}

const sortOf = ({ next: [item] }: Reader) => String(item?.[sortKey]);

async function fill(table: Table, reader: Reader, limit: number, { to, now }: DayQuestion): Promise<void> {
  while (reader.next.length === 0 && !reader.isAtEnd) {
    const items = await table.query(reader.partition, { from: reader.from, to, limit });
    reader.isAtEnd = items.length < limit;
    reader.from = following(String(items.at(-1)?.[sortKey] ?? reader.from));
    reader.next.push(...items.filter((item) => isShown(item, now)));
  }
}

/** DynamoDB deletes expired items late. Earlier versions had open records among the final ones. */
export const isShown = ({ state, [expiryAttribute]: expires }: StoredItem, now: number): boolean =>
  state !== 'open' && typeof expires === 'number' && expires > now / 1000;

export function recordIn(item: StoredItem): readonly LedgerRecord[] {
  const read = readLedgerItem(item);
  return read ? [read.record] : [];
}
