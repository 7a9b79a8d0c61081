/** A scope with shards, one request after another: which shard a process uses, and what it asks the database. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { LimitScope } from '../../lib/core/accounting/limits.ts';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { useTestDatabase } from './database.ts';
import { newScope, wantedAt } from './limit-items.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 10, 20, 12, 0, 30);
const database = useTestDatabase('usage');
let time = start;
beforeEach(() => {
  time = start;
});

const openStore = (call: AwsCall = database.call) =>
  createLimitStore({ call, table: 'usage', now: () => time, timeoutMs: 60_000 });

const wantedOf = (amount: number, tokens = 0) => wantedAt(time, amount, tokens);

test('a process goes on with fewer shards where a scope has fewer than before', async () => {
  const limits = { monthlyBudget: 1e9 };
  for (let tries = 0; tries < 10; tries += 1) {
    const scope = newScope();
    const store = openStore();
    for (const shards of [16, 16]) await store.reserve(scope, limits, wantedOf(10), { shards });
    const { hold } = await store.reserve(scope, limits, wantedOf(10), { shards: 2 });
    expect([1, 2]).toContain(hold?.shard);
  }
});

test.each<[string, Limits, Limits, number]>([
  ['the next day', { monthlyBudget: 1e6 }, { monthlyBudget: 1e6 }, dayMs],
  ['under a lower limit', { monthlyBudget: 1e6 }, { monthlyBudget: 1e5 }, 0],
  ['under a further limit', { monthlyBudget: 1e6 }, { monthlyBudget: 1e6, requestsPerMinute: 1e3 }, 0],
  ['once there is credit', { monthlyBudget: 1e6 }, { monthlyBudget: 1e6, credit: 1e6 }, 0],
])('what is left in a shard goes back, and it is used again, %s', async (_, before, after, passes) => {
  const scope = newScope();
  const store = openStore();
  const reserve = (limits: Limits) => store.reserve(scope, limits, wantedOf(10), { shards: 2 });
  for (let count = 0; count < 2; count += 1) await reserve(before);
  time += passes;
  const { hold } = await reserve(after);
  expect(hold?.shard).toBeDefined();
  expect(await openStore().read(scope)).toMatchObject({
    totalCommitted: 30,
    dayCommitted: passes > 0 ? 10 : 30,
  });
});

describe('a shard whose writes fail', () => {
  let failing: { readonly of: string; readonly type: string } | undefined;
  let failures = 0;
  const call: AwsCall = async (action, input, options) => {
    if (failing && JSON.stringify(input).includes(failing.of)) {
      if (action.endsWith('UpdateItem')) failures += 1;
      throw new AwsError(failing.type, 'Slow down.', 400);
    }
    return await database.call(action, input, options);
  };
  const limits = { monthlyBudget: 1e9 };

  /** A process that uses a shard. */
  async function begin(type: string) {
    failing = undefined;
    const scope = newScope();
    const store = openStore(call);
    await store.reserve(scope, limits, wantedOf(10), { shards: 8 });
    const { hold } = await store.reserve(scope, limits, wantedOf(10), { shards: 8 });
    failing = { of: `${scope.id}#${hold?.shard}"`, type };
    failures = 0;
    return { used: hold?.shard, again: () => store.reserve(scope, limits, wantedOf(10), { shards: 8 }) };
  }

  test('because it is busy is left for another one', async () => {
    const { used, again } = await begin('ThrottlingException');
    const { hold, refusedBy } = await again();
    // By chance it may choose the same one again, four times at most.
    expect(hold ? hold.shard !== used : refusedBy === 'contention' && failures === 4).toBe(true);
  });

  test('for any other reason is asked once', async () => {
    const { again } = await begin('InternalServerError');
    await expect(again()).rejects.toThrow('Slow down.');
    expect(failures).toBe(1);
  });
});

describe('a refusal', () => {
  const limits = { monthlyBudget: 1_000 };
  const shards = 2;

  /** What a refusal asks of the database, by a process that remembers as much as the store. */
  async function refuse(scope: LimitScope, store: ReturnType<typeof openStore>, amount: number) {
    database.actions.length = 0;
    const { refusedBy } = await store.reserve(scope, limits, wantedOf(amount), { shards });
    expect(refusedBy).toBe('monthlyBudget');
    return database.actions.join(' ');
  }

  test('calls in what the shards have left, and the next one asks them no more', async () => {
    const scope = newScope();
    const store = openStore();
    for (const amount of [10, 10]) await store.reserve(scope, limits, wantedOf(amount), { shards });
    const first = await refuse(scope, store, 1_000);
    expect(first).toContain('UpdateItem');
    expect(await refuse(scope, store, 1_000)).toBe('GetItem');
    expect(await openStore().reserve(scope, limits, wantedOf(980), { shards })).toHaveProperty('hold');
    expect(await store.read(scope)).toMatchObject({ committed: 1_000 });
  });

  test('asks the pool once more only if a shard had something left', async () => {
    const scope = newScope();
    const store = openStore();
    for (const amount of [10, 10]) await store.reserve(scope, limits, wantedOf(amount), { shards });
    await refuse(scope, store, 1_000);
    expect(await refuse(scope, openStore(), 1_000)).toBe('GetItem GetItem GetItem GetItem GetItem');
  });
});

test('what is spent without limits comes to a pool when the shard gives back what it had set aside', async () => {
  const scope = newScope();
  const store = openStore();
  for (let days = 0; days < 3; days += 1) {
    for (let count = 0; count < 4; count += 1) await store.reserve(scope, {}, wantedOf(10), { shards: 2 });
    time += dayMs;
  }
  time -= dayMs;
  expect(await openStore().read(scope)).toMatchObject({ totalCommitted: 120, dayCommitted: 40 });
});
