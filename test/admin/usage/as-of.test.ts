/** As of when the sums are: which requests the aggregator has not counted, or could not. */
import { beforeEach, expect, test } from 'vitest';
import { sumsAsOf } from '../../../lib/admin/usage/as-of.ts';
import type { LedgerRecord } from '../../../lib/core/accounting/ledger.ts';
import { createLedgerSearch } from '../../../lib/stores/usage/ledger-search.ts';
import { createSumsStore } from '../../../lib/stores/usage/read-sums.ts';
import { createUsageStore } from '../../../lib/stores/usage/usage.ts';
import { testRecord } from '../../harness/ledger.ts';
import { openAggregate } from '../../metering/aggregator.ts';
import { useTestDatabase } from '../../stores/database.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const minute = 60_000;
let time: number;
let isBroken: boolean;

const database = useTestDatabase('usage');
const options = { call: database.call, table: 'usage', now: () => time };
const failing: typeof database.call = async (action, input, ...rest) => {
  if (isBroken && JSON.stringify(input).includes('count#')) throw new Error('The table is broken.');
  return await database.call(action, input, ...rest);
};
const aggregate = openAggregate({ call: failing, now: () => time }, { keepsSums: true });
let tenant = '';
let made = 0;

beforeEach(() => {
  time = noon;
  isBroken = false;
  tenant = `tenant-${++made}`;
});

const asOf = () =>
  sumsAsOf(
    { search: createLedgerSearch(options), sums: createSumsStore(options), now: () => time },
    [tenant],
    new AbortController().signal,
  );

async function end(at = time): Promise<LedgerRecord> {
  const record = testRecord({ tenant, at: at - 2_000, totalMs: 2_000 });
  await createUsageStore(options).record(record, 'write', 1);
  return record;
}

let sequence = 0;
const count = (record: LedgerRecord, shard = 'one') =>
  aggregate(shard, [
    { sequence: `${++sequence}`, at: record.at + record.totalMs, after: { state: 'done', record } },
  ]);

test('unknown before anything was counted; then now, however long nothing happens', async () => {
  expect(await asOf()).toBeUndefined();
  await count(await end());
  expect(await asOf()).toBe(noon);
  time += 600 * minute;
  expect(await asOf()).toBe(time);
});

test('where requests have ended that are not counted, the end of the first of them', async () => {
  time += 700 * minute;
  await count(await end());
  const first = time + minute;
  for (const later of [2, 1, 3]) await end(time + later * minute);
  time += 30 * minute;
  expect(await asOf()).toBe(first);
  await count(await end(time));
  expect(await asOf()).toBe(time);
});

test('where more are missing than are looked at, the last change that was counted', async () => {
  time += 800 * minute;
  await count(await end());
  const counted = time;
  for (let one = 1; one <= 50; one += 1) await end(time + one * minute);
  time += 60 * minute;
  expect(await asOf()).toBe(counted);
  await count(await end(time));
});

test('where the batch of one shard fails while others go on, the last one that it has counted, until it succeeds', async () => {
  time += 900 * minute;
  await count(await end(), 'slow');
  const before = time;
  time += minute;
  isBroken = true;
  const lost = await end();
  await expect(count(lost, 'slow')).rejects.toThrow('broken');
  isBroken = false;
  time += 10 * minute;
  await count(await end(), 'other');
  expect(await asOf()).toBe(before);
  await count(lost, 'slow');
  // It was counted late: more may follow.
  expect(await asOf()).toBe(lost.at + lost.totalMs);
  time += 6 * minute;
  await count(await end(), 'other');
  expect(await asOf()).toBe(time);
});

test('where one shard is behind while others go on, the last change that it has counted, until it has no more', async () => {
  time += 1_000 * minute;
  const old = await end(time - 20 * minute);
  await count(old, 'slow');
  const last = old.at + old.totalMs;
  await count(await end(), 'other');
  expect(await asOf()).toBe(last);
  time += 2 * minute;
  expect(await asOf()).toBe(last);
  const next = await end();
  await count(next, 'slow');
  expect(await asOf()).toBe(time);
  // Nothing follows a change that was counted late.
  await count(old, 'slow');
  time += 6 * minute;
  await count(await end(), 'other');
  expect(await asOf()).toBe(time);
});
