/**
 * The ledger and its daily counters, in the usage table. Items: `ledger#<tenant>#<day>` / `<time>#<request id>`, which
 * expire, and `count#<tenant>#<month>` / `<day>#<key id>#<model>`, which are permanent.
 */
import {
  type CounterKey,
  type Counts,
  countNames,
  type DailyCounter,
  dayOf,
  toCounts,
} from '../../core/accounting/counters.ts';
import type { LedgerAttempt, LedgerRecord } from '../../core/accounting/ledger.ts';
import { readLedgerRecord } from '../../core/accounting/ledger-record.ts';
import type { RecordPage, UsageStore } from '../../core/ports/usage-store.ts';
import { expiryAttribute, partitionKey, sortKey } from '../../core/tables.ts';
import {
  type Condition,
  type ItemKey,
  openTable,
  type StoredItem,
  type Table,
  type TableOptions,
} from '../dynamodb/table.ts';
import { coalesceWrites } from './coalesce-writes.ts';

export interface UsageStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
  /** The retention of ledger records, in days. */
  readonly ledgerDays?: number | undefined;
}

const defaultLedgerDays = 90;

const dayMs = 86_400_000;

/** Older records are not searched for, unless the retention is longer. */
const maxSearchDays = 400;

/** Until when the ledger holds every record of a counter, by the retention at the time of its first record. */
const untilAttribute = 'ledgerUntil';

/** Sorts after every other continuation of a sort key. */
const lastSuffix = '\uffff';

export function createUsageStore(options: UsageStoreOptions): UsageStore {
  const { now, ledgerDays = defaultLedgerDays } = options;
  const table = openTable(options);
  return {
    async record(record, write) {
      const fields = { record: toFields(record), write, [expiryAttribute]: expiryOf(record, ledgerDays) };
      const isNew = await table.put(recordKey(record), fields, firstOrSame(write));
      return isNew ? 'new' : 'known';
    },
    records(tenant, { from, to, ...page }) {
      // Each day is a separate read, so days that cannot hold records are skipped.
      const first = now() - Math.max(ledgerDays, maxSearchDays) * dayMs;
      const span = { from: Math.max(from, first), to: Math.min(to, now() + dayMs) };
      return readPage(table, tenant, { ...page, ...span }, Math.floor(now() / 1000));
    },
    async reprice(record, { attempts, cost, charge }) {
      const changed = await table.update(recordKey(record), {
        expression: 'SET #record.#attempts = :attempts, #record.#cost = :cost, #record.#charge = :charge',
        condition: '#record.#cost = :old',
        names: { '#record': 'record', '#attempts': 'attempts', '#cost': 'cost', '#charge': 'charge' },
        values: {
          ':attempts': attempts.map(attemptToFields),
          ':cost': cost,
          ':charge': charge,
          ':old': record.cost,
        },
      });
      return changed !== undefined;
    },
    addToCounter: coalesceWrites(async (key, counts) => {
      await table.update(counterKey(key), addition(counts, ledgerUntil(key.day, ledgerDays)));
    }),
    async counters(tenant, { from, to }) {
      const found = monthsBetween(from, to).map((month) =>
        table.query(counterPartition(tenant, month), { from, to: `${to}#${lastSuffix}` }),
      );
      return (await Promise.all(found)).flat().flatMap((item) => readCounter(tenant, item));
    },
    replaceCounter: (key, counts, known) =>
      table.put(
        counterKey(key),
        { ...counts, [untilAttribute]: ledgerUntil(key.day, ledgerDays) },
        known ? whereUnchanged(known) : whereAbsent,
      ),
    // The first day whose records are all still stored.
    oldestDay: () => dayOf(now() - (ledgerDays - 1) * dayMs),
  };
}

const ledgerPartition = (tenant: string, day: string) => `ledger#${tenant}#${day}`;

const counterPartition = (tenant: string, month: string) => `count#${tenant}#${month}`;

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString();

const recordKey = ({ tenant, at, requestId }: LedgerRecord): ItemKey => [
  ledgerPartition(tenant, dayOf(at)),
  `${timeOf(at)}#${requestId}`,
];

const counterKey = ({ tenant, day, key, model }: CounterKey): ItemKey => [
  counterPartition(tenant, day.slice(0, 7)),
  `${day}#${key}#${model}`,
];

/** When the first record of a day may expire, in Unix seconds. */
const ledgerUntil = (day: string, days: number) => (Date.parse(day) + days * dayMs) / 1000;

const expiryOf = ({ at }: LedgerRecord, days: number) => Math.floor((at + days * dayMs) / 1000);

const firstOrSame = (write: string): Condition => ({
  expression: 'attribute_not_exists(#key) OR #write = :write',
  names: { '#key': partitionKey, '#write': 'write' },
  values: { ':write': write },
});

/** The usage reported by upstream is stored as JSON text: DynamoDB does not allow every number and name of JSON. */
const attemptToFields = ({ rawUsage, ...attempt }: LedgerAttempt) => ({
  ...attempt,
  ...(rawUsage && { rawUsage: JSON.stringify(rawUsage) }),
});

const toFields = (record: LedgerRecord) => ({ ...record, attempts: record.attempts.map(attemptToFields) });

function readRecord(item: StoredItem): readonly LedgerRecord[] {
  const { record } = item;
  if (typeof record !== 'object' || record === null) return [];
  const read = readLedgerRecord(fromFields(record));
  return read ? [read] : [];
}

function fromFields(fields: object): object {
  const { rawUsage, attempts, ...others }: { rawUsage?: unknown; attempts?: unknown } = fields;
  return {
    ...others,
    ...(attempts !== undefined && {
      attempts: Array.isArray(attempts) ? attempts.map(fromFields) : attempts,
    }),
    ...(typeof rawUsage === 'string' && { rawUsage: JSON.parse(rawUsage) }),
  };
}

/** Reads day after day until the page is full. The next page starts after the sort key of the last item. */
async function readPage(
  table: Table,
  tenant: string,
  { from, to, limit, after }: Parameters<UsageStore['records']>[1],
  aliveAt: number,
): Promise<RecordPage> {
  const found: StoredItem[] = [];
  const start = after ?? timeOf(from);
  for (const day of daysBetween(start.slice(0, 10), dayOf(to - 1))) {
    // `start` is included in the range, and one item more than the page shows whether there is a next page.
    const items = await table.query(ledgerPartition(tenant, day), {
      from: start,
      to: timeOf(to),
      limit: limit + 2 - found.length,
      aliveAt,
    });
    found.push(...items.filter((item) => item[sortKey] !== after));
    if (found.length > limit) break;
  }
  const page = found.slice(0, limit);
  const end = page.at(-1)?.[sortKey];
  return {
    records: page.flatMap(readRecord),
    ...(found.length > limit && typeof end === 'string' && { after: end }),
  };
}

function daysBetween(from: string, to: string): readonly string[] {
  const first = Date.parse(from);
  const days = Math.floor((Date.parse(to) - first) / dayMs) + 1;
  return Array.from({ length: Math.max(0, days) }, (_, index) => dayOf(first + index * dayMs));
}

const monthsBetween = (from: string, to: string): readonly string[] => [
  ...new Set(daysBetween(from, to).map((day) => day.slice(0, 7))),
];

/** Adds only counts that are not 0, to keep the item small, and the charge: without it, an item is from before there were charges. */
function addition(counts: Counts, until: number) {
  const added = countNames.filter((name) => counts[name] !== 0 || name === 'charge');
  return {
    expression: `SET #until = if_not_exists(#until, :until) ADD ${added.map((name) => `#${name} :${name}`).join(', ')}`,
    names: { '#until': untilAttribute, ...Object.fromEntries(added.map((name) => [`#${name}`, name])) },
    values: { ':until': until, ...Object.fromEntries(added.map((name) => [`:${name}`, counts[name]])) },
    once: true,
  };
}

const whereAbsent: Condition = { expression: 'attribute_not_exists(#key)', names: { '#key': partitionKey } };

/** A missing count is 0. Charges are not compared: items from before there were charges do not have them. */
function whereUnchanged(known: Counts): Condition {
  const compared = countNames.filter((name) => name !== 'charge' && name !== 'uncharged');
  const zeros = compared.filter((name) => known[name] === 0);
  return {
    expression: compared
      .map((name) =>
        known[name] === 0 ? `(attribute_not_exists(#${name}) OR #${name} = :zero)` : `#${name} = :${name}`,
      )
      .join(' AND '),
    names: Object.fromEntries(compared.map((name) => [`#${name}`, name])),
    values: {
      ...(zeros.length > 0 && { ':zero': 0 }),
      ...Object.fromEntries(
        compared.flatMap((name) => (known[name] === 0 ? [] : [[`:${name}`, known[name]]])),
      ),
    },
  };
}

function readCounter(tenant: string, item: StoredItem): readonly DailyCounter[] {
  const [, day, key, model] = /^(\d{4}-\d{2}-\d{2})#([^#]*)#(.*)$/s.exec(String(item[sortKey])) ?? [];
  if (day === undefined || key === undefined || model === undefined) return [];
  const until = item[untilAttribute];
  const ledgerUntil = typeof until === 'number' ? until : 0;
  const { charge = item.cost, uncharged = item.charge === undefined ? item.unpriced : 0 } = item;
  return [{ tenant, day, key, model, counts: toCounts({ ...item, charge, uncharged }), ledgerUntil }];
}
