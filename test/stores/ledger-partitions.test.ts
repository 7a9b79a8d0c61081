/** A tenant whose throughput is raised gets more partitions; a request that began before has one record all the same. */
import { expect, test } from 'vitest';
import { partitionOf } from '../../lib/core/accounting/partitions.ts';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { testRecord } from '../harness/ledger.ts';
import { useTestDatabase } from './database.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const database = useTestDatabase('usage');

test('a lost record that is replayed afterwards replaces its open record', async () => {
  let partitions = 1;
  const options = { call: database.call, table: 'usage', now: () => noon + 7_200_000 };
  const usage = createUsageStore({ ...options, partitionsOf: async () => partitions });
  const requestId = ['one', 'two', 'three', 'four'].find((id) => partitionOf(id, 8) > 0) ?? '';
  const record = testRecord({ tenant: 'acme', at: noon, requestId });
  await usage.open(record, 1);
  partitions = 8;
  expect(await usage.record(record, 'replayed')).toBe('new');
  const aggregator = createAggregateStore({ ...options, partitionsOf: async () => partitions });
  expect(await aggregator.openItems('acme', { from: noon - 1, to: noon + 1 })).toEqual([]);
  const { records } = await usage.records('acme', { from: noon - 1, to: noon + 1, limit: 10 });
  expect(records.map(({ error }) => error)).toEqual([undefined]);
});
