/** Reconciling the daily counters, replaying lost records and recomputing costs, on the embedded database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addCounts } from '../../lib/core/accounting/counters.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { DatedPrice } from '../../lib/core/model.ts';
import type { UsageStore } from '../../lib/core/ports/usage-store.ts';
import { billOf } from '../../lib/metering/bill.ts';
import { counterKeyOf, countsOf } from '../../lib/metering/counts.ts';
import { historyOf, recompute } from '../../lib/metering/recompute.ts';
import { reconcile } from '../../lib/metering/reconcile.ts';
import { replay } from '../../lib/metering/replay.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { testRecord, unbilled } from '../harness/ledger.ts';
import { testTarget } from '../harness/matrix/model.ts';
import { startTestDatabase, type TestDatabase } from '../stores/database.ts';

const day = '2026-11-20';
const noon = Date.parse(`${day}T12:00:00Z`);
const dayMs = 86_400_000;

let database: TestDatabase;
let usage: UsageStore;
let time: number;
let tenants = 0;
let tenant: string;

beforeAll(async () => {
  database = await startTestDatabase(['usage']);
});

afterAll(() => database.close());

beforeEach(() => {
  tenants += 1;
  tenant = `tenant-${tenants}`;
  time = noon + 3_600_000;
  usage = createUsageStore({ call: database.call, table: 'usage', now: () => time });
});

const one = (changes: Parameters<typeof testRecord>[0] = {}) => testRecord({ tenant, at: noon, ...changes });
const write = (record: LedgerRecord) => usage.record(record, `write-${record.requestId}`);
const count = (record: LedgerRecord) => usage.addToCounter(counterKeyOf(record), countsOf(record));
const counted = async () =>
  (await usage.counters(tenant, { from: day, to: day })).map(({ counts }) => counts);
const repair = () => reconcile({ usage, now: () => time }, tenant, [day]);

describe('reconcile', () => {
  test('leaves matching counters unchanged', async () => {
    const record = one();
    await write(record);
    await count(record);
    database.actions.length = 0;
    expect(await repair()).toEqual([]);
    expect(database.actions).not.toContain('PutItem');
  });

  test.each([
    ['that was never counted', 0],
    ['that was counted twice', 2],
  ])('corrects a counter for a request %s', async (_name, times) => {
    const [first, second] = [one({ cost: 1 }), one({ cost: null, status: 500, error: 'provider_error' })];
    for (const record of [first, second]) await write(record);
    await count(first);
    for (let counts = 0; counts < times; counts += 1) await count(second);
    const right = addCounts(countsOf(first), countsOf(second));
    expect(await repair()).toMatchObject([{ day, actual: right, state: 'fixed' }]);
    expect([await counted(), await repair()]).toEqual([[right], []]);
    expect(right).toMatchObject({ requests: 2, failed: 1, cost: 1, unpriced: 1 });
  });

  test('skips requests that have only just ended, because they may still be counted', async () => {
    const record = one();
    await write(record);
    time = noon + 5_000;
    expect(await repair()).toMatchObject([{ state: 'busy' }]);
    expect(await counted()).toEqual([]);
    await count(record);
    time = noon + 60_000;
    expect([await repair(), await counted()]).toEqual([[], [countsOf(record)]]);
  });

  test('does not overwrite what is counted meanwhile', async () => {
    const [first, second] = [one(), one()];
    await write(first);
    const racing: UsageStore = {
      ...usage,
      async records(...parameters) {
        const page = await usage.records(...parameters);
        await count(second);
        return page;
      },
    };
    const [difference] = await reconcile({ usage: racing, now: () => time }, tenant, [day]);
    expect(difference?.state).toBe('busy');
    expect(await counted()).toEqual([countsOf(second)]);
  });

  test('keeps counters whose records may have expired', async () => {
    const record = one();
    await write(record);
    await count(record);
    time = noon + 90 * dayMs;
    expect([await repair(), await counted()]).toEqual([[], [countsOf(record)]]);
  });
});

describe('replay', () => {
  const line = (message: string, record: LedgerRecord) => JSON.stringify({ level: 'ERROR', message, record });
  const replayLines = (lines: readonly string[]) =>
    replay(lines, { usage, now: () => time, newId: (prefix) => prefix + crypto.randomUUID() });
  /** A record of a request that has begun. */
  const begunAt = (provider: string): LedgerRecord => {
    const { attempts, ...begun } = one({ cost: null, streamed: true, provider });
    return { ...begun, attempts: attempts.map(({ usage: _, ...attempt }) => attempt) };
  };
  const ledger = async () =>
    (await usage.records(tenant, { from: noon, to: noon + dayMs, limit: 100 })).records;

  test('restores lost records once, however often it is run', async () => {
    const [lost, uncounted] = [one(), one()];
    await write(uncounted);
    const lines = [
      'START RequestId: x',
      '{"message":"usage record lost"',
      `2026-11-20T12:00:00Z\tstream\t${line('usage record lost', lost)}`,
      line('usage record lost', uncounted),
      line('request', one()),
    ];
    expect(await replayLines(lines)).toMatchObject({ restored: 1, known: 1 });
    const right = addCounts(countsOf(lost), countsOf(uncounted));
    expect([await counted(), new Set(await ledger())]).toEqual([[right], new Set([lost, uncounted])]);
    expect(await replayLines(lines)).toMatchObject({ restored: 0, known: 2, differences: [] });
    expect(await counted()).toEqual([right]);
  });

  test('records the last provider of a request that called several, in whatever order the lines are', async () => {
    const first = begunAt('anthropic');
    const [attempt] = first.attempts;
    const last = {
      ...first,
      provider: 'bedrock',
      attempts: [attempt, attempt, attempt].flatMap((one) => one ?? []),
    };
    const second = { ...first, attempts: last.attempts.slice(1) };
    const lines = [second, last, first].map((record) => line('usage opened', record));
    expect(await replayLines(lines)).toMatchObject({ interrupted: 1 });
    expect(await ledger()).toEqual([{ ...last, status: 499, error: 'interrupted' }]);
  });

  test('records requests that started and never ended, with an unknown cost', async () => {
    const begun = begunAt('anthropic');
    const ended = one({ streamed: true });
    await write(ended);
    await count(ended);
    const lines = [begun, ended].map((record) => line('usage opened', record));
    expect(await replayLines(lines)).toMatchObject({ interrupted: 1, known: 1 });
    const found = (await ledger()).find(({ requestId }) => requestId === begun.requestId);
    expect(found).toEqual({ ...begun, status: 499, error: 'interrupted', cost: null });
    expect(await counted()).toMatchObject([{ requests: 2, failed: 1, unpriced: 1 }]);
  });

  test('prefers the lost record of a request to its start', async () => {
    const lost = one();
    const lines = [line('usage opened', { ...lost, cost: null }), line('usage record lost', lost)];
    expect(await replayLines(lines)).toMatchObject({ restored: 1, interrupted: 0 });
    expect(await ledger()).toEqual([lost]);
  });

  test('skips requests that may still be running, and records that have expired', async () => {
    const underWay = one({ at: time - 60_000 });
    const tooOld = one({ at: time - 100 * dayMs });
    const lines = [line('usage opened', underWay), line('usage record lost', tooOld)];
    expect(await replayLines(lines)).toMatchObject({ underWay: 1, tooOld: 1, restored: 0, interrupted: 0 });
    expect([await ledger(), await counted()]).toEqual([[], []]);
  });
});

describe('recompute', () => {
  const from = noon / 1000 + 600;
  const amounts = { input: 2, output: 3, cachedInput: 1, cacheWrite: null };
  const prices: readonly DatedPrice[] = [
    { from: 0, price: { ...amounts, tiers: [{ ...amounts, input: 20, aboveInputTokens: 99 }] } },
    { from, price: { ...amounts, output: 7 } },
  ];
  const { model, deployment } = testTarget({ id: 'acme/one', prices });
  const target = { model: model.id, provider: deployment.provider, region: deployment.region };
  const history = historyOf([model]);
  const span = { from: noon - dayMs, to: noon + dayMs };
  const bill = (price: DatedPrice | undefined, changes: Parameters<typeof testRecord>[0] = {}) =>
    billOf(unbilled(one({ ...target, ...changes }), price));

  test('confirms the recorded costs, whichever price applied', async () => {
    const [first, second] = prices;
    const small = {
      promptTokens: 9,
      cachedTokens: 3,
      cacheWriteTokens: 0,
      completionTokens: 4,
      reasoningTokens: 1,
    };
    const records = [
      bill(first),
      bill(first, { usage: small }),
      bill(second, { at: from * 1000 }),
      // It started before the price changed, and its provider was called after that.
      bill(second, { at: from * 1000 - 10, totalMs: 100 }),
      bill(first, { at: from * 1000 - 10, totalMs: 100 }),
      bill(first, { status: 503, error: 'provider_timeout' }),
    ];
    for (const record of records) await write(record);
    const found = await recompute(usage, tenant, span, { historyOf: history });
    const sum = records.reduce((total, { cost }) => total + (cost ?? 0), 0);
    expect(found).toEqual({
      requests: 6,
      recorded: sum,
      recomputed: sum,
      differences: [],
      withoutHistory: 0,
    });
    expect(sum).toBeGreaterThan(0);
  });

  test('reports costs that differ by a nano-dollar, costs now known, and missing models', async () => {
    const { attempts, cost, charge } = bill(prices[0]);
    const right = { attempts, cost, charge };
    const wrong = { ...bill(prices[0]), cost: (cost ?? 0) + 1 };
    const unpriced = bill(undefined);
    const gone = bill(prices[0], { model: 'acme/gone' });
    for (const record of [wrong, unpriced, gone]) await write(record);
    const found = await recompute(usage, tenant, span, { historyOf: history });
    expect(new Set(found.differences)).toEqual(
      new Set([
        { record: wrong, ...right },
        { record: unpriced, ...right },
      ]),
    );
    expect([found.requests, found.withoutHistory]).toEqual([3, 1]);
  });
});
