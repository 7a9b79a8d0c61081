/** The use of limits as counted in the database: never above the limit, and never lost. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTable } from '../../infra/local/database.ts';
import type { LimitScope } from '../../lib/core/accounting/limits.ts';
import type { Reservation, ReservationStore } from '../../lib/core/accounting/reservations.ts';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { createReservationStore } from '../../lib/stores/reservations/reservations.ts';
import { startStopwatch } from '../harness/stopwatch.ts';
import { startTestDatabase, type TestDatabase } from './database.ts';

const second = 1000;
const minute = 60 * second;
/** 30 seconds into a minute. */
const start = Date.UTC(2026, 10, 20, 12, 0, 30);

let database: TestDatabase;
let time: number;
let store: ReservationStore;

beforeAll(async () => {
  database = await startTestDatabase([]);
  await createTable(database.call, 'usage', true);
});

afterAll(() => database.close());

beforeEach(() => {
  time = start;
  store = openStore();
});

const openStore = (call: AwsCall = database.call) =>
  createReservationStore({ call, table: 'usage', now: () => time, timeoutMs: 30_000 });

/** A scope that no other test uses. */
const newScope = (): LimitScope => ({ kind: 'tenant', id: randomUUID() });

const requestOf = (cost = 0, tokens = 0, isPrepaid = true): Reservation => ({
  id: randomUUID(),
  at: time,
  tokens,
  cost,
  isPrepaid,
});

const used = (cost: number, tokens = 0) => ({ requests: 1, tokens, cost });

const none = { requests: 0, tokens: 0, cost: 0 };

/** The admitted ones of `count` concurrent requests. */
async function admit(scope: LimitScope, limits: Limits, count: number, cost = 0, tokens = 0) {
  const requests = Array.from({ length: count }, () => requestOf(cost, tokens));
  const admissions = await Promise.all(requests.map((request) => store.reserve(scope, limits, request)));
  return requests.filter((_, index) => admissions[index]?.refusedBy === undefined);
}

const refusal = async (scope: LimitScope, limits: Limits, cost = 0, tokens = 0) =>
  (await store.reserve(scope, limits, requestOf(cost, tokens))).refusedBy;

describe('a hundred concurrent requests', () => {
  const cases: [string, Limits][] = [
    ['a monthly budget', { monthlyBudget: 10_500 }],
    ['credit', { credit: 10_500 }],
    ['requests a minute', { requestsPerMinute: 10 }],
    ['tokens a minute', { tokensPerMinute: 1_050 }],
    ['requests at a time', { concurrentRequests: 10 }],
  ];
  test.each(cases)('exactly ten are admitted if %s allows ten', async (_, limits) => {
    const scope = newScope();
    expect(await admit(scope, limits, 100, 1_000, 100)).toHaveLength(10);
    expect(await store.read(scope)).toMatchObject({
      requests: 10,
      tokens: 1_000,
      committed: 10_000,
      running: 10,
    });
  });

  test('what the first ten did not use admits exactly as many more', async () => {
    const scope = newScope();
    const limits = { monthlyBudget: 10_000 };
    const running = await admit(scope, limits, 100, 1_000);
    await Promise.all(running.map((request) => store.finalize(scope, request, used(300))));
    // 3,000 are spent.
    expect(await admit(scope, limits, 100, 1_000)).toHaveLength(7);
  });

  test('the limit of ten applies again when the next minute starts', async () => {
    const scope = newScope();
    const limits = { requestsPerMinute: 10 };
    await admit(scope, limits, 20);
    time = start + 30 * second - 1;
    expect(await admit(scope, limits, 20)).toHaveLength(0);
    time += 1;
    expect(await admit(scope, limits, 100)).toHaveLength(10);
  });
});

test('the error names the exceeded limit, and one that waiting cannot help comes first', async () => {
  const scope = newScope();
  await store.reserve(scope, {}, requestOf(100, 100));
  expect(await refusal(scope, { requestsPerMinute: 1, monthlyBudget: 1_000 })).toBe('requestsPerMinute');
  expect(await refusal(scope, { tokensPerMinute: 150 }, 0, 51)).toBe('tokensPerMinute');
  expect(await refusal(scope, { concurrentRequests: 1 })).toBe('concurrentRequests');
  expect(await refusal(scope, { requestsPerMinute: 1, monthlyBudget: 150 }, 51)).toBe('monthlyBudget');
  expect(await refusal(scope, { monthlyBudget: 150, credit: 150 }, 51)).toBe('credit');
  expect(await store.read(scope)).toMatchObject({ requests: 1, running: 1 });
});

test('a request that fits exactly is admitted', async () => {
  const scope = newScope();
  const limits = { monthlyBudget: 100, credit: 100, tokensPerMinute: 10, requestsPerMinute: 1 };
  expect(await admit(scope, limits, 1, 100, 10)).toHaveLength(1);
});

test('a request costs one write for admission and one for finalizing', async () => {
  const scope = newScope();
  await store.finalize(scope, (await admit(scope, { credit: 1_000 }, 1, 10))[0] ?? requestOf(), used(1));
  database.actions.length = 0;
  const [request = requestOf()] = await admit(scope, { credit: 1_000, requestsPerMinute: 5 }, 1, 10);
  await store.finalize(scope, request, used(1));
  expect(database.actions).toEqual(['UpdateItem', 'UpdateItem']);
});

test('the use is zero before the first request', async () => {
  expect(await store.read(newScope())).toBeUndefined();
});

describe('finalizing a request', () => {
  test('releases what was not used, and counts once however often it is repeated', async () => {
    const scope = newScope();
    const [request = requestOf()] = await admit(scope, {}, 1, 1_000, 100);
    expect(await store.finalize(scope, request, used(10, 7))).toBe(true);
    expect(await store.finalize(scope, request, used(10, 7))).toBe(false);
    const expected = { requests: 1, tokens: 7, committed: 10, usedCredit: 10, running: 0 };
    expect(await store.read(scope)).toMatchObject(expected);
  });

  test('can undo the request completely', async () => {
    const scope = newScope();
    const [request = requestOf()] = await admit(scope, {}, 1, 1_000, 100);
    await store.finalize(scope, request, none);
    const expected = { requests: 0, tokens: 0, committed: 0, usedCredit: 0, running: 0 };
    expect(await store.read(scope)).toMatchObject(expected);
  });

  test.each([
    ['no other request since', false],
    ['after other requests', true],
  ])('in the next minute leaves that minute unchanged, %s', async (_, others) => {
    const scope = newScope();
    const [request = requestOf()] = await admit(scope, {}, 1, 1_000, 100);
    time += minute;
    if (others) await admit(scope, {}, 1, 1, 5);
    expect(await store.finalize(scope, request, used(10, 7))).toBe(true);
    const [requests, tokens, committed] = others ? [1, 5, 11] : [0, 0, 10];
    expect(await store.read(scope)).toMatchObject({ requests, tokens, committed });
  });

  test.each([
    ['no other request since', false],
    ['after other requests', true],
  ])('in the next month leaves that month unchanged, %s', async (_, others) => {
    const scope = newScope();
    time = Date.UTC(2026, 10, 30, 23, 59, 59);
    const [request = requestOf()] = await admit(scope, { monthlyBudget: 1_000 }, 1, 1_000);
    expect(await refusal(scope, { monthlyBudget: 1_000 }, 1)).toBe('monthlyBudget');
    time += second;
    if (others) expect(await admit(scope, { monthlyBudget: 1_000 }, 1, 1_000)).toHaveLength(1);
    await store.finalize(scope, request, used(10));
    const committed = others ? 1_000 : 0;
    expect(await store.read(scope)).toMatchObject({ committed, usedCredit: committed + 10 });
  });

  test('counts in the minute and month of the table if a clock is behind', async () => {
    const scope = newScope();
    time = Date.UTC(2026, 11, 1);
    await admit(scope, {}, 1, 100, 100);
    time -= second;
    const [request = requestOf()] = await admit(scope, {}, 1, 100, 100);
    expect(await store.read(scope)).toMatchObject({ requests: 2, tokens: 200, committed: 200 });
    await store.finalize(scope, request, used(10, 10));
    expect(await store.read(scope)).toMatchObject({ requests: 2, tokens: 110, committed: 110 });
    time += 2 * second;
    const [later = requestOf()] = await admit(scope, {}, 1, 100, 100);
    await store.finalize(scope, { ...later, at: time - 2 * second }, used(10, 10));
    expect(await store.read(scope)).toMatchObject({ requests: 3, committed: 120 });
  });
});

/** As where the write waits for another scope, for other writers or for a slow table. */
describe('a reservation that is written in the next minute', () => {
  const limits = { tokensPerMinute: 1_500, requestsPerMinute: 2 };

  test.each([
    ['that has an item from before', 1],
    ['that has no item', 0],
  ])('is released from that minute for a scope %s', async (_, earlier) => {
    const scope = newScope();
    await admit(scope, limits, earlier, 0, 100);
    time = start + 30 * second - 5;
    const request = requestOf(0, 1_000);
    time += 10;
    await store.reserve(scope, limits, request);
    expect(await store.read(scope)).toMatchObject({ requests: 1, tokens: 1_000, running: earlier + 1 });
    await store.finalize(scope, request, used(0, 20));
    expect(await store.read(scope)).toMatchObject({ requests: 1, tokens: 20, running: earlier });
    expect(await refusal(scope, limits, 0, 1_481)).toBe('tokensPerMinute');
    expect(await refusal(scope, limits, 0, 1_480)).toBeUndefined();
  });

  test('is released from the next month, where that minute begins one', async () => {
    const scope = newScope();
    time = Date.UTC(2026, 11, 1) - 5;
    const request = requestOf(1_000, 1_000);
    time += 10;
    await store.reserve(scope, {}, request);
    await store.finalize(scope, request, used(30, 20));
    expect(await store.read(scope)).toMatchObject({ requests: 1, tokens: 20, committed: 30 });
  });

  test('is released as a whole where the request used nothing', async () => {
    const scope = newScope();
    const request = { ...requestOf(0, 1_000), at: start - minute };
    await store.reserve(scope, limits, request);
    await store.finalize(scope, request, none);
    expect(await store.read(scope)).toMatchObject({ requests: 0, tokens: 0, running: 0 });
  });
});

test('what is used without credit takes nothing from credit that comes later', async () => {
  const scope = newScope();
  const [finalized, lost, late] = [
    requestOf(100, 0, false),
    requestOf(100, 0, false),
    requestOf(100, 0, false),
  ];
  for (const request of [finalized, lost, late]) await store.reserve(scope, {}, request);
  await store.finalize(scope, finalized, used(90));
  expect(await refusal(scope, { credit: 100 }, 101)).toBe('credit');
  expect(await admit(scope, { credit: 100 }, 2, 100)).toHaveLength(1);
  expect(await store.read(scope)).toMatchObject({ committed: 390, usedCredit: 100 });
  time += 17 * minute;
  await store.reserve(scope, {}, requestOf(0, 0, false));
  await store.finalize(scope, late, used(80));
  expect(await store.read(scope)).toMatchObject({ committed: 170, usedCredit: 0 });
});

test('a reservation of an earlier version is released as it was counted', async () => {
  const scope = newScope();
  const [request = requestOf()] = await admit(scope, {}, 1, 100);
  await database.call('DynamoDB_20120810.UpdateItem', {
    TableName: 'usage',
    Key: { pk: { S: `limit#tenant#${scope.id}` }, sk: { S: 'now' } },
    UpdateExpression: 'REMOVE #open.#id.isPrepaid',
    ExpressionAttributeNames: { '#open': 'open', '#id': request.id },
  });
  expect(await store.read(scope)).toMatchObject({ usedCredit: 100, running: 1 });
  time += 17 * minute;
  expect(await store.read(scope)).toMatchObject({ usedCredit: 0, running: 0 });
});

describe('a request that is never finalized', () => {
  const limits = { monthlyBudget: 1_000, concurrentRequests: 1 };

  test('stops counting after sixteen minutes', async () => {
    const scope = newScope();
    await admit(scope, limits, 1, 1_000);
    time = start + 16 * minute - 1;
    expect(await admit(scope, limits, 1, 1_000)).toHaveLength(0);
    time += 1;
    expect(await admit(scope, limits, 10, 1_000)).toHaveLength(1);
    expect(await store.read(scope)).toMatchObject({ committed: 1_000, usedCredit: 1_000, running: 1 });
  });

  test('is counted once if it is finalized after all', async () => {
    const scope = newScope();
    const [lost = requestOf()] = await admit(scope, limits, 1, 1_000);
    time += 17 * minute;
    const [next = requestOf()] = await admit(scope, limits, 1, 1_000);
    expect(await store.finalize(scope, lost, used(300))).toBe(true);
    expect(await store.finalize(scope, lost, used(300))).toBe(false);
    await store.finalize(scope, next, used(200));
    expect(await store.read(scope)).toMatchObject({ committed: 500, usedCredit: 500, running: 0 });
  });

  test('is deleted in the end', async () => {
    const scope = newScope();
    const [lost = requestOf()] = await admit(scope, limits, 1, 1_000);
    for (const pause of [17, 17, 1]) {
      time += pause * minute;
      const [next = requestOf()] = await admit(scope, limits, 1, 10);
      expect(await store.finalize(scope, next, used(1))).toBe(true);
    }
    expect(await store.finalize(scope, lost, used(300))).toBe(false);
    const { Item } = await database.call('DynamoDB_20120810.GetItem', {
      TableName: 'usage',
      Key: { pk: { S: `limit#tenant#${scope.id}` }, sk: { S: 'now' } },
    });
    expect(Item).toMatchObject({ open: { M: {} } });
    expect(JSON.stringify(Item)).not.toContain(lost.id);
  });

  test('frees its share even if a hundred were lost together', async () => {
    const scope = newScope();
    expect(await admit(scope, { monthlyBudget: 1_000 }, 100, 10)).toHaveLength(100);
    time += 17 * minute;
    expect(await admit(scope, { monthlyBudget: 1_000 }, 1, 1_000)).toHaveLength(1);
    expect(await store.read(scope)).toMatchObject({ committed: 1_000, usedCredit: 1_000, running: 1 });
  });
});

test('a write that succeeded without an answer and is retried counts once', async () => {
  const twice: AwsCall = async (action, input, options) => {
    if (action.endsWith('UpdateItem')) await database.call(action, input, options).catch(() => undefined);
    return await database.call(action, input, options);
  };
  const scope = newScope();
  const request = requestOf(100, 10);
  const unheard = openStore(twice);
  expect((await unheard.reserve(scope, { credit: 150 }, request)).refusedBy).toBeUndefined();
  expect(await store.read(scope)).toMatchObject({ requests: 1, usedCredit: 100, running: 1 });
  await unheard.finalize(scope, request, used(40, 4));
  expect(await store.read(scope)).toMatchObject({ requests: 1, usedCredit: 40, running: 0 });
});

test('a malformed item is an error, not free capacity', async () => {
  const scope = newScope();
  await database.call('DynamoDB_20120810.PutItem', {
    TableName: 'usage',
    Item: { pk: { S: `limit#tenant#${scope.id}` }, sk: { S: 'now' }, minute: { S: 'twelve' } },
  });
  await expect(store.reserve(scope, { credit: 1 }, requestOf(1))).rejects.toThrow('is damaged');
});

describe('a database', () => {
  const openWith = (call: AwsCall) =>
    createReservationStore({ call, table: 'usage', now: () => time, timeoutMs: 1_000 });
  const limits = { credit: 1_000 };

  test('that does not respond times out, and faster the next time', async () => {
    const silent = openWith(() => new Promise<never>(() => {}));
    const started = performance.now();
    await expect(silent.reserve(newScope(), limits, requestOf())).rejects.toThrow('does not answer');
    expect(performance.now() - started).toBeGreaterThan(980);
    const second = startStopwatch();
    await expect(silent.reserve(newScope(), limits, requestOf())).rejects.toThrow('does not answer');
    expect(second.waitedMs()).toBeLessThan(600);
  });

  test('that is slow under load is waited for', async () => {
    let line = Promise.resolve();
    const slow = openWith((action, input, options) => {
      const turn = line.then(() => sleep(50));
      line = turn;
      return turn.then(() => database.call(action, input, options));
    });
    const scope = newScope();
    const requests = Array.from({ length: 15 }, () => requestOf(1));
    const admissions = await Promise.all(requests.map((one) => slow.reserve(scope, { credit: 5 }, one)));
    expect(admissions.filter(({ refusedBy }) => refusedBy === undefined)).toHaveLength(5);
  });

  test('that throttles admits no request beyond a limit', async () => {
    const busy = openWith(() => Promise.reject(new AwsError('ThrottlingException', 'Slow down.', 400)));
    const admission = await busy.reserve(newScope(), limits, requestOf());
    expect(admission.refusedBy).toBe('contention');
  });

  test('that fails causes an error', async () => {
    const broken = openWith(() => Promise.reject(new AwsError('InternalServerError', 'fault', 500)));
    await expect(broken.reserve(newScope(), limits, requestOf())).rejects.toThrow('fault');
  });
});
