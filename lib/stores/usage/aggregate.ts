/** What the aggregator writes to the usage table: sums, and final records of requests whose process has ended. */

import { dayOf } from '../../core/accounting/counters.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import type { AggregateStore, Span } from '../../core/ports/usage-store.ts';
import { expiryAttribute, partitionKey, sortKey } from '../../core/tables.ts';
import { isoTime } from '../../core/time.ts';
import { type Condition, openTable, type StoredItem } from '../dynamodb/table.ts';
import { toItemUpdate } from '../dynamodb/update-expression.ts';
import { addToCounter } from './counters.ts';
import { daysBetween, ledgerPartitions } from './keys.ts';
import { absentOrOpen, defaultLedgerDays, doneFields, openLifetimeMs } from './ledger-writes.ts';
import { newestOpen } from './newest-open.ts';
import { noteFailedBatch, notePosition } from './positions.ts';
import { readLedgerItem } from './read-ledger-item.ts';
import { addToSum, noteSums } from './sums.ts';
import { finalKeyOf, findItem, ledgerUntil, type UsageStoreOptions } from './usage.ts';

/** Minutes before are not looked at the first time: nothing was noted in them. */
const firstLookMs = 3_600_000;

export function createAggregateStore(options: UsageStoreOptions): AggregateStore {
  const { now, ledgerDays = defaultLedgerDays, partitionsOf = async () => 1 } = options;
  const table = openTable(options);
  const itemsOf = async (
    state: 'open' | 'done',
    tenant: string,
    { from, to }: Span,
    more: { readonly only?: readonly string[]; readonly filter?: Condition } = {},
  ) => {
    const partitions = await partitionsOf(tenant);
    const keys = daysBetween(dayOf(from), dayOf(to)).flatMap((day) =>
      ledgerPartitions(tenant, day, partitions, state),
    );
    const range = { from: isoTime(from), to: isoTime(to), ...more };
    return (await Promise.all(keys.map((key) => table.query(key, range)))).flat();
  };
  return {
    addToCounter: (key, changes, batch) =>
      addToCounter(table, key, { changes, batch, until: ledgerUntil(key.day, ledgerDays) }),
    addToSum: (key, changes, batch) => addToSum(table, key, { changes, batch }),
    noteSums: (areKept) => noteSums(table, areKept, now()),
    notePosition: (batch, at) => notePosition(table, batch, at),
    noteFailedBatch: (batch) => noteFailedBatch(table, batch),
    async finish(record) {
      const key = await finalKeyOf(table, record, await partitionsOf(record.tenant));
      await table.put(key, doneFields(record, 'sweep', ledgerDays), absentOrOpen);
    },
    async startSweep(tenant, pauseMs) {
      const time = now();
      const item = await table.update(
        sweepKey(tenant),
        toItemUpdate({
          set: [[['at'], time]],
          setOnce: [[['until'], time - (tenant === undefined ? firstLookMs : openLifetimeMs)]],
          where: [{ path: ['at'], absentOr: '<=', value: time - pauseMs }],
        }),
      );
      return typeof item?.until === 'number' ? item.until : undefined;
    },
    opened: async (tenant, span) => recordsIn(await itemsOf('open', tenant, span)),
    openedInBackground: async (tenant, span) =>
      recordsIn(await itemsOf('open', tenant, span, { filter: inBackground })),
    newestOpen: async (tenant, span) =>
      await newestOpen(options, tenant, { ...span, partitions: await partitionsOf(tenant) }),
    async unfinished(tenant, span) {
      const opened = await itemsOf('open', tenant, span);
      const known = await itemsOf('done', tenant, span, { only: ['state'] });
      const states = new Map(known.map((item) => [item[sortKey], item.state]));
      // Earlier versions wrote the open record at the key of the final one.
      const earlier = known.filter(({ state }) => state === 'open');
      const items = await Promise.all(
        earlier.map((item) =>
          table.get([String(item[partitionKey]), String(item[sortKey])], { consistent: true }),
        ),
      );
      return recordsIn([...opened.filter((item) => !states.has(item[sortKey])), ...items]);
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
      const expires = minute * 60 + openLifetimeMs / 1000;
      await table.put([openPartition(minute), tenant], { [expiryAttribute]: expires });
    },
    async openTenants(minute) {
      const items = await table.query(openPartition(minute), everyName);
      return items.map((item) => String(item[sortKey]));
    },
    async noteLate({ tenant, at, requestId }, minute) {
      const expires = minute * 60 + openLifetimeMs / 1000;
      await table.put([latePartition(minute), requestId], { tenant, at, [expiryAttribute]: expires });
    },
    async late(minute) {
      const notes = await table.query(latePartition(minute), everyName);
      const items = await Promise.all(
        notes.map(async ({ tenant, at, [sortKey]: requestId }) => {
          const record = { tenant: String(tenant), at: Number(at), requestId: String(requestId) };
          return await findItem(table, record, await partitionsOf(record.tenant));
        }),
      );
      return recordsIn(items.filter((item) => item?.state === 'open'));
    },
  };
}

const inBackground: Condition = {
  expression: 'attribute_exists(#record.#response)',
  names: { '#record': 'record', '#response': 'response' },
};

/** No tenant has an empty name. */
const sweepKey = (tenant = '') => [`sweep#${tenant}`, 'now'] as const;

/** Names of tenants begin and end with letters, digits or marks of ASCII. */
const everyName = { from: '!', to: '~' };

const openPartition = (minute: number) => `open#${minute}`;

const latePartition = (minute: number) => `late#${minute}`;

const recordsIn = (items: readonly (StoredItem | undefined)[]): readonly LedgerRecord[] =>
  items.flatMap((item) => (item && readLedgerItem(item)?.record) ?? []);
