/** What the aggregator writes to the usage table: sums, and final records of requests whose process has ended. */

import { dayOf } from '../../core/accounting/counters.ts';
import type { AggregateStore } from '../../core/ports/usage-store.ts';
import { expiryAttribute, sortKey } from '../../core/tables.ts';
import { dayMs } from '../../core/time.ts';
import { type Condition, isAbsent, openTable } from '../dynamodb/table.ts';
import { toItemUpdate } from '../dynamodb/update-expression.ts';
import { addToCounter } from './counters.ts';
import { daysBetween, ledgerPartitions, possibleKeys, timeOf } from './keys.ts';
import { readLedgerItem } from './ledger-item.ts';
import { addToSum, noteSums } from './sums.ts';
import { defaultLedgerDays, doneFields, ledgerUntil, type UsageStoreOptions } from './usage.ts';

/** Requests that began earlier are not looked for the first time: their open records have expired. */
const firstSweepMs = 2 * dayMs;
/** Minutes before are not looked at the first time: nothing was noted in them. */
const firstLookMs = 3_600_000;

export function createAggregateStore(options: UsageStoreOptions): AggregateStore {
  const { now, ledgerDays = defaultLedgerDays, partitionsOf = async () => 1 } = options;
  const table = openTable(options);
  return {
    addToCounter: (key, changes, batch) =>
      addToCounter(table, key, { changes, batch, until: ledgerUntil(key.day, ledgerDays) }),
    addToSum: (key, changes, batch) => addToSum(table, key, { changes, batch }),
    noteSums: (areKept) => noteSums(table, areKept, now()),
    async finish(record) {
      const keys = possibleKeys(record, await partitionsOf(record.tenant));
      for (const key of keys) {
        if (await table.put(key, doneFields(record, 'sweep', ledgerDays), isOpen)) return;
      }
    },
    async restore(record) {
      const [key] = possibleKeys(record, await partitionsOf(record.tenant));
      if (key) await table.put(key, doneFields(record, 'sweep', ledgerDays), isAbsent);
    },
    async startSweep(tenant, pauseMs) {
      const time = now();
      const item = await table.update(
        sweepKey(tenant),
        toItemUpdate({
          set: [[['at'], time]],
          setOnce: [[['until'], time - (tenant === undefined ? firstLookMs : firstSweepMs)]],
          where: [{ path: ['at'], absentOr: '<=', value: time - pauseMs }],
        }),
      );
      return typeof item?.until === 'number' ? item.until : undefined;
    },
    async openItems(tenant, { from, to }) {
      const range = { from: timeOf(from), to: timeOf(to), filter: isOpen };
      const partitions = await partitionsOf(tenant);
      const keys = daysBetween(dayOf(from), dayOf(to)).flatMap((day) =>
        ledgerPartitions(tenant, day, partitions),
      );
      const found = await Promise.all(keys.map((key) => table.query(key, range)));
      return found.flat().flatMap((item) => readLedgerItem(item) ?? []);
    },
    async endSweep(tenant, until) {
      await table.update(
        sweepKey(tenant),
        toItemUpdate({
          set: [[['until'], until]],
          where: [{ path: ['until'], absentOr: '<', value: until }],
        }),
      );
    },
    async noteOpen(tenant, minute) {
      const expires = minute * 60 + firstSweepMs / 1000;
      await table.put([openPartition(minute), tenant], { [expiryAttribute]: expires });
    },
    async openTenants(minute) {
      const items = await table.query(openPartition(minute), everyName);
      return items.map((item) => String(item[sortKey]));
    },
  };
}

/** No tenant has an empty name. */
const sweepKey = (tenant = '') => [`sweep#${tenant}`, 'now'] as const;

/** Names of tenants begin and end with letters, digits or marks of ASCII. */
const everyName = { from: '!', to: '~' };

const openPartition = (minute: number) => `open#${minute}`;

const isOpen: Condition = {
  expression: '#state = :open',
  names: { '#state': 'state' },
  values: { ':open': 'open' },
};
