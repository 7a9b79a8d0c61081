/**
 * The ledger and its daily counters, in the usage table. `keys.ts` has the keys of their items. Records expire; counters are
 * permanent.
 */

import { type CounterKey, type Counts, dayOf } from '../../core/accounting/counters.ts';
import { interrupted } from '../../core/accounting/interrupted.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { timeOfRequest } from '../../core/names/request-id.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { expiryAttribute, partitionKey } from '../../core/tables.ts';
import { dayMs } from '../../core/time.ts';
import type { GroupPut } from '../dynamodb/group-put.ts';
import {
  type Condition,
  openTable,
  type StoredItem,
  type Table,
  type TableOptions,
} from '../dynamodb/table.ts';
import { readCounters, replaceCounter } from './counters.ts';
import { possibleKeys, type RecordKey, type RecordKeys, recordKeys } from './keys.ts';
import { attemptToFields, readLedgerItem, recordToFields } from './ledger-item.ts';
import { readPage } from './read-ledger.ts';

export interface UsageStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
  /** The retention of ledger records, in days. */
  readonly ledgerDays?: number | undefined;
  /** Over how many partitions the ledger of a tenant's day is spread; absent: one. */
  readonly partitionsOf?: PartitionsOf;
  /** Of a process that serves many requests; absent: each record is a call. */
  readonly groupPut?: GroupPut | undefined;
}

export type PartitionsOf = (tenant: string) => Promise<number>;

const onePartition: PartitionsOf = async () => 1;

export const defaultLedgerDays = 90;

/** Older records are not searched for, unless the retention is longer. */
export const maxSearchDays = 400;

/** How long open records are kept: the aggregator looks for those without a final one. */
export const openLifetimeMs = 2 * dayMs;

export function createUsageStore(options: UsageStoreOptions): UsageStore {
  const { now, ledgerDays = defaultLedgerDays, partitionsOf = onePartition, groupPut } = options;
  const table = openTable(options);
  const grouped = new WeakSet<LedgerRecord>();
  /**
   * Whether a record was written with others, which is tried once: its request has just ended, so that no other write is possible. A second
   * try could come after a correction of its cost.
   */
  const isPut = async (record: LedgerRecord, { done, open }: RecordKeys, fields: object) => {
    if (!groupPut || grouped.has(record)) return false;
    grouped.add(record);
    return await groupPut(done, fields, open).then(
      () => true,
      () => false,
    );
  };
  const partitionsFor = async ({ tenant }: LedgerRecord, known?: number) =>
    known ?? (await partitionsOf(tenant));
  return {
    async open(record, partitions) {
      const expires = Math.floor((record.at + record.totalMs + openLifetimeMs) / 1000);
      const fields = { record: recordToFields(record), state: 'open', [expiryAttribute]: expires };
      const { open } = recordKeys(record, await partitionsFor(record, partitions));
      await (groupPut ? groupPut(open, fields) : table.put(open, fields));
    },
    async record(record, write, partitions) {
      const fields = doneFields(record, write, ledgerDays);
      const put = async (key: RecordKey) =>
        (await table.put(key, fields, replaceable(write))) ? 'new' : 'known';
      if (partitions === undefined)
        return await put(await finalKeyOf(table, record, await partitionsOf(record.tenant)));
      const keys = recordKeys(record, partitions);
      return (await isPut(record, keys, fields)) ? 'new' : await put(keys.done);
    },
    async records(tenant, { from, to, ...page }) {
      const time = now();
      // Each day is a separate read, so days that cannot hold records are skipped.
      const first = time - Math.max(ledgerDays, maxSearchDays) * dayMs;
      const span = { from: Math.max(from, first), to: Math.min(to, time + dayMs) };
      const partitions = await partitionsOf(tenant);
      return await readPage(table, tenant, { ...page, ...span, partitions, now: time });
    },
    async find(tenant, requestId, partitions) {
      const at = timeOfRequest(requestId);
      if (at === undefined) return undefined;
      const known = partitions ?? (await partitionsOf(tenant));
      const item = await findItem(table, { tenant, at, requestId }, known);
      return item && readLedgerItem(item);
    },
    async reprice(record, bill) {
      for (const { done } of possibleKeys(record, await partitionsOf(record.tenant))) {
        if (await repriceAt(table, done, record, bill)) return true;
      }
      return false;
    },
    counters: (tenant, days) => readCounters(table, tenant, days),
    replaceCounter: (key: CounterKey, counts: Counts, known, since) =>
      replaceCounter(table, key, { counts, known, since, until: ledgerUntil(key.day, ledgerDays) }),
    // The first day whose records are all still stored.
    oldestDay: () => dayOf(now() - (ledgerDays - 1) * dayMs),
  };
}

/** The final record of a request, or its open one. */
export async function findItem(
  table: Table,
  record: Pick<LedgerRecord, 'tenant' | 'at' | 'requestId'>,
  partitions: number,
): Promise<StoredItem | undefined> {
  for (const { done, open } of possibleKeys(record, partitions)) {
    const item = (await table.get(done)) ?? (await table.get(open));
    if (item) return item;
  }
  return undefined;
}

/** Where the final record of a request goes: beside what is known of it, as its tenant may have had fewer partitions when it began. */
export async function finalKeyOf(table: Table, record: LedgerRecord, partitions: number) {
  for (const { done, open } of possibleKeys(record, partitions)) {
    for (const key of [done, open]) if (await table.get(key, { consistent: true })) return done;
  }
  return recordKeys(record, partitions).done;
}

/** When the first record of a day may expire, in Unix seconds. */
export const ledgerUntil = (day: string, days: number): number => (Date.parse(day) + days * dayMs) / 1000;

/** The attributes of a final record. */
export const doneFields = (record: LedgerRecord, write: string, days: number): object => ({
  record: recordToFields(record),
  state: 'done',
  write,
  [expiryAttribute]: Math.floor((record.at + days * dayMs) / 1000),
});

/** Earlier versions wrote the open record at the key of the final one. */
export const absentOrOpen: Condition = {
  expression: 'attribute_not_exists(#key) OR #state = :open',
  names: { '#key': partitionKey, '#state': 'state' },
  values: { ':open': 'open' },
};

/** The request's own end replaces what the aggregator wrote because it seemed interrupted. */
const replaceable = (write: string): Condition => ({
  expression: `${absentOrOpen.expression} OR #write = :write OR #record.#error = :interrupted`,
  names: { ...absentOrOpen.names, '#write': 'write', '#record': 'record', '#error': 'error' },
  values: { ...absentOrOpen.values, ':write': write, ':interrupted': interrupted },
});

async function repriceAt(
  table: Table,
  key: RecordKey,
  record: LedgerRecord,
  { attempts, cost, charge }: Parameters<UsageStore['reprice']>[1],
): Promise<boolean> {
  const changed = await table.update(key, {
    expression: 'SET #record.#attempts = :attempts, #record.#cost = :cost, #record.#charge = :charge',
    condition: '#record.#cost = :old AND NOT #state = :open',
    names: {
      '#record': 'record',
      '#attempts': 'attempts',
      '#cost': 'cost',
      '#charge': 'charge',
      '#state': 'state',
    },
    values: {
      ':attempts': attempts.map((attempt) => attemptToFields(attempt)),
      ':cost': cost,
      ':charge': charge,
      ':old': record.cost,
      ':open': 'open',
    },
  });
  return changed !== undefined;
}
