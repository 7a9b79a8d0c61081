import { beforeEach, describe, expect, test } from 'vitest';
import type { Hold, LimitScope, LimitStore } from '../../lib/core/accounting/limits.ts';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { useTestDatabase } from './database.ts';
import { newScope, sizeOf, storedItem, wantedAt } from './limit-items.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.UTC(2026, 10, 20, 12, 0, 30);

const database = useTestDatabase('usage');
let time: number;

beforeEach(() => {
  time = start;
});

/** At most this many calls at a time: the database of the tests is a single process. */
const atOnce = 40;
let running = 0;
const waiting: (() => void)[] = [];

const inTurn: AwsCall = async (...args) => {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await database.call(...args);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
};

const openStore = (call: AwsCall = inTurn): LimitStore =>
  createLimitStore({ call, table: 'usage', now: () => time, timeoutMs: 60_000 });

const openStores = (count: number) => Array.from({ length: count }, () => openStore());

const wantedOf = (amount: number, tokens = 0) => wantedAt(time, amount, tokens);

/** What many requests of many processes hold that are made at once, and how the others are refused. */
async function admit(
  stores: readonly LimitStore[],
  scope: LimitScope,
  limits: Limits,
  { count, amount = 10, shards }: { count: number; amount?: number; shards: number },
) {
  const admissions = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      stores[index % stores.length]?.reserve(scope, limits, wantedOf(amount, 5), { shards }),
    ),
  );
  const holds = admissions.flatMap((admission) => admission?.hold ?? []);
  return { holds, refusals: new Set(admissions.flatMap((admission) => admission?.refusedBy ?? [])) };
}

const unused = (holds: readonly Hold[]) =>
  holds.map((hold, index) => ({
    hold,
    tokens: -hold.tokens,
    amount: -hold.amount,
    isEnd: true,
    sequence: `${index + 1}`,
  }));

const itemOf = (name: string) => storedItem(database.call, name);

describe.each([
  ['in one item', 0, 150],
  ['in sixteen shards', 16, 1_000],
])('up to a thousand parallel requests of fifty processes, counted %s', (_, shards, ofBudget) => {
  const cases: [string, Limits, number][] = [
    ['a budget', { monthlyBudget: 105 }, ofBudget],
    ['credit', { credit: 100 }, 150],
    ['requests a minute', { requestsPerMinute: 10 }, 150],
    ['tokens a minute', { tokensPerMinute: 54 }, 150],
  ];
  test.each(cases)(
    'ten are admitted where %s allows ten',
    async (_, limits, count) => {
      const scope = newScope();
      const stores = openStores(50);
      const { holds } = await admit(stores, scope, limits, { count, shards });
      expect(holds).toHaveLength(10);
      await stores[0]?.settle('shard', unused(holds));
      expect(await stores[0]?.read(scope)).toMatchObject({
        committed: 0,
        totalCommitted: 0,
        usedCredit: 0,
        tokens: 0,
      });
    },
    120_000,
  );
});

test('all of a budget can be spent, wherever it was leased', async () => {
  const scope = newScope();
  const stores = openStores(50);
  const limits = { dailyBudget: 1_000, credit: 1e9 };
  const { holds } = await admit(stores, scope, limits, { count: 200, shards: 4 });
  expect(holds.length).toBeLessThanOrEqual(100);
  // Those that were refused while others moved what is left try again.
  const again = await admit(stores, scope, limits, { count: 100 - holds.length, shards: 4 });
  expect(again.holds).toHaveLength(100 - holds.length);
  expect(holds.filter(({ shard }) => shard !== undefined).length).toBeGreaterThan(15);
  expect((await admit(stores, scope, limits, { count: 50, shards: 4, amount: 1 })).holds).toHaveLength(0);
  expect(await stores[7]?.read(scope)).toMatchObject({ dayCommitted: 1_000, usedCredit: 1_000 });
}, 120_000);

describe('the units of writes', () => {
  const limits = { monthlyBudget: 1e9, requestsPerMinute: 1e6, tokensPerMinute: 1e9 };

  test('are one for an admission, at any number of open requests, and one for a batch of settlements', async () => {
    const scope = newScope();
    const store = openStore();
    for (const count of [1, 1]) await admit([store], scope, limits, { count, shards: 4 });
    database.actions.length = 0;
    const { holds } = await admit([store], scope, limits, { count: 300, shards: 4 });
    expect(holds).toHaveLength(300);
    expect(database.actions).toEqual(Array.from({ length: 300 }, () => 'UpdateItem'));
    const [{ shard } = {}] = holds;
    expect(sizeOf(await itemOf(`limit#tenant#${scope.id}#${shard}`))).toBeLessThan(1_024);
    database.actions.length = 0;
    await store.settle('shard', unused(holds));
    expect(database.actions.filter((action) => action === 'UpdateItem')).toHaveLength(1);
  });

  test('stay one each with the leases of sixteen shards', async () => {
    const scope = newScope();
    const all = { ...limits, credit: 9e15, dailyBudget: 9e14, weeklyBudget: 9e15, monthlyBudget: 9e15 };
    const big = { count: 20, amount: 5_000_000_000, shards: 16 };
    const leases = async () => {
      const pool = await itemOf(`limit#tenant#${scope.id}`);
      return { pool, count: Object.keys(pool).filter((name) => name.startsWith('loan')).length };
    };
    while ((await leases()).count < 16) await admit(openStores(10), scope, all, big);
    const { holds } = await admit(openStores(1), scope, all, big);
    for (const shard of ['one', 'two']) await openStore().settle(shard, unused(holds));
    const { pool } = await leases();
    expect(sizeOf(pool)).toBeLessThan(1_024);
  }, 60_000);
});

test('requests of a new minute are leased again, and those of the last one are gone', async () => {
  const scope = newScope();
  const stores = openStores(10);
  const limits = { requestsPerMinute: 60 };
  for (let minutes = 0; minutes < 3; minutes += 1) {
    let admitted = 0;
    for (let tries = 0; tries < 3; tries += 1) {
      admitted += (await admit(stores, scope, limits, { count: 45, shards: 3 })).holds.length;
    }
    expect(admitted).toBe(60);
    time += minute;
  }
}, 60_000);

test('what shards have left at the end of a day goes back, and counts in no other day', async () => {
  const scope = newScope();
  const stores = openStores(12);
  const limits = { dailyBudget: 1_000, monthlyBudget: 1_500 };
  await admit(stores, scope, limits, { count: 24, shards: 3 });
  time += 24 * hour;
  await admit(stores, scope, limits, { count: 24, shards: 3 });
  expect(await openStore().read(scope)).toMatchObject({
    dayCommitted: 240,
    weekCommitted: 480,
    committed: 480,
  });
  const rest = await admit(stores, scope, limits, { count: 1, amount: 760, shards: 3 });
  expect(rest.holds).toHaveLength(1);
  expect(await openStore().read(scope)).toMatchObject({ dayCommitted: 1_000, committed: 1_240 });
});

test('after a limit was lowered, what was leased under the old one goes back first', async () => {
  const scope = newScope();
  const stores = openStores(12);
  await admit(stores, scope, { monthlyBudget: 10_000 }, { count: 12, shards: 3 });
  const { holds } = await admit(stores, scope, { monthlyBudget: 150 }, { count: 12, shards: 3 });
  expect(holds).toHaveLength(3);
});

test('a budget that is given later counts what shards have spent without one', async () => {
  const scope = newScope();
  const stores = openStores(12);
  await admit(stores, scope, { requestsPerMinute: 10_000 }, { count: 24, shards: 3 });
  expect(await openStore().read(scope)).toMatchObject({ committed: 240 });
  await openStore().seed(scope, { day: 0, week: 0, month: 0, total: 0 });
  const { holds } = await admit(stores, scope, { monthlyBudget: 300 }, { count: 24, shards: 3 });
  expect(holds).toHaveLength(6);
});

test('credit that is given later is used by later requests only', async () => {
  const scope = newScope();
  const stores = openStores(12);
  await admit(stores, scope, { monthlyBudget: 10_000 }, { count: 24, shards: 3 });
  const limits = { monthlyBudget: 10_000, credit: 100 };
  const { holds, refusals } = await admit(stores, scope, limits, { count: 24, shards: 3 });
  expect({ admitted: holds.length, refusals: [...refusals] }).toEqual({ admitted: 10, refusals: ['credit'] });
  await stores[0]?.settle('shard', unused(holds));
  expect(await openStore().read(scope)).toMatchObject({ committed: 240, usedCredit: 0 });
});

test('a scope with a limit of concurrent requests counts them in one place', async () => {
  const scope = newScope();
  const limits = { concurrentRequests: 10, monthlyBudget: 1e9 };
  const { holds } = await admit(openStores(20), scope, limits, { count: 100, shards: 4 });
  expect(holds).toHaveLength(10);
  expect(holds.every(({ shard }) => shard === undefined)).toBe(true);
});

test('a preview refuses only what a reservation would: not what shards may give back', async () => {
  const [store] = openStores(1);
  const limits = { totalBudget: 100 };
  const preview = (scope: LimitScope) => store?.preview(scope, limits, wantedOf(1));
  const plain = newScope();
  await store?.reserve(plain, limits, wantedOf(99));
  expect((await preview(plain))?.refusedBy).toBeUndefined();
  await store?.reserve(plain, limits, wantedOf(1));
  expect(await preview(plain)).toMatchObject({ refusedBy: 'totalBudget', isHeld: true });
  const sharded = newScope();
  const much = { totalBudget: 1_000_000 };
  await admit(openStores(1), sharded, much, { count: 10, amount: 10, shards: 2 });
  expect(await store?.preview(sharded, much, wantedOf(1_000_001))).toBeUndefined();
});
