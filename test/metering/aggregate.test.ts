/**
 * The aggregator counts each change of the ledger once, whatever happens to the batches: they come again, in halves, overlap, or
 * fail after any write. In the end, sums and limits are those of the ledger.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { addCounts, type Counts, dayOf, toCounts } from '../../lib/core/accounting/counters.ts';
import { overAfterMs } from '../../lib/core/accounting/interrupted.ts';
import type { LedgerChange, LedgerItem } from '../../lib/core/accounting/journal.ts';
import type { LedgerAttempt, LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { Hold, LimitScope } from '../../lib/core/accounting/limits.ts';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import type { Aggregate } from '../../lib/metering/aggregate/aggregate.ts';
import { countsOf } from '../../lib/metering/cost/counts.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { poolName } from '../../lib/stores/limits/pool/pool.ts';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import { counterKey } from '../../lib/stores/usage/keys.ts';
import { createSumsStore } from '../../lib/stores/usage/read-sums.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import {
  callsOfAll,
  countsIn,
  countsOfAll,
  deploymentsOf,
  differingMedians,
  sumsOf,
} from '../harness/dashboard-sums.ts';
import { testRecord } from '../harness/ledger.ts';
import { createRandom } from '../harness/random.ts';
import { useTestDatabase } from '../stores/database.ts';
import { openAggregate, silent } from './aggregator.ts';

const day = '2026-11-20';
const hourMs = 3_600_000;
const noon = Date.parse(`${day}T12:00:00Z`);

const database = useTestDatabase('usage');
let time = noon;
let tenants = 0;
let tenant = '';
const now = () => time;

beforeEach(() => {
  tenants += 1;
  tenant = `tenant-${tenants}`;
  time = noon;
});

const options = (call: AwsCall = database.call, partitions = 1) => ({
  call,
  table: 'usage',
  now,
  partitionsOf: async () => partitions,
});
const aggregateOn = (call: AwsCall, partitions = 1, keepsSums = false): Aggregate =>
  openAggregate(options(call, partitions), { keepsSums });
const usage = () => createUsageStore(options());
const scope = () => ({ kind: 'tenant' as const, id: tenant });

async function sums(): Promise<Counts> {
  const counters = await usage().counters(tenant, { from: day, to: day });
  return counters.map(({ counts }) => counts).reduce(addCounts, toCounts());
}

async function admit(): Promise<Hold> {
  const limits = createLimitStore({ call: database.call, table: 'usage', now });
  const { hold } = await limits.reserve(
    scope(),
    { monthlyBudget: 1_000_000_000 },
    {
      id: crypto.randomUUID(),
      at: time,
      fixed: { tokens: 10, amount: 5_000 },
      perOutputToken: { tokens: 1, amount: 1 },
      output: { max: 100, min: 100 },
    },
  );
  if (!hold) throw new Error('It was not admitted.');
  return hold;
}

/** Some had a first call that failed, at another place. */
function requestOf(cost: number, random: () => number): LedgerRecord {
  const record = testRecord({
    tenant,
    at: noon + Math.floor(random() * 3 - 1) * hourMs,
    cost,
    model: `acme/${Math.floor(random() * 3)}`,
    // Sums of places are of all tenants.
    provider: tenant,
    key: `key_${Math.floor(random() * 2)}`,
    streamed: true,
    firstByteMs: 1 + Math.floor(random() * 5_000),
    ...(random() < 0.6 && { user: `user#${Math.floor(random() * 3)}` }),
  });
  if (random() < 0.8) return record;
  const failed = {
    ...testRecord({ at: record.at, provider: tenant, region: 'eu', cost: 0 }).attempts[0],
    error: 'provider_error',
  };
  return { ...record, attempts: [failed as LedgerAttempt, ...record.attempts] };
}

/** The changes of requests: some only open, some done at once, some with another cost later. */
async function makeChanges(count: number, random: () => number) {
  const changes: LedgerChange[] = [];
  const records: LedgerRecord[] = [];
  let sequence = 100;
  const write = (parts: { before?: LedgerItem; after?: LedgerItem }) => {
    sequence += 1 + Math.floor(random() * 3);
    changes.push({ sequence: String(sequence), at: noon, ...parts });
  };
  for (let index = 0; index < count; index += 1) {
    const cost = Math.floor(random() * 1_000);
    const record = { ...requestOf(cost, random), holds: [await admit()] };
    const open: LedgerItem = { state: 'open', record };
    const done: LedgerItem = { state: 'done', record };
    const way = random();
    if (way < 0.7) write({ after: open });
    write({ ...(way < 0.7 && { before: open }), after: done });
    if (way < 0.2) {
      const repriced = { ...record, ...testRecord({ ...record, cost: cost + 7 }), holds: record.holds };
      write({ before: done, after: { state: 'done', record: repriced } });
      records.push(repriced);
    } else records.push(record);
  }
  return { changes, records };
}

/** Every so many writes, one fails: half of them were done all the same. */
function failing(random: () => number, share: number): AwsCall {
  return async (...parameters) => {
    if (!/UpdateItem|PutItem/.test(parameters[0]) || random() > share)
      return await database.call(...parameters);
    if (random() < 0.5) await database.call(...parameters);
    throw new AwsError('InternalServerError', '', 500);
  };
}

/** As Lambda does: a batch that fails comes again in halves; now and then one comes again that had succeeded. */
async function deliver(
  aggregate: Aggregate,
  shard: string,
  changes: readonly LedgerChange[],
  random: () => number,
): Promise<void> {
  const tries = async (batch: readonly LedgerChange[]): Promise<void> => {
    for (;;) {
      try {
        await aggregate(shard, batch);
        return;
      } catch {
        if (batch.length === 1) continue;
        const middle = Math.ceil(batch.length / 2);
        await tries(batch.slice(0, middle));
        return await tries(batch.slice(middle));
      }
    }
  };
  let next = 0;
  while (next < changes.length) {
    const size = 1 + Math.floor(random() * 12);
    const from = Math.max(0, next - Math.floor(random() * 6));
    await tries(changes.slice(from, next + size));
    next += size;
    if (random() < 0.2) await tries(changes.slice(from, next));
  }
}

describe('in the end, sums and limits are those of the ledger', () => {
  test.each([1, 2, 3, 4])('whatever happens to the batches of several shards (%i)', async (seed) => {
    const keepsSums = seed < 2;
    const random = createRandom(seed).next;
    const shards = [];
    for (const shard of ['a', 'b', 'c'])
      shards.push({ shard: `${shard}-${seed}`, ...(await makeChanges(25, random)) });
    // Each batch has many more writes with the sums of the dashboard: most would never succeed whole.
    const aggregate = aggregateOn(failing(random, keepsSums ? 0.04 : 0.15), 1, keepsSums);
    await Promise.all(shards.map(({ shard, changes }) => deliver(aggregate, shard, changes, random)));
    const records = shards.flatMap((one) => one.records);
    expect(await sums()).toEqual(records.map(countsOf).reduce(addCounts));
    const used = await createLimitStore({ call: database.call, table: 'usage', now }).read(scope());
    const charged = records.reduce((sum, { charge }) => sum + (charge ?? 0), 0);
    expect([used?.committed, used?.held]).toEqual([charged, 0]);
    if (!keepsSums) return;
    const store = createSumsStore(options());
    const found = await sumsOf(store, tenant, day);
    expect(countsIn(found)).toEqual(countsOfAll(records));
    expect(differingMedians(found, records)).toEqual([]);
    expect(await deploymentsOf(store, tenant, day)).toEqual(callsOfAll(records));
  });
});

describe('interrupted requests', () => {
  const running = () => ({ ...testRecord({ tenant, at: time, cost: 300 }), status: 200 });
  const activity = (record: LedgerRecord): LedgerChange => ({
    sequence: '1',
    at: time,
    after: { state: 'done', record },
  });

  test.each([1, 4])(
    'are finished at the next activity of their tenant, once, in %i partitions',
    async (partitions) => {
      const store = createUsageStore(options(database.call, partitions));
      const dead = Array.from({ length: 5 }, running);
      for (const record of dead) await store.open(record);
      time += 60_000;
      const alive = running();
      await store.open(alive);
      time = noon + overAfterMs + 30_000;
      const aggregate = aggregateOn(database.call, partitions);
      await aggregate(`shard-${partitions}`, [activity(running())]);
      const { records } = await store.records(tenant, { from: noon, to: time, limit: 100 });
      expect(
        records.map(({ requestId, status, error, cost }) => [requestId, status, error, cost]).sort(),
      ).toEqual(dead.map(({ requestId }) => [requestId, 499, 'interrupted', 300]).sort());
      const puts = database.actions.length;
      time += 50_000;
      await aggregate(`shard-${partitions}`, [activity(running())]);
      // It has looked within the last five minutes.
      expect(database.actions.slice(puts)).not.toContain('Query');
    },
  );

  test('show once they are finished, and a late end replaces what was written for them', async () => {
    const store = usage();
    const record = running();
    await store.open(record);
    const shown = async () => (await store.records(tenant, { from: noon, to: noon + 1, limit: 10 })).records;
    expect(await shown()).toEqual([]);
    time += overAfterMs + record.totalMs + 1;
    expect(await shown()).toEqual([]);
    await aggregateOn(database.call)('late', [activity(testRecord({ tenant, at: time }))]);
    expect(await shown()).toMatchObject([{ error: 'interrupted', status: 499, cost: 300 }]);
    expect(await store.record(record, 'its-own')).toBe('new');
    expect(await shown()).toEqual([record]);
  });

  test('of a tenant that sends nothing more are finished by the changes of others, or without any', async () => {
    // All tenants are looked for once a minute, also in the other tests.
    const began = noon + 30 * 60_000;
    time = began;
    const opened = async (sequence: string): Promise<LedgerChange> => {
      const record = running();
      await usage().open(record);
      return { sequence, at: time, after: { state: 'open', record } };
    };
    const aggregate = aggregateOn(database.call);
    await aggregate('a', [await opened('1'), await opened('2')]);
    const left = async () => {
      const store = createAggregateStore(options());
      return (await store.unfinished(tenant, { from: began, to: noon + hourMs })).length;
    };
    expect(await left()).toBe(2);
    // Another one, of a process that goes on a little longer.
    time += 120_000;
    await aggregate('a', [await opened('3')]);
    time = began + overAfterMs + 60_000;
    const other = { ...activity(running()), sequence: '4' };
    await aggregate('a', [
      { ...other, after: { state: 'done', record: testRecord({ tenant: 'other', at: time }) } },
    ]);
    expect(await left()).toBe(1);
    time += 360_000;
    // By another process.
    await aggregateOn(database.call)('idle', []);
    expect(await left()).toBe(0);
  });

  test('are not those that one process after the other works on, until the last one has ended', async () => {
    const began = noon + 2 * hourMs;
    time = began;
    const { totalMs: _, ...opened } = running();
    const aggregate = aggregateOn(database.call);
    const store = createAggregateStore(options());
    const open = async () => {
      const record = { ...opened, totalMs: time - began };
      await usage().open(record);
      await aggregate('late', [{ sequence: `${time}`, at: time, after: { state: 'open', record } }]);
    };
    const shown = async () =>
      (await usage().records(tenant, { from: began, to: began + 1, limit: 10 })).records;
    const look = async () => {
      time += 90_000;
      await aggregateOn(database.call)('idle', []);
    };
    const isLate = async () => {
      const last = Math.floor((time - overAfterMs) / 60_000) + 1;
      const found = await Promise.all([0, 1, 2, 3].map((before) => store.late(last - before)));
      return found.flat().some(({ requestId }) => requestId === opened.requestId);
    };
    await open();
    // The next process has begun to work on it.
    time += 15 * 60_000;
    await open();
    const until = time + overAfterMs;
    while (time < began + overAfterMs + 300_000) await look();
    expect([await shown(), await isLate()]).toEqual([[], true]);
    while (time < until + 300_000) await look();
    expect(await shown()).toMatchObject([{ requestId: opened.requestId, error: 'interrupted' }]);
    await look();
    await look();
    await look();
    expect(await isLate()).toBe(false);
  });
});

test('records of several partitions are read in order of time, page by page', async () => {
  const store = createUsageStore(options(database.call, 5));
  const one = createUsageStore(options(database.call, 1));
  const times = Array.from({ length: 60 }, (_, index) => noon + ((index * 37) % 60) * 1_000);
  // Some are of when the tenant had one partition.
  for (const [index, at] of times.entries())
    await (index < 10 ? one : store).record(testRecord({ tenant, at }), 'a-write');
  time = noon + 100_000;
  const found: number[] = [];
  let after: string | undefined;
  do {
    const page = await store.records(tenant, { from: noon, to: time, limit: 7, after });
    expect(page.records.length).toBeLessThanOrEqual(7);
    found.push(...page.records.map(({ at }) => at));
    after = page.after;
  } while (after !== undefined);
  expect(found).toEqual(times.toSorted((a, b) => a - b));
});

/** What keeps the aggregator from counting: one damaged item of the sums or limits is reported, and an alert that hangs is left. */
const scopeOf = (name: string): LimitScope => ({ kind: 'tenant', id: name });

function recordOf(tenant: string): LedgerRecord {
  const period = { minute: Math.floor(noon / 60_000), day: Math.floor(noon / 86_400_000) };
  const hold = { ...scopeOf(tenant), ...period, tokens: 0, amount: 0, running: 0 as const };
  return { ...testRecord({ tenant, at: noon, cost: 700, model: 'acme/one', key: 'key_1' }), holds: [hold] };
}

test('damaged items are reported, and the others are counted, each once', async () => {
  const options = { call: database.call, table: 'usage', now };
  const items = openTable(options);
  await items.put([poolName(scopeOf('bad-limits')), 'now'], { minute: 'never' });
  const key = { tenant: 'bad-sums', day: dayOf(noon), key: 'key_1', model: 'acme/one' };
  await items.put(counterKey(key), { requests: 'many' });
  const limits = createLimitStore(options);
  const logged: unknown[] = [];
  const aggregate = openAggregate(options, {
    log: { ...silent, error: (message, { reason }) => logged.push([message, reason]) },
  });
  const tenants = ['bad-limits', 'bad-sums', 'good'];
  const changes = tenants.map(
    (tenant, index): LedgerChange => ({
      sequence: `${100 + index}`,
      at: noon,
      after: { state: 'done', record: recordOf(tenant) },
    }),
  );
  await aggregate('shard', changes);
  await aggregate('shard', changes);

  for (const tenant of ['bad-sums', 'good']) {
    expect(await limits.read(scopeOf(tenant))).toMatchObject({ committed: 700 });
  }
  for (const tenant of ['bad-limits', 'good']) {
    const [sum] = await createUsageStore(options).counters(tenant, { from: dayOf(noon), to: dayOf(noon) });
    expect(sum?.counts).toMatchObject({ requests: 1, charge: 700 });
  }
  expect(logged.slice(0, 2)).toEqual([
    ['ledger items unreadable', 'ValidationException'],
    ['ledger items unreadable', 'DamagedItem'],
  ]);
});

test('an alert that hangs keeps no batch waiting', async () => {
  const aggregate = openAggregate(options(), { raiseAlerts: () => new Promise(() => {}) });
  await aggregate('shard', [{ sequence: '1', at: noon, after: { state: 'done', record: recordOf('slow') } }]);
  const limits = createLimitStore(options());
  expect(await limits.read(scopeOf('slow'))).toMatchObject({ committed: 700 });
}, 10_000);
