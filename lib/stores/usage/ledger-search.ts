/** Searches the ledger from the newest record to the oldest: day after day, and the partitions of each day merged. */

import { mapConcurrently } from '../../async/map-concurrently.ts';
import { dayOf } from '../../core/accounting/counters.ts';
import type { LedgerFinding, LedgerQuestion, LedgerSearch } from '../../core/ports/ledger-search.ts';
import { sortKey } from '../../core/tables.ts';
import { dayMs, isoTime } from '../../core/time.ts';
import { openTable, type StoredItem, type Table } from '../dynamodb/table.ts';
import { daysBetween, ledgerPartitions } from './keys.ts';
import { defaultLedgerDays } from './ledger-writes.ts';
import { isShown, recordIn } from './read-ledger.ts';
import { maxSearchDays, type UsageStoreOptions } from './usage.ts';

/** Queries of one page: each partition of a day is at least one. What is left is for the next page. */
const maxQueries = 150;

const parallelQueries = 32;

/** Records of the first query of a partition, beside its share of the page; each further one asks for twice as many. */
const spare = 4;
const maxChunk = 250;

export function createLedgerSearch(options: UsageStoreOptions): LedgerSearch {
  const { now, ledgerDays = defaultLedgerDays, partitionsOf = async () => 1 } = options;
  const table = openTable(options);
  return {
    async newest(question) {
      const time = now();
      const oldest = time - Math.max(ledgerDays, maxSearchDays) * dayMs;
      const span = { from: Math.max(question.from, oldest), to: Math.min(question.to, time + dayMs) };
      const partitions = await mapConcurrently(question.tenants, parallelQueries, async (tenant) => ({
        tenant,
        count: await partitionsOf(tenant),
      }));
      const partitionsOfDay = (day: string) =>
        partitions.flatMap(({ tenant, count }) => ledgerPartitions(tenant, day, count));
      return await search(table, { ...question, ...span, partitionsOfDay, now: time });
    },
  };
}

interface Asked extends LedgerQuestion {
  readonly partitionsOfDay: (day: string) => readonly string[];
  /** The time in milliseconds. */
  readonly now: number;
}

/** What the page has so far. */
interface Progress {
  readonly found: StoredItem[];
  lookedAt: number;
  queries: number;
  /** Everything that sorts from here on was looked at. */
  position: string;
}

async function search(table: Table, asked: Asked): Promise<LedgerFinding> {
  const { from, to, after, limit, maxRead } = asked;
  const end = isoTime(to);
  const progress: Progress = {
    found: [],
    lookedAt: 0,
    queries: 0,
    position: after !== undefined && after < end ? after : end,
  };
  const days = from < to ? daysBetween(dayOf(from), dayBefore(progress.position)).toReversed() : [];
  let isOver = true;
  for (const day of days) {
    const partitions = asked.partitionsOfDay(day);
    const isFull = progress.lookedAt >= maxRead || progress.found.length >= limit;
    // A page has at least one day, however many partitions that has.
    const isTooMuch = progress.queries > 0 && progress.queries + partitions.length > maxQueries;
    isOver = !isFull && !isTooMuch && (await searchDay(table, partitions, day, asked, progress));
    if (!isOver) break;
  }
  return {
    records: progress.found.flatMap(recordIn),
    lookedAt: progress.lookedAt,
    searchedTo: isOver ? from : Date.parse(progress.position.slice(0, timeLength)),
    ...(!isOver && { next: progress.position }),
  };
}

const timeLength = '2026-01-31T12:00:00.000Z'.length;

/** The day of the last moment before a position. */
const dayBefore = (position: string) =>
  dayOf(Date.parse(position.slice(0, timeLength)) - (position.length > timeLength ? 0 : 1));

/** One partition of a day, of which the next items are known. */
interface Reader {
  readonly partition: string;
  /** What sorts before is still to be read. */
  to: string;
  chunk: number;
  isAtEnd: boolean;
  readonly next: StoredItem[];
}

/** Whether the day was looked at to its beginning. */
async function searchDay(
  table: Table,
  partitions: readonly string[],
  day: string,
  asked: Asked,
  progress: Progress,
): Promise<boolean> {
  const { limit, maxRead, from, matches, signal } = asked;
  const chunk = Math.min(maxChunk, Math.ceil(limit / partitions.length) + spare);
  const readers = partitions.map(
    (partition): Reader => ({ partition, to: progress.position, chunk, isAtEnd: false, next: [] }),
  );
  for (;;) {
    signal.throwIfAborted();
    const empty = readers.filter(({ next }) => next.length === 0);
    await mapConcurrently(empty, parallelQueries, (reader) => fill(table, reader, asked, progress));
    const filled = readers.filter(({ next }) => next.length > 0);
    if (filled.length === 0) break;
    // Until one of them is empty, the last of all is known.
    while (filled.every(({ next }) => next.length > 0)) {
      if (progress.found.length >= limit || progress.lookedAt >= maxRead) return false;
      const last = filled.reduce((one, other) => (sortOf(other) > sortOf(one) ? other : one));
      const [item] = last.next.splice(0, 1);
      if (!item) break;
      progress.position = String(item[sortKey]);
      progress.lookedAt += 1;
      if (recordIn(item).some(matches)) progress.found.push(item);
    }
  }
  progress.position = isoTime(Math.max(from, Date.parse(day)));
  return true;
}

const sortOf = ({ next: [item] }: Reader) => String(item?.[sortKey]);

/** Both ends of a range are included, so the last item of the page before may come again. */
async function fill(table: Table, reader: Reader, { from, now }: Asked, progress: Progress): Promise<void> {
  while (reader.next.length === 0 && !reader.isAtEnd) {
    const range = { from: isoTime(from), to: reader.to, limit: reader.chunk + 1, newestFirst: true };
    if (range.from > range.to) {
      reader.isAtEnd = true;
      return;
    }
    progress.queries += 1;
    const items = await table.query(reader.partition, { ...range, mayLag: true });
    reader.isAtEnd = items.length <= reader.chunk;
    const before = reader.to;
    reader.to = String(items.at(-1)?.[sortKey] ?? reader.to);
    reader.chunk = Math.min(maxChunk, reader.chunk * 2);
    reader.next.push(...items.filter((item) => String(item[sortKey]) < before && isShown(item, now)));
  }
}
