/**
 * The ledger and its daily counters, in the usage table. `keys.ts` has the keys of their items. Records expire; counters are
 * permanent.
 */

import { type CounterKey, type Counts, dayOf } from '../../core/accounting/counters.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { timeOfRequest } from '../../core/names/request-id.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { dayMs } from '../../core/time.ts';
import { openTable, type StoredItem, type Table } from '../dynamodb/table.ts';
import { readCounters, replaceCounter } from './counters.ts';
import { possibleKeys, type RecordKey, recordKeys } from './keys.ts';
import { attemptToFields } from './ledger-item.ts';
import { createLedgerWrites, defaultLedgerDays, type LedgerWritesOptions } from './ledger-writes.ts';
import { readPage } from './read-ledger.ts';
import { readLedgerItem } from './read-ledger-item.ts';

export interface UsageStoreOptions extends LedgerWritesOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Over how many partitions the ledger of a tenant's day is spread; absent: one. */
  readonly partitionsOf?: PartitionsOf;
}

export type PartitionsOf = (tenant: string) => Promise<number>;

const onePartition: PartitionsOf = async () => 1;

/** Older records are not searched for, unless the retention is longer. */
export const maxSearchDays = 400;

export function createUsageStore(options: UsageStoreOptions): UsageStore {
  const { now, ledgerDays = defaultLedgerDays, partitionsOf = onePartition } = options;
  const table = openTable(options);
  const writes = createLedgerWrites(options);
  return {
    open: async (record, partitions) =>
      await writes.open(record, partitions ?? (await partitionsOf(record.tenant))),
    async record(record, write, partitions) {
      if (partitions !== undefined) return await writes.record(record, write, partitions);
      return await writes.recordAt(
        await finalKeyOf(table, record, await partitionsOf(record.tenant)),
        record,
        write,
      );
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
