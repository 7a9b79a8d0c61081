import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Admission, Hold, LimitScope, LimitStore, Wanted } from '../../lib/core/accounting/limits.ts';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { startStopwatch } from '../harness/stopwatch.ts';
import { useTestDatabase } from './database.ts';
import { newScope, sizeOf, storedItem, wantedAt } from './limit-items.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** A Friday, 30 seconds into a minute. */
const start = Date.UTC(2026, 10, 20, 12, 0, 30);

const database = useTestDatabase('usage');
let time: number;
let store: LimitStore;

beforeEach(() => {
  time = start;
  store = openStore();
});

const openStore = (call: AwsCall = database.call) =>
  createLimitStore({ call, table: 'usage', now: () => time, timeoutMs: 30_000 });

const wantedOf = (amount = 0, tokens = 0) => wantedAt(time, amount, tokens);

const holdsOf = (admissions: readonly Admission[]) => admissions.flatMap(({ hold }) => hold ?? []);

/** What the admitted ones of `count` concurrent requests hold. */
async function admit(scope: LimitScope, limits: Limits, count: number, amount = 0, tokens = 0) {
  const requests = Array.from({ length: count }, () => wantedOf(amount, tokens));
  return holdsOf(await Promise.all(requests.map((request) => store.reserve(scope, limits, request))));
}

async function admitOne(scope: LimitScope, limits: Limits, amount = 0, tokens = 0): Promise<Hold> {
  const [hold] = await admit(scope, limits, 1, amount, tokens);
  if (!hold) throw new Error('The request was refused.');
  return hold;
}

const refusal = async (scope: LimitScope, limits: Limits, amount = 0, tokens = 0) =>
  (await store.reserve(scope, limits, wantedOf(amount, tokens))).refusedBy;

let position = 0;

/** The end of a request in the ledger, that used these amounts. */
function ended(hold: Hold, amount: number, tokens = 0) {
  position += 1;
  const difference = { tokens: tokens - hold.tokens, amount: amount - hold.amount };
  return { hold, ...difference, isEnd: true, sequence: `${position}` };
}

const settle = (hold: Hold, amount: number, tokens = 0) =>
  store.settle('shard', [ended(hold, amount, tokens)]);

/** Of a request that was admitted while the database was unavailable. */
const uncheckedIn = (scope: LimitScope): Hold => ({
  ...scope,
  minute: Math.floor(time / minute),
  day: Math.floor(time / (24 * hour)),
  tokens: 0,
  amount: 0,
  running: 0,
});

const itemOf = ({ kind, id }: LimitScope) => storedItem(database.call, `limit#${kind}#${id}`);

describe('forty concurrent requests', () => {
  const cases: [string, Limits][] = [
    ['a daily budget', { dailyBudget: 10_500 }],
    ['a weekly budget', { weeklyBudget: 10_500 }],
    ['a monthly budget', { monthlyBudget: 10_500 }],
    ['a total budget', { totalBudget: 10_500 }],
    ['credit', { credit: 10_500 }],
    ['requests a minute', { requestsPerMinute: 10 }],
    ['tokens a minute', { tokensPerMinute: 1_050 }],
    ['requests at a time', { concurrentRequests: 10 }],
  ];
  test.each(cases)('exactly ten are admitted if %s allows ten', async (_, limits) => {
    const scope = newScope();
    expect(await admit(scope, limits, 40, 1_000, 100)).toHaveLength(10);
    expect(await store.read(scope)).toMatchObject({
      requests: 10,
      tokens: 1_000,
      dayCommitted: 10_000,
      weekCommitted: 10_000,
      committed: 10_000,
      totalCommitted: 10_000,
      usedCredit: limits.credit === undefined ? 0 : 10_000,
      held: 10_000,
    });
  });

  test('what the first ten did not use admits exactly as many more', async () => {
    const scope = newScope();
    const limits = { monthlyBudget: 10_000 };
    const running = await admit(scope, limits, 40, 1_000);
    await store.settle(
      'shard',
      running.map((hold) => ended(hold, 300)),
    );
    // 3,000 are spent.
    expect(await admit(scope, limits, 40, 1_000)).toHaveLength(7);
  });

  test('the limit of ten applies again when the next minute starts', async () => {
    const scope = newScope();
    const limits = { requestsPerMinute: 10 };
    await admit(scope, limits, 20);
    time = start + 30 * second - 1;
    expect(await admit(scope, limits, 20)).toHaveLength(0);
    time += 1;
    expect(await admit(scope, limits, 40)).toHaveLength(10);
  });
});

test('each budget starts again with its own period', async () => {
  const scope = newScope();
  const limits = { dailyBudget: 100, weeklyBudget: 150, monthlyBudget: 180, totalBudget: 200 };
  // Saturday, Monday and the first of December.
  const steps = [
    [start, 100, 'dailyBudget'],
    [start + 24 * hour, 50, 'weeklyBudget'],
    [Date.UTC(2026, 10, 23), 30, 'monthlyBudget'],
    [Date.UTC(2026, 11, 1), 20, 'totalBudget'],
  ] as const;
  for (const [at, left, refusedBy] of steps) {
    time = at;
    expect(await refusal(scope, limits, left + 1)).toBe(refusedBy);
    await settle(await admitOne(scope, limits, left), left);
  }
  expect(await store.read(scope)).toMatchObject({ dayCommitted: 20, weekCommitted: 20, committed: 20 });
});

test('the error names the exceeded limit, and one that waiting cannot help comes first', async () => {
  const scope = newScope();
  await store.reserve(scope, { concurrentRequests: 2 }, wantedOf(100, 100));
  expect(await refusal(scope, { requestsPerMinute: 1, monthlyBudget: 1_000 })).toBe('requestsPerMinute');
  expect(await refusal(scope, { tokensPerMinute: 150 }, 0, 51)).toBe('tokensPerMinute');
  expect(await refusal(scope, { concurrentRequests: 1 })).toBe('concurrentRequests');
  expect(await refusal(scope, { requestsPerMinute: 1, monthlyBudget: 150 }, 51)).toBe('monthlyBudget');
  expect(await refusal(scope, { monthlyBudget: 150, totalBudget: 150 }, 51)).toBe('totalBudget');
  expect(await store.read(scope)).toMatchObject({ requests: 1, running: 1 });
});

test('a request that fits exactly is admitted', async () => {
  const scope = newScope();
  const limits = { monthlyBudget: 100, credit: 100, tokensPerMinute: 10, requestsPerMinute: 1 };
  expect(await admit(scope, limits, 1, 100, 10)).toHaveLength(1);
});

test('a further attempt of a request counts its amounts, and neither as a request nor as running', async () => {
  const scope = newScope();
  const limits = { monthlyBudget: 100, requestsPerMinute: 1, concurrentRequests: 1 };
  await admitOne(scope, limits, 30);
  const further = { ...wantedOf(50, 5), isFurther: true } as const;
  const { hold } = await store.reserve(scope, limits, further);
  expect(await store.read(scope)).toMatchObject({ requests: 1, running: 1, tokens: 5, committed: 80 });
  expect((await store.reserve(scope, limits, further)).refusedBy).toBe('monthlyBudget');
  if (hold) await store.cancel(hold);
  expect(await store.read(scope)).toMatchObject({ requests: 1, running: 1, tokens: 0, committed: 30 });
});

test('a refusal says whether running requests hold what is missing', async () => {
  const scope = newScope();
  const limits = { monthlyBudget: 100 };
  const hold = await admitOne(scope, limits, 90);
  expect(await store.reserve(scope, limits, wantedOf(20))).toMatchObject({ isHeld: true });
  expect(await store.reserve(scope, limits, wantedOf(101))).not.toHaveProperty('isHeld');
  await settle(hold, 90);
  expect(await store.reserve(scope, limits, wantedOf(20))).not.toHaveProperty('isHeld');
});

test('a refusal says whether a limit is used up, which what is held or estimated is not', async () => {
  const isUsedUp = async (scope: LimitScope, limits: Limits, amount = 0, tokens = 0) =>
    (await store.reserve(scope, limits, wantedOf(amount, tokens))).isUsedUp;
  const scope = newScope();
  const limits = { monthlyBudget: 100 };
  const hold = await admitOne(scope, limits, 100, 50);
  expect(await isUsedUp(scope, limits, 1)).toBeUndefined();
  await settle(hold, 99);
  expect(await isUsedUp(scope, limits, 2)).toBeUndefined();
  await settle(await admitOne(scope, limits, 1, 50), 1, 50);
  expect(await isUsedUp(scope, limits, 1)).toBe(true);
  expect(await isUsedUp(scope, { tokensPerMinute: 50 }, 0, 1)).toBeUndefined();
  expect(await isUsedUp(scope, { requestsPerMinute: 2 })).toBe(true);
  expect(await isUsedUp(scope, { concurrentRequests: 0 })).toBeUndefined();
});

describe('the output that is granted', () => {
  const flexible = (output: Wanted['output'], amount = 10): Wanted => ({
    ...wantedOf(),
    fixed: { tokens: 50, amount: 100 },
    perOutputToken: { tokens: 1, amount },
    output,
  });

  test.each([
    ['what the caller asked for', { monthlyBudget: 100_000 }, { max: 5_000, min: 1 }, 5_000],
    ['what is left of a budget', { monthlyBudget: 10_109 }, { max: 5_000, min: 1 }, 1_000],
    ['what is left of the tokens of a minute', { tokensPerMinute: 350 }, { max: 5_000, min: 1 }, 300],
    [
      'the default output without a limit of its own',
      { monthlyBudget: 50_100 },
      { max: 50_000, min: 1, expected: 4_000 },
      4_000,
    ],
    [
      'a share of what is left if that is more',
      { monthlyBudget: 3_200_100 },
      { max: 50_000, min: 1, expected: 4_000 },
      10_000,
    ],
    [
      'never more than the model gives',
      { monthlyBudget: 4e9 },
      { max: 50_000, min: 1, expected: 4_000 },
      50_000,
    ],
    [
      'what is left if the default output does not fit',
      { monthlyBudget: 1_100 },
      { max: 50_000, min: 1, expected: 4_000 },
      100,
    ],
    [
      'all of it without a limit that it counts in',
      { requestsPerMinute: 5 },
      { max: 50_000, min: 1, expected: 4_000 },
      50_000,
    ],
  ] as [string, Limits, Wanted['output'], number][])('is %s', async (_, limits, output, granted) => {
    const admission = await store.reserve(newScope(), limits, flexible(output));
    expect(admission).toMatchObject({
      output: granted,
      hold: { tokens: 50 + granted, amount: 100 + 10 * granted },
    });
  });

  test('is never less than the least: then the request is refused', async () => {
    const scope = newScope();
    const limits = { monthlyBudget: 1_100 };
    expect(await store.reserve(scope, limits, flexible({ max: 500, min: 101 }))).toMatchObject({
      refusedBy: 'monthlyBudget',
      output: 0,
    });
    expect(await store.reserve(scope, limits, flexible({ max: 500, min: 100 }))).toMatchObject({
      output: 100,
    });
  });

  test('is rounded so that parts of a nano-dollar stay within the budget', async () => {
    const scope = newScope();
    const { hold, output } = await store.reserve(
      scope,
      { credit: 200 },
      flexible({ max: 5_000, min: 1 }, 0.0625),
    );
    expect({ amount: hold?.amount, output }).toEqual({ amount: 200, output: 1_600 });
  });

  test('is not lowered by what this process remembers and others have given back', async () => {
    const scope = newScope();
    const limits = { monthlyBudget: 10_100 };
    const { hold } = await store.reserve(scope, limits, flexible({ max: 1_000, min: 1 }));
    const other = openStore();
    if (hold) await other.settle('shard', [ended(hold, 100)]);
    expect(await store.reserve(scope, limits, flexible({ max: 900, min: 1 }))).toMatchObject({
      output: 900,
    });
  });
});

describe('the number of writes', () => {
  test('is one for an admission, without a read, once the process knows the pool', async () => {
    const scope = newScope();
    const limits = { credit: 1_000, requestsPerMinute: 500 };
    await admitOne(scope, limits, 10);
    database.actions.length = 0;
    for (let count = 0; count < 5; count += 1) await admitOne(scope, limits, 10);
    expect(database.actions).toEqual(Array.from({ length: 5 }, () => 'UpdateItem'));
  });

  test('is one in a new minute too, where no other process uses the pool', async () => {
    const scope = newScope();
    await admitOne(scope, { credit: 1_000 }, 10);
    time += 30 * hour;
    database.actions.length = 0;
    await admitOne(scope, { credit: 1_000 }, 10);
    expect(database.actions).toEqual(['UpdateItem']);
  });

  test('is one, and one read, for a refusal where others have used what this process remembers', async () => {
    const scope = newScope();
    await admitOne(scope, { credit: 100 }, 10);
    await openStore().reserve(scope, { credit: 100 }, wantedOf(80));
    database.actions.length = 0;
    expect(await refusal(scope, { credit: 100 }, 50)).toBe('credit');
    expect(database.actions).toEqual(['UpdateItem', 'GetItem']);
  });

  test('is one for a batch of settlements of a scope', async () => {
    const scope = newScope();
    const holds = await admit(scope, { credit: 1_000 }, 50, 10);
    database.actions.length = 0;
    await store.settle(
      'shard',
      holds.map((hold) => ended(hold, 3)),
    );
    expect(database.actions).toEqual(['UpdateItem']);
    expect(await store.read(scope)).toMatchObject({ usedCredit: 150, held: 0 });
  });

  test('costs one unit each, with a hundred requests open: the pool does not grow', async () => {
    const scope = newScope();
    const limits = { credit: 1e12, monthlyBudget: 1e12, requestsPerMinute: 1e6, tokensPerMinute: 1e9 };
    expect(await admit(scope, limits, 100, 1_000_000, 1_000)).toHaveLength(100);
    expect(sizeOf(await itemOf(scope))).toBeLessThan(600);
  });
});

test('the use is zero before the first request', async () => {
  expect(await store.read(newScope())).toBeUndefined();
});

describe('settling', () => {
  test('releases what was not used, and counts once however often it is repeated', async () => {
    const scope = newScope();
    const limits = { credit: 10_000 };
    const [one, two, three] = await admit(scope, limits, 3, 1_000, 100);
    if (!one || !two || !three) throw new Error('Refused.');
    const [first, second, third] = [ended(one, 10, 7), ended(two, 20, 7), ended(three, 30, 7)];
    await store.settle('shard', [first, second]);
    expect(await store.settle('shard', [first])).toEqual([]);
    await openStore().settle('shard', [second, third]);
    await openStore().settle('shard', [first, second, third]);
    expect(await store.read(scope)).toMatchObject({ tokens: 21, committed: 60, usedCredit: 60, held: 0 });
  });

  test('counts changes of several shards of the stream each by its own positions', async () => {
    const scope = newScope();
    const [one, two] = await admit(scope, { credit: 10_000 }, 2, 1_000);
    if (!one || !two) throw new Error('Refused.');
    await store.settle('shard-a', [{ ...ended(one, 1), sequence: '900' }]);
    await store.settle('shard-b', [{ ...ended(two, 2), sequence: '5' }]);
    expect(await store.read(scope)).toMatchObject({ committed: 3 });
  });

  test('reports each scope, its use and the budgets of its last admission', async () => {
    const [one, two] = [newScope(), newScope()];
    const holds = [
      await admitOne(one, { dailyBudget: 500, requestsPerMinute: 9 }, 100),
      await admitOne(two, { credit: 300 }, 50),
    ];
    const settled = await store.settle(
      'shard',
      holds.map((hold) => ended(hold, 40)),
    );
    expect(settled).toMatchObject([
      { scope: one, usage: { dayCommitted: 40 }, limits: { dailyBudget: 500 } },
      { scope: two, usage: { usedCredit: 40 }, limits: { credit: 300 } },
    ]);
  });

  test('a correction of a settled request counts as a difference', async () => {
    const scope = newScope();
    const hold = await admitOne(scope, { credit: 1_000 }, 100);
    await settle(hold, 40);
    position += 1;
    await store.settle('shard', [{ hold, tokens: 0, amount: 25, isEnd: false, sequence: `${position}` }]);
    expect(await store.read(scope)).toMatchObject({ committed: 65, usedCredit: 65, held: 0 });
  });

  test('counts a request that was admitted while the database was unavailable, also for a scope without a pool', async () => {
    const scope = newScope();
    await settle({ ...uncheckedIn(scope), isPrepaid: true }, 70, 5);
    expect(await store.read(scope)).toMatchObject({ tokens: 5, dayCommitted: 70, usedCredit: 70, held: 0 });
    const other = newScope();
    await settle({ ...uncheckedIn(other), running: 1 }, 70);
    expect(await store.read(other)).toMatchObject({ dayCommitted: 70, running: 0 });
  });

  test.each([
    ['no other request since', false],
    ['after other requests', true],
  ])('in the next minute leaves that minute unchanged, %s', async (_, others) => {
    const scope = newScope();
    const hold = await admitOne(scope, {}, 1_000, 100);
    time += minute;
    if (others) await admitOne(scope, {}, 1, 5);
    await settle(hold, 10, 7);
    const [requests, tokens, committed] = others ? [1, 5, 11] : [0, 0, 10];
    expect(await store.read(scope)).toMatchObject({ requests, tokens, committed });
  });

  test.each([
    ['no other request since', false],
    ['after other requests', true],
  ])('in the next month leaves that month unchanged, %s', async (_, others) => {
    const scope = newScope();
    time = Date.UTC(2026, 10, 30, 23, 59, 59);
    const limits = { monthlyBudget: 1_000, credit: 1e9 };
    const hold = await admitOne(scope, limits, 1_000);
    expect(await refusal(scope, limits, 1)).toBe('monthlyBudget');
    time += second;
    if (others) expect(await admit(scope, limits, 1, 1_000)).toHaveLength(1);
    await settle(hold, 10);
    const committed = others ? 1_000 : 0;
    expect(await store.read(scope)).toMatchObject({
      committed,
      dayCommitted: committed,
      usedCredit: committed + 10,
    });
    // The first of December 2026 is a Tuesday.
    expect(await store.read(scope)).toMatchObject({ weekCommitted: committed + 10 });
  });

  describe('after a clock that was two hours ahead', () => {
    let rebased: string[];
    /** As another process, with the right clock and nothing in its memory. */
    const restart = () => {
      rebased = [];
      time = start;
      const onRebased = (name: string) => void rebased.push(name);
      store = createLimitStore({
        call: database.call,
        table: 'usage',
        now: () => time,
        timeoutMs: 30_000,
        onRebased,
      });
    };

    test('limits of a minute begin again with the next minute, and it is reported once', async () => {
      const scope = newScope();
      const limits = { requestsPerMinute: 5, dailyBudget: 8 };
      time = start + 2 * hour;
      const before = await admit(scope, limits, 3, 1);
      restart();
      expect(await admit(scope, limits, 10, 1)).toHaveLength(2);
      time += minute;
      // The day goes on, with what was used in it.
      expect(await admit(scope, limits, 10, 1)).toHaveLength(3);
      expect(await store.read(scope)).toMatchObject({ dayCommitted: 8 });
      // Their records settle later, and do not take the minute ahead again.
      await store.settle(
        'shard',
        before.map((hold) => ended(hold, 0)),
      );
      time += minute;
      expect(await admit(scope, limits, 10, 1)).toHaveLength(3);
      expect(rebased).toEqual([`limit#${scope.kind}#${scope.id}`]);
    });

    test('requests that its process left running do not count among those of now', async () => {
      const scope = newScope();
      const limits = { concurrentRequests: 2 };
      time = start + 2 * hour;
      const left = await admit(scope, limits, 2);
      restart();
      const running = await admit(scope, limits, 5);
      expect(running).toHaveLength(2);
      await store.settle(
        'shard',
        [...left, ...running].map((hold) => ended(hold, 0)),
      );
      for (const hold of running) await store.endRunning(hold);
      expect(await admit(scope, limits, 5)).toHaveLength(2);
    });

    test('limits with shards go on, too', async () => {
      const scope = newScope();
      const limits = { requestsPerMinute: 50 };
      const reserve = () => store.reserve(scope, limits, wantedOf(), { shards: 2 });
      time = start + 2 * hour;
      await reserve();
      restart();
      await reserve();
      time += minute;
      const admitted = holdsOf(await Promise.all(Array.from({ length: 60 }, reserve)));
      expect(admitted).toHaveLength(50);
    });

    test('one that is ahead by no more than two clocks may differ is kept to', async () => {
      const scope = newScope();
      time = start + 30 * minute;
      await admit(scope, { requestsPerMinute: 3 }, 3);
      restart();
      time += minute;
      expect(await admit(scope, { requestsPerMinute: 3 }, 3)).toHaveLength(0);
      expect(rebased).toEqual([]);
    });
  });

  test('counts in the minute and month of the table if a clock is behind', async () => {
    const scope = newScope();
    time = Date.UTC(2026, 11, 1);
    await admitOne(scope, {}, 100, 100);
    time -= second;
    const hold = await admitOne(scope, {}, 100, 100);
    expect(await store.read(scope)).toMatchObject({
      requests: 2,
      tokens: 200,
      committed: 200,
      dayCommitted: 200,
    });
    await settle(hold, 10, 10);
    expect(await store.read(scope)).toMatchObject({
      requests: 2,
      tokens: 110,
      committed: 110,
      dayCommitted: 110,
    });
  });
});

describe('cancelling', () => {
  test('undoes the request completely', async () => {
    const scope = newScope();
    const limits = { credit: 1_000, concurrentRequests: 1 };
    await store.cancel(await admitOne(scope, limits, 1_000, 100));
    const expected = {
      requests: 0,
      tokens: 0,
      committed: 0,
      dayCommitted: 0,
      usedCredit: 0,
      running: 0,
      held: 0,
    };
    expect(await store.read(scope)).toMatchObject(expected);
  });

  test('in the next minute leaves that minute unchanged', async () => {
    const scope = newScope();
    const hold = await admitOne(scope, {}, 1_000, 100);
    time += minute;
    await admitOne(scope, {}, 1, 5);
    await store.cancel(hold);
    expect(await store.read(scope)).toMatchObject({ requests: 1, tokens: 5, committed: 1 });
  });
});

describe('concurrent requests', () => {
  const limits = { concurrentRequests: 2 };

  test('run until they end', async () => {
    const scope = newScope();
    const [hold] = await admit(scope, limits, 2);
    expect(await refusal(scope, limits)).toBe('concurrentRequests');
    if (hold) await store.endRunning(hold);
    expect(await admit(scope, limits, 2)).toHaveLength(1);
  });

  test('whose end was lost stop counting half a minute after the ledger has their end', async () => {
    const scope = newScope();
    const holds = await admit(scope, limits, 2);
    await Promise.all(holds.map((hold) => settle(hold, 0)));
    time += 59 * second;
    expect(await refusal(scope, limits)).toBe('concurrentRequests');
    time += 31 * second;
    expect(await admit(scope, limits, 3)).toHaveLength(2);
  });

  test('whose end was lost are left to a reservation by a preview', async () => {
    const scope = newScope();
    const preview = () => store.preview(scope, limits, wantedOf());
    const holds = await admit(scope, limits, 2);
    expect(await preview()).toMatchObject({ refusedBy: 'concurrentRequests' });
    await Promise.all(holds.map((hold) => settle(hold, 0)));
    expect(await preview()).toMatchObject({ refusedBy: 'concurrentRequests' });
    time += 90 * second;
    expect(await preview()).toBeUndefined();
  });

  test('whose end comes late do not end others', async () => {
    const scope = newScope();
    const [hold] = await admit(scope, { concurrentRequests: 1 }, 1);
    if (!hold) throw new Error('Refused.');
    await settle(hold, 0);
    time += 2 * minute;
    const next = await admitOne(scope, { concurrentRequests: 1 });
    await store.endRunning(hold);
    await store.endRunning(next);
    expect(await admit(scope, { concurrentRequests: 1 }, 3)).toHaveLength(1);
  });

  test('that no record knows stop counting after an hour without requests', async () => {
    const scope = newScope();
    await admit(scope, limits, 2);
    time += hour;
    expect(await refusal(scope, limits)).toBe('concurrentRequests');
    time += minute;
    expect(await admit(scope, limits, 3)).toHaveLength(2);
  });
});

test('what is used without credit takes nothing from credit that comes later', async () => {
  const scope = newScope();
  const [settled] = await admit(scope, {}, 2, 100);
  if (settled) await settle(settled, 90);
  expect(await refusal(scope, { credit: 100 }, 101)).toBe('credit');
  expect(await admit(scope, { credit: 100 }, 2, 100)).toHaveLength(1);
  expect(await store.read(scope)).toMatchObject({ committed: 290, usedCredit: 100 });
});

describe('a first budget in the middle of a period', () => {
  const used = { day: 10, week: 20, month: 30, total: 40 };

  test('counts what was used before', async () => {
    const scope = newScope();
    await store.seed(scope, used);
    await store.seed(scope, used);
    const expected = { dayCommitted: 10, weekCommitted: 20, committed: 30, totalCommitted: 40, requests: 0 };
    expect(await store.read(scope)).toMatchObject(expected);
    expect(await refusal(scope, { monthlyBudget: 100 }, 71)).toBe('monthlyBudget');
    expect(await refusal(scope, { monthlyBudget: 100 }, 70)).toBeUndefined();
  });

  test('takes nothing from what the scope has counted itself', async () => {
    const scope = newScope();
    await admitOne(scope, {}, 25);
    await store.seed(scope, used);
    expect(await store.read(scope)).toMatchObject({ dayCommitted: 25, committed: 30, totalCommitted: 40 });
  });
});

describe('an item of an earlier version', () => {
  const put = (scope: LimitScope, more: object, open: object) =>
    database.call('DynamoDB_20120810.PutItem', {
      TableName: 'usage',
      Item: {
        pk: { S: `limit#${scope.kind}#${scope.id}` },
        sk: { S: 'now' },
        minute: { N: `${Math.floor(start / minute)}` },
        month: { S: '2026-11' },
        requests: { N: '3' },
        tokens: { N: '300' },
        committed: { N: '700' },
        usedCredit: { N: '700' },
        running: { N: '2' },
        ...more,
        open: { M: open },
      },
    });
  const open = (cost: number, more: object = {}) => ({
    M: {
      until: { N: `${start + 16 * minute}` },
      minute: { N: `${Math.floor(start / minute)}` },
      month: { S: '2026-11' },
      tokens: { N: '50' },
      cost: { N: `${cost}` },
      isPrepaid: { BOOL: true },
      ...more,
    },
  });

  test('goes on with its counts', async () => {
    const scope = newScope();
    await put(scope, {}, { one: open(200), two: open(300) });
    expect(await store.read(scope)).toMatchObject({
      requests: 3,
      committed: 700,
      usedCredit: 700,
      running: 2,
      dayCommitted: 0,
    });
    const limits = {
      monthlyBudget: 1_000,
      dailyBudget: 250,
      totalBudget: 250,
      requestsPerMinute: 4,
      credit: 1_000,
    };
    expect(await refusal(scope, { ...limits, dailyBudget: 1_000, totalBudget: 1_000 }, 301)).toBe('credit');
    expect(await admit(scope, limits, 2, 200, 10)).toHaveLength(1);
    expect(await store.read(scope)).toMatchObject({
      requests: 4,
      tokens: 310,
      committed: 900,
      dayCommitted: 200,
      totalCommitted: 200,
    });
  });

  test('gets back what lost requests held, when they expire', async () => {
    const scope = newScope();
    const { until: _, cost: __, tokens: ___, ...rest } = open(0).M as Record<string, unknown>;
    const emptied = { M: { ...rest, until: { N: `${start + minute}` } } };
    await put(scope, {}, { one: open(200), two: open(300, { isPrepaid: { BOOL: false } }), three: emptied });
    const limits = { monthlyBudget: 1_000, concurrentRequests: 2 };
    time = start + 16 * minute - 1;
    expect(await refusal(scope, limits, 100)).toBe('concurrentRequests');
    time += 1;
    expect(await admit(scope, limits, 1, 800)).toHaveLength(1);
    expect(await store.read(scope)).toMatchObject({ committed: 1_000, usedCredit: 500, running: 1 });
    expect(await itemOf(scope)).toMatchObject({ open: { M: {} } });
  });

  test('frees all of a hundred lost requests', async () => {
    const scope = newScope();
    const lost = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`r${index}`, open(7)]));
    await put(scope, { running: { N: '100' } }, lost);
    time += 17 * minute;
    expect(await admit(scope, { monthlyBudget: 1_000 }, 1, 1_000)).toHaveLength(1);
    expect(await store.read(scope)).toMatchObject({ committed: 1_000, usedCredit: 0, running: 0 });
  });
});

describe('a write whose answer is lost', () => {
  /** The answer of each write is lost, `often` times. */
  const losing = (often: number, isApplied: boolean): AwsCall => {
    let left = often;
    return async (action, input, options) => {
      if (!action.endsWith('UpdateItem') || left === 0) return await database.call(action, input, options);
      left -= 1;
      if (isApplied) await database.call(action, input, options);
      throw new AwsError('InternalServerError', 'lost', 500);
    };
  };

  test.each([
    ['and took place counts once', true],
    ['and did not take place counts once', false],
  ])('%s', async (_, isApplied) => {
    const scope = newScope();
    await admitOne(scope, { credit: 150 }, 1);
    const unheard = openStore(losing(1, isApplied));
    const { hold } = await unheard.reserve(scope, { credit: 150 }, wantedOf(100, 10));
    expect(hold).toMatchObject({ amount: 100, isPrepaid: true });
    expect(await store.read(scope)).toMatchObject({ requests: 2, usedCredit: 101 });
  });

  test('may hide what others wrote since: then its request goes on without a decision', async () => {
    const scope = newScope();
    await admitOne(scope, { credit: 1e6 }, 1);
    const lost: AwsCall = async (action, input, options) => {
      const answer = await database.call(action, input, options);
      if (!action.endsWith('UpdateItem')) return answer;
      await admit(scope, { credit: 1e6 }, 60, 1);
      throw new AwsError('InternalServerError', 'lost', 500);
    };
    await expect(openStore(lost).reserve(scope, { credit: 1e6 }, wantedOf(100))).rejects.toThrow('lost');
    expect(await store.read(scope)).toMatchObject({ usedCredit: 161 });
  });
});

test('a malformed item is an error, not free capacity', async () => {
  const scope = newScope();
  await database.call('DynamoDB_20120810.PutItem', {
    TableName: 'usage',
    Item: { pk: { S: `limit#tenant#${scope.id}` }, sk: { S: 'now' }, minute: { S: 'twelve' } },
  });
  await expect(store.reserve(scope, { credit: 1 }, wantedOf(1))).rejects.toThrow('is damaged');
});

describe('a database', () => {
  const openWith = (call: AwsCall) =>
    createLimitStore({ call, table: 'usage', now: () => time, timeoutMs: 400 });
  const limits = { credit: 1_000 };

  test('that does not respond times out, and faster the next time', async () => {
    const silent = openWith(() => new Promise<never>(() => {}));
    const started = performance.now();
    await expect(silent.reserve(newScope(), limits, wantedOf())).rejects.toThrow('does not answer');
    expect(performance.now() - started).toBeGreaterThan(380);
    const second = startStopwatch();
    await expect(silent.reserve(newScope(), limits, wantedOf())).rejects.toThrow('does not answer');
    expect(second.waitedMs()).toBeLessThan(300);
  });

  test('that is slow under load is waited for', async () => {
    let line = Promise.resolve();
    const slow = openWith((action, input, options) => {
      const turn = line.then(() => sleep(20));
      line = turn;
      return turn.then(() => database.call(action, input, options));
    });
    const scope = newScope();
    const requests = Array.from({ length: 15 }, () => wantedOf(1));
    const admissions = await Promise.all(requests.map((one) => slow.reserve(scope, { credit: 5 }, one)));
    expect(holdsOf(admissions)).toHaveLength(5);
  });

  test('that throttles admits no request beyond a limit', async () => {
    const busy = openWith(() => Promise.reject(new AwsError('ThrottlingException', 'Slow down.', 400)));
    const admission = await busy.reserve(newScope(), limits, wantedOf());
    expect(admission.refusedBy).toBe('contention');
  });

  test('that fails causes an error', async () => {
    const broken = openWith(() => Promise.reject(new AwsError('InternalServerError', 'fault', 500)));
    await expect(broken.reserve(newScope(), limits, wantedOf())).rejects.toThrow('fault');
  });
});

describe('the item of a scope', () => {
  test('forgets the shards of the stream that ended', async () => {
    const scope = newScope();
    for (let count = 0; count < 60; count += 1) {
      // A shard of a stream ends after four hours.
      time += 4 * hour;
      await store.settle(`shard-${count}`, [ended(uncheckedIn(scope), 1_000)]);
    }
    const stored = await itemOf(scope);
    expect(Object.keys(stored).filter((name) => name.startsWith('seen#')).length).toBeLessThan(12);
    expect(stored).toMatchObject({ totalCommitted: { N: '60000' } });
  });

  test('expires where it is a user’s and no period needs it, unless there is a total budget', async () => {
    const scope: LimitScope = { kind: 'user', id: `acme/${newScope().id}` };
    const under = async (limits: Limits) => {
      await admitOne(scope, limits);
      return await itemOf(scope);
    };
    const inDays = (days: number) => ({ N: `${Math.floor((time + days * 24 * hour) / second)}` });
    expect(await under({ dailyBudget: 1_000 })).toMatchObject({ expires_at: inDays(40) });
    time += 24 * hour;
    expect(await under({ dailyBudget: 1_000 })).toMatchObject({ expires_at: inDays(40) });
    expect(await under({ totalBudget: 1_000 })).not.toHaveProperty('expires_at');
    expect(await under({ monthlyBudget: 1_000 })).toMatchObject({
      expires_at: inDays(40),
      requests: { N: '3' },
    });
  });
});
