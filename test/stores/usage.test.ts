/** The ledger and its daily counters, on the embedded database. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type CounterKey, type Counts, toCounts } from '../../lib/core/accounting/counters.ts';
import type { LedgerAttempt, LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { partitionOf } from '../../lib/core/accounting/partitions.ts';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import type { CountedChange, UsageStore } from '../../lib/core/ports/usage-store.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import { recordKeys } from '../../lib/stores/usage/keys.ts';
import { recordToFields } from '../../lib/stores/usage/ledger-item.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { testRecord } from '../harness/ledger.ts';
import { usageOf } from '../metering/usages.ts';
import { useTestDatabase } from './database.ts';

const dayMs = 86_400_000;
const noon = Date.UTC(2026, 10, 20, 12);

const database = useTestDatabase('usage');
let time: number;
let usage: UsageStore;
let tenants = 0;
let tenant: string;

beforeEach(() => {
  time = noon;
  tenants += 1;
  tenant = `tenant-${tenants}`;
  usage = createUsageStore({ call: database.call, table: 'usage', now: () => time });
});

const at = (milliseconds: number, requestId: string) => testRecord({ tenant, at: milliseconds, requestId });

async function write(...records: readonly LedgerRecord[]): Promise<void> {
  for (const record of records) await usage.record(record, `write-${record.requestId}`);
}

const page = (span: { from: number; to: number; limit?: number; after?: string | undefined }) =>
  usage.records(tenant, { limit: 100, ...span });

describe('a ledger record', () => {
  test('survives a round trip, including the usage reported by upstream', async () => {
    const record: LedgerRecord = {
      ...testRecord({
        tenant,
        at: noon,
        requestId: 'whole',
        user: 'u',
        session: 's',
        tags: { team: 'blue' },
        error: 'provider_stream_cut',
        tier: 'flex',
        estimated: true,
        rawUsage: { input: 1e300, '': { deep: [null, 0.1] } },
        cost: Number.MAX_SAFE_INTEGER,
        firstByteMs: 5,
        holds: [{ kind: 'key', id: 'one', minute: noon, day: noon, tokens: 5, amount: 7, running: 1 }],
      }),
    };
    await write(record);
    expect((await page({ from: noon, to: noon + 1 })).records).toStrictEqual([record]);
  });

  test('of the form without attempts is read with those it had: the last one has the use and the cost', async () => {
    const counts = usageOf({ promptTokens: 9, completionTokens: 4 });
    const {
      attempts: _,
      charge: __,
      ...common
    } = testRecord({ tenant, at: noon, requestId: 'old', cost: 30 });
    const old = {
      ...common,
      attempts: 2,
      usage: counts,
      rawUsage: '{"tokens":13}',
      estimated: true,
      priceFrom: 5,
    };
    const key = [`ledger#${tenant}#2026-11-20`, `${new Date(noon).toISOString()}#old`] as const;
    await openTable({ call: database.call, table: 'usage' }).put(key, { record: old, expires_at: 9e9 });
    const { provider, model, region } = common;
    const target = { provider, model, region, at: noon };
    const attempts: readonly LedgerAttempt[] = [
      { ...target, priceFrom: null, cost: 0, charge: 0 },
      {
        ...target,
        usage: counts,
        rawUsage: { tokens: 13 },
        estimated: true,
        priceFrom: 5,
        cost: 30,
        charge: 30,
      },
    ];
    const { records } = await page({ from: noon, to: noon + 1 });
    expect(records).toStrictEqual([{ ...common, attempts, charge: 30 }]);
    // Its costs can be corrected, too.
    const [record] = records;
    const corrected = attempts.map((attempt) => ({ ...attempt, cost: 1, charge: 2 }));
    if (record) await usage.reprice(record, { attempts: corrected, cost: 2, charge: 4 });
    expect((await page({ from: noon, to: noon + 1 })).records).toStrictEqual([
      { ...common, attempts: corrected, cost: 2, charge: 4 },
    ]);
  });

  test('of a tier whose name was not kept stays without a price', async () => {
    const { attempts, ...old } = testRecord({ tenant, at: noon, requestId: 'tier', cost: null });
    const usage = { ...attempts[0]?.usage, otherTierTokens: 150 };
    const key = [`ledger#${tenant}#2026-11-20`, `${new Date(noon).toISOString()}#tier`] as const;
    await openTable({ call: database.call, table: 'usage' }).put(key, {
      record: { ...old, attempts: 1, usage, priceFrom: 0 },
      expires_at: 9e9,
    });
    const { records } = await page({ from: noon, to: noon + 1 });
    expect(records[0]?.attempts).toMatchObject([{ tier: 'unknown', cost: null }]);
  });

  test('of several attempts and holds survives a round trip, and what they share is stored once', async () => {
    const target = { provider: 'acme', model: 'acme/one', region: 'global' };
    const usage = usageOf({ promptTokens: 1_000, completionTokens: 50 });
    const hold = { minute: 29_900_000, day: 20_777, tokens: 9_000, amount: 90_000_000, running: 1 } as const;
    const record = testRecord({
      tenant,
      at: noon,
      requestId: 'several',
      attempts: [
        {
          ...target,
          at: noon,
          endedAt: noon + 5,
          error: 'provider_error',
          priceFrom: null,
          cost: 0,
          charge: 0,
        },
        {
          ...target,
          region: 'eu',
          at: noon + 9,
          usage,
          uncounted: 1,
          priceFrom: 5,
          cost: null,
          charge: null,
        },
        {
          ...target,
          at: noon + 20,
          usage: { ...usage, calls: [usage, usage] },
          priceFrom: 5,
          cost: 7,
          charge: 8,
        },
      ],
      holds: [
        { kind: 'key', id: 'one', ...hold },
        { kind: 'tenant', id: tenant, ...hold, isPrepaid: true },
        { kind: 'tenant', id: tenant, ...hold, shard: 3, running: 0, isFurther: true },
      ],
    });
    await write(record);
    expect((await page({ from: noon, to: noon + 1 })).records).toStrictEqual([record]);
    const [item] = await openTable({ call: database.call, table: 'usage' }).query(
      `ledger#${tenant}#2026-11-20`,
      { from: ' ', to: '~' },
    );
    expect(JSON.stringify(item).split('acme/one')).toHaveLength(2);
  });

  test('without a known cost stays without one', async () => {
    await write(testRecord({ tenant, at: noon, requestId: 'unpriced', priceFrom: null, cost: null }));
    const { records } = await page({ from: noon, to: noon + 1 });
    expect(records).toMatchObject([{ attempts: [{ priceFrom: null, cost: null }], cost: null }]);
  });

  test('is written once: the first write wins', async () => {
    const record = at(noon, 'twice');
    expect(await usage.record(record, 'one')).toBe('new');
    expect(await usage.record({ ...record, cost: 7 }, 'other')).toBe('known');
    expect((await page({ from: noon, to: noon + 1 })).records).toStrictEqual([record]);
  });

  test('that is written again by the same request, which does not know the outcome, still counts as new', async () => {
    const record = at(noon, 'again');
    expect([await usage.record(record, 'same'), await usage.record(record, 'same')]).toStrictEqual([
      'new',
      'new',
    ]);
    expect((await page({ from: noon, to: noon + 1 })).records).toHaveLength(1);
  });

  test('is not returned after its retention, whether or not DynamoDB has deleted it', async () => {
    await write(at(noon - dayMs, 'old'), at(noon, 'young'));
    time = noon + 89 * dayMs;
    const { records } = await page({ from: noon - 2 * dayMs, to: noon + dayMs, limit: 1 });
    expect(records.map(({ requestId }) => requestId)).toStrictEqual(['young']);
  });

  test('has the retention that the operator sets', async () => {
    const short = createUsageStore({ call: database.call, table: 'usage', now: () => time, ledgerDays: 2 });
    await short.record(at(noon, 'short'), 'write');
    expect(short.oldestDay()).toBe('2026-11-19');
    time = noon + 2 * dayMs;
    expect((await page({ from: noon, to: noon + 1 })).records).toStrictEqual([]);
  });
});

describe('pages of records', () => {
  const times = [noon - dayMs, noon - 1, noon, noon + 1, noon + 3 * dayMs, noon + 3 * dayMs];
  const ids = times.map((_, index) => `request-${index}`);

  beforeEach(() => write(...times.map((time, index) => at(time, ids[index] ?? '')).toReversed()));

  test.each([1, 2, 3, 5, 6, 7])('of %i return all records in order of time, each once', async (limit) => {
    time = noon + 4 * dayMs;
    const span = { from: noon - 2 * dayMs, to: time, limit };
    const found: string[] = [];
    let after: string | undefined;
    do {
      const { records, after: next } = await page({ ...span, after });
      expect(records.length).toBeLessThanOrEqual(limit);
      found.push(...records.map(({ requestId }) => requestId));
      after = next;
    } while (after !== undefined);
    expect(found).toStrictEqual(ids);
  });

  test('include the first moment and exclude the last', async () => {
    const { records, after } = await page({ from: noon - 1, to: noon + 1 });
    expect([records.map(({ requestId }) => requestId), after]).toStrictEqual([
      ['request-1', 'request-2'],
      undefined,
    ]);
  });

  test('contain no records of another tenant', async () => {
    time = noon + 4 * dayMs;
    const other = await usage.records(`${tenant}0`, { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10 });
    expect(other).toStrictEqual({ records: [] });
  });
});

describe('the counters of a day', () => {
  const key = (day: string, more: Partial<CounterKey> = {}): CounterKey => ({
    tenant,
    day,
    key: 'key_1',
    model: 'owner/model:place',
    ...more,
  });
  const some = toCounts({ requests: 1, promptTokens: 3, cost: 4_000_000_000_000_001 });
  let sequence = 0;
  const batch = { shard: 'a', now: noon };
  const change = (counts: Counts, at = noon) => {
    sequence += 1;
    return { sequence: String(sequence), at, counts };
  };
  const add = (to: CounterKey, ...changes: readonly CountedChange[]) =>
    createAggregateStore({ call: database.call, table: 'usage', now: () => time }).addToCounter(
      to,
      changes,
      batch,
    );
  const of = async (from: string, to: string) => await usage.counters(tenant, { from, to });

  test('add up exactly, separately by key and model', async () => {
    await add(key('2026-11-20'), change(some));
    await add(key('2026-11-20'), change(some));
    await add(key('2026-11-20', { model: 'owner/other' }), change(some));
    const found = await of('2026-11-20', '2026-11-20');
    expect(found.map(({ model, counts }) => [model, counts.requests, counts.cost])).toStrictEqual([
      ['owner/model:place', 2, 8_000_000_000_000_002],
      ['owner/other', 1, 4_000_000_000_000_001],
    ]);
    expect(found[0]).toMatchObject({ tenant, day: '2026-11-20', key: 'key_1' });
  });

  test('are found across months, including the first and the last day', async () => {
    const days = ['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01'];
    for (const day of days) await add(key(day), change(some));
    expect((await of('2026-10-31', '2026-12-01')).map(({ day }) => day)).toStrictEqual(days);
    expect((await of('2026-11-01', '2026-11-30')).map(({ day }) => day)).toStrictEqual(days.slice(1, 3));
  });

  test('never expire, and store until when the ledger has their records', async () => {
    await add(key('2026-11-20'), change(some));
    time = noon + 1_000 * dayMs;
    const [counter] = await of('2026-11-20', '2026-11-20');
    expect(counter?.ledgerUntil).toBe(Date.UTC(2026, 10, 20) / 1000 + 90 * 86_400);
  });

  test('are replaced only if they have not changed', async () => {
    const day = key('2026-11-20');
    const right = toCounts({ requests: 5 });
    expect(await usage.replaceCounter(day, right, some, noon)).toBe(false);
    expect(await usage.replaceCounter(day, some, undefined, noon)).toBe(true);
    expect(await usage.replaceCounter(day, right, undefined, noon)).toBe(false);
    expect(await usage.replaceCounter(day, right, toCounts({ ...some, failed: 1 }), noon)).toBe(false);
    expect(await usage.replaceCounter(day, right, some, noon)).toBe(true);
    expect((await of('2026-11-20', '2026-11-20')).map(({ counts }) => counts)).toStrictEqual([right]);
  });

  test('count a change once, in whatever batches it comes', async () => {
    const to = key('2026-11-20');
    const [first, second, third, fourth] = [some, some, some, some].map((counts) => change(counts));
    if (!first || !second || !third || !fourth) throw new Error('There are four.');
    const other = { ...batch, shard: 'b' };
    const aggregate = createAggregateStore({ call: database.call, table: 'usage', now: () => time });
    await aggregate.addToCounter(to, [first, second], batch);
    for (const again of [[first], [second], [first, second], [first, second, third], [second, third]])
      await aggregate.addToCounter(to, again, batch);
    await aggregate.addToCounter(to, [first], other);
    await aggregate.addToCounter(to, [third, fourth], batch);
    await aggregate.addToCounter(to, [first], other);
    const [counter] = await of('2026-11-20', '2026-11-20');
    expect(counter?.counts.requests).toBe(5);
  });

  test('count a change once whose write was done without an answer', async () => {
    const answers: AwsCall[] = [
      (...parameters) => database.call(...parameters).then(() => fault(...parameters)),
    ];
    const call: AwsCall = (...parameters) => (answers.shift() ?? database.call)(...parameters);
    const faulty = createAggregateStore({ call, table: 'usage', now: () => time });
    const changes = [change(some)];
    await expect(faulty.addToCounter(key('2026-11-20'), changes, batch)).rejects.toThrow();
    await faulty.addToCounter(key('2026-11-20'), changes, batch);
    expect((await of('2026-11-20', '2026-11-20')).map(({ counts }) => counts)).toStrictEqual([some]);
  });
});

const fault: AwsCall = () => Promise.reject(new AwsError('InternalServerError', '', 500));

test('a lost record that is replayed after its tenant got more partitions replaces its open record', async () => {
  let partitions = 1;
  const options = { call: database.call, table: 'usage', now: () => noon + 7_200_000 };
  const parted = createUsageStore({ ...options, partitionsOf: async () => partitions });
  const requestId = ['one', 'two', 'three', 'four'].find((id) => partitionOf(id, 8) > 0) ?? '';
  const record = testRecord({ tenant, at: noon, requestId });
  await parted.open(record, 1);
  partitions = 8;
  expect(await parted.record(record, 'replayed')).toBe('new');
  const aggregator = createAggregateStore({ ...options, partitionsOf: async () => partitions });
  expect(await aggregator.unfinished(tenant, { from: noon - 1, to: noon + 1 })).toEqual([]);
  const { records } = await parted.records(tenant, { from: noon - 1, to: noon + 1, limit: 10 });
  expect(records.map(({ error }) => error)).toStrictEqual([undefined]);
});

describe('the aggregator', () => {
  const requestId = ['one', 'two', 'three', 'four'].find((id) => partitionOf(id, 8) > 0) ?? '';
  let partitions: number;
  const options = () => ({
    call: database.call,
    table: 'usage',
    now: () => time,
    partitionsOf: async () => partitions,
  });
  const store = () => createAggregateStore(options());
  const statesOf = async () => {
    const span = { from: noon - dayMs, to: noon + dayMs, limit: 10 };
    const { records } = await createUsageStore(options()).records(tenant, span);
    return records.map(({ status, error }) => [status, error]);
  };
  const ended = () => testRecord({ ...at(noon, requestId), status: 499, error: 'interrupted' });

  beforeEach(() => {
    partitions = 1;
  });

  test('finishes a request that is open, wherever its record is, and no other', async () => {
    await createUsageStore(options()).open(at(noon, requestId));
    partitions = 8;
    const span = { from: noon, to: noon + 1 };
    expect(await store().unfinished(tenant, span)).toMatchObject([{ requestId }]);
    await store().finish(ended());
    expect(await statesOf()).toEqual([[499, 'interrupted']]);
    expect(await store().unfinished(tenant, span)).toEqual([]);
    expect(await store().opened(tenant, span)).toMatchObject([{ requestId }]);
    await store().finish(testRecord({ ...at(noon, requestId), status: 200 }));
    await write(at(noon, 'ended'));
    await store().finish(testRecord({ ...at(noon, 'ended'), status: 499 }));
    expect((await statesOf()).toSorted()).toEqual([
      [200, undefined],
      [499, 'interrupted'],
    ]);
  });

  test('finishes what an earlier version left open at the key of the final record', async () => {
    partitions = 8;
    const { done } = recordKeys(at(noon, requestId), 1);
    const fields = { record: recordToFields(at(noon, requestId)), state: 'open' };
    await openTable(options()).put(done, fields);
    expect(await statesOf()).toEqual([]);
    expect(await store().unfinished(tenant, { from: noon, to: noon + 1 })).toMatchObject([{ requestId }]);
    await store().finish(ended());
    expect(await statesOf()).toEqual([[499, 'interrupted']]);
  });

  test('looks after a tenant after a pause only, and goes on where the last look ended', async () => {
    const look = () => store().startSweep(tenant, 60_000);
    expect(await look()).toBe(noon - 2 * dayMs);
    expect(await look()).toBeUndefined();
    await store().endSweep(tenant, noon - 5);
    await store().endSweep(tenant, noon - 9);
    time += 59_999;
    expect(await look()).toBeUndefined();
    time += 1;
    expect(await look()).toBe(noon - 5);
  });

  test('looks for tenants from an hour before on', async () => {
    expect(await store().startSweep(undefined, 60_000)).toBe(noon - 3_600_000);
  });

  test('notes which tenants had an open record in a minute', async () => {
    const minute = Math.floor(noon / 60_000);
    for (const name of ['~', 'Zoo', '0a', 'Zoo']) await store().noteOpen(name, minute);
    await store().noteOpen('later', minute + 1);
    expect(await store().openTenants(minute)).toStrictEqual(['0a', 'Zoo', '~']);
    const { Item } = await database.call('DynamoDB_20120810.GetItem', {
      TableName: 'usage',
      Key: { pk: { S: `open#${minute}` }, sk: { S: 'Zoo' } },
    });
    expect(Item).toMatchObject({ expires_at: { N: `${(noon + 2 * dayMs) / 1000}` } });
  });
});

test('a page asks for as many items as it has room for, and one more', async () => {
  await write(at(noon - dayMs, 'one'), at(noon, 'two'), at(noon, 'three'), at(noon + dayMs, 'four'));
  time = noon + 2 * dayMs;
  const limits: unknown[] = [];
  const call: AwsCall = (action, input) => {
    limits.push((input as { readonly Limit?: number }).Limit);
    return database.call(action, input);
  };
  const counting = createUsageStore({ call, table: 'usage', now: () => time });
  const { records } = await counting.records(tenant, { from: noon - dayMs, to: time, limit: 2 });
  expect(records.map((record) => record.requestId)).toStrictEqual(['one', 'three']);
  expect(limits).toStrictEqual([3, 2]);
});
