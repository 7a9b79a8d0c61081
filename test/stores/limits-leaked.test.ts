import { beforeEach, describe, expect, test } from 'vitest';
import type { Hold, LimitScope, LimitStore } from '../../lib/core/accounting/limits.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { useTestDatabase } from './database.ts';
import { newScope, wantedAt } from './limit-items.ts';

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
/** A Friday. */
const noon = Date.UTC(2026, 10, 20, 12);
const limits: Limits = { totalBudget: 1_000_000, monthlyBudget: 1_000_000, dailyBudget: 1_000_000 };

const database = useTestDatabase('usage');
let time = noon;
let scope: LimitScope;
let store: LimitStore;
let sequence = 0;

beforeEach(() => {
  time = noon;
  sequence = 0;
  scope = newScope();
  store = createLimitStore({ call: database.call, table: 'usage', now: () => time });
});

async function admit(amount: number, { shards = 0, under = limits } = {}): Promise<Hold> {
  const { hold } = await store.reserve(scope, under, wantedAt(time, amount), { shards });
  if (!hold) throw new Error('It was not admitted.');
  return hold;
}

async function settle(hold: Hold, used: number) {
  sequence += 1;
  const settlement = { hold, tokens: 0, amount: used - hold.amount, isEnd: true, sequence: `${sequence}` };
  const [settled] = await store.settle('shard', [settlement]);
  return settled;
}

/** As if the ledger had so many records of each day. */
const free = async (recorded: number | 'expired' | undefined, write = true) =>
  (await store.freeLeaked(scope, async () => recorded, write)).state;

const counts = async () => {
  const { totalCommitted, committed, weekCommitted, dayCommitted } = (await store.read(scope)) ?? {};
  return { totalCommitted, committed, weekCommitted, dayCommitted };
};

describe.each([
  ['a scope in one item', 0],
  ['a scope with shards', 3],
])('%s', (_, shards) => {
  test('that is busy is repaired the day after, and only by what was leaked', async () => {
    await settle(await admit(100, { shards }), 40);
    await admit(700, { shards });
    expect(await free(1)).toBe('running');
    time += dayMs / 2 + 10 * minuteMs;
    const running = await admit(100, { shards });
    expect(await free(1)).toBe('running');
    time += 45 * minuteMs;
    const last = await admit(100, { shards });
    expect(await free(1)).toBe('freed');
    expect(await counts()).toEqual({
      totalCommitted: 240,
      committed: 240,
      weekCommitted: 240,
      dayCommitted: 200,
    });
    await settle(running, 10);
    await settle(last, 20);
    expect(await counts()).toMatchObject({ totalCommitted: 70, dayCommitted: 30 });
    time += 60 * minuteMs;
    expect(await free(2)).toBe('none');
  });

  test('that settles late is not taken for a leaked one', async () => {
    const late = await admit(100, { shards });
    time += dayMs;
    await admit(1, { shards });
    expect(await free(1)).toBe('unsettled');
    await settle(late, 30);
    time += 60 * minuteMs;
    // Of today there is no record.
    expect(await free(0)).toBe('freed');
    expect(await counts()).toMatchObject({ totalCommitted: 30 });
  });
});

test('what is leased to a shard belongs to no request, and goes back to the pool', async () => {
  for (let count = 0; count < 2; count += 1) await settle(await admit(100, { shards: 3 }), 40);
  expect(await free(2)).toBe('none');
  expect(await counts()).toMatchObject({ totalCommitted: 80 });
});

test('a settlement says whether something is left of days that are over', async () => {
  await admit(700);
  time += dayMs;
  const settled = await settle(await admit(10), 10);
  expect(settled).toMatchObject({ mayHaveLeaked: true });
  expect(await free(0)).toBe('freed');
  expect(await settle(await admit(10), 10)).toMatchObject({ mayHaveLeaked: false });
});

test('a period that has begun since keeps its counts', async () => {
  // LeakedReservations on a Friday of November, freed on a Tuesday of December.
  await admit(700);
  time = Date.UTC(2026, 11, 1, 12);
  await settle(await admit(10), 10);
  expect(await free(0)).toBe('freed');
  expect(await counts()).toEqual({
    totalCommitted: 10,
    committed: 10,
    weekCommitted: 10,
    dayCommitted: 10,
  });
});

test('a place among the concurrent requests comes back', async () => {
  const under: Limits = { concurrentRequests: 2 };
  await admit(0, { under });
  time += 59 * minuteMs;
  const other = await admit(0, { under });
  await settle(other, 0);
  await store.endRunning(other);
  expect(await store.read(scope)).toMatchObject({ running: 1 });
  time += 52 * minuteMs;
  expect(await free(1)).toBe('freed');
  expect(await store.read(scope)).toMatchObject({ running: 0 });
  expect(await free(1)).toBe('none');
});

test('where the ledger cannot say what it has, nothing is freed', async () => {
  await admit(700);
  time += dayMs;
  expect(await free(undefined)).toBe('unknown');
  expect(await counts()).toMatchObject({ totalCommitted: 700 });
});

test('where changes of the ledger were lost, the amount stays, and later ones can be freed', async () => {
  await admit(700);
  time += dayMs;
  await admit(60);
  // Of two records, one was never settled.
  expect(await free(2)).toBe('unsettled');
  time += 3 * dayMs;
  expect(await free(2)).toBe('kept');
  time += minuteMs;
  await admit(50);
  time += dayMs;
  expect(await free(0)).toBe('freed');
  expect(await counts()).toMatchObject({ totalCommitted: 760 });
});

test('what the ledger no longer has all records of stays, and does not keep later ones from being freed', async () => {
  await admit(700);
  time += 40 * dayMs;
  await settle(await admit(10), 10);
  expect(await free('expired', false)).toBe('unknown');
  expect(await free('expired')).toBe('kept');
  await admit(50);
  time += dayMs;
  await settle(await admit(10), 10);
  expect(await free(1)).toBe('freed');
  expect(await counts()).toMatchObject({ totalCommitted: 720 });
});

test('nothing changes without write', async () => {
  await admit(700);
  time += dayMs;
  expect(await free(0, false)).toBe('found');
  expect(await counts()).toMatchObject({ totalCommitted: 700 });
});

test('a request that is admitted during the check is not freed', async () => {
  await admit(700);
  time += 60 * minuteMs;
  const other = createLimitStore({ call: database.call, table: 'usage', now: () => time });
  const during = async () => {
    store = other;
    await admit(50);
    return 0;
  };
  expect(await store.freeLeaked(scope, during, true)).toMatchObject({ state: 'changed' });
  expect(await counts()).toMatchObject({ totalCommitted: 750 });
});
