/** Reconciling the daily counters, replaying lost records and recomputing costs, on the embedded database. */
import { beforeEach, describe, expect, test } from 'vitest';
import { addCounts } from '../../lib/core/accounting/counters.ts';
import { interruptedOf } from '../../lib/core/accounting/interrupted.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { DatedPrice } from '../../lib/core/catalog/price.ts';
import { newRequestId } from '../../lib/core/names/request-id.ts';
import type { AggregateStore, UsageStore } from '../../lib/core/ports/usage-store.ts';
import { billOf } from '../../lib/metering/cost/bill.ts';
import { counterKeyOf, countsOf } from '../../lib/metering/cost/counts.ts';
import { historyOf, recompute } from '../../lib/metering/cost/recompute.ts';
import { reconcile } from '../../lib/metering/records/reconcile.ts';
import { replay } from '../../lib/metering/records/replay.ts';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { testRecord, unbilled } from '../harness/ledger.ts';
import { testTarget } from '../harness/matrix/model.ts';
import { useTestDatabase } from '../stores/database.ts';
import { usageOf } from './usages.ts';

const day = '2026-11-20';
const noon = Date.parse(`${day}T12:00:00Z`);
const dayMs = 86_400_000;

const database = useTestDatabase('usage');
let usage: UsageStore;
let aggregate: AggregateStore;
let sequence = 0;
let time: number;
let tenants = 0;
let tenant: string;

beforeEach(() => {
  tenants += 1;
  tenant = `tenant-${tenants}`;
  time = noon + 3_600_000;
  const options = { call: database.call, table: 'usage', now: () => time };
  usage = createUsageStore(options);
  aggregate = createAggregateStore(options);
});

const one = (changes: Parameters<typeof testRecord>[0] = {}) => testRecord({ tenant, at: noon, ...changes });
const write = (record: LedgerRecord) => usage.record(record, `write-${record.requestId}`);
/** As the aggregator does, by a further change of the stream. */
const count = (record: LedgerRecord, at = time) => {
  sequence += 1;
  const change = { sequence: String(sequence), at, counts: countsOf(record) };
  return aggregate.addToCounter(counterKeyOf(record), [change], { shard: 'a', now: time });
};
const counted = async () =>
  (await usage.counters(tenant, { from: day, to: day })).map(({ counts }) => counts);
const repair = (write = true) => reconcile({ usage, now: () => time, write }, tenant, [day]);

describe('reconcile', () => {
  test('leaves matching counters unchanged', async () => {
    const record = one();
    await write(record);
    await count(record);
    database.actions.length = 0;
    expect(await repair()).toEqual([]);
    expect(database.actions).not.toContain('UpdateItem');
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
    const [difference] = await reconcile({ usage: racing, now: () => time, write: true }, tenant, [day]);
    expect(difference?.state).toBe('busy');
    expect(await counted()).toEqual([countsOf(second)]);
  });

  test('only reports what is wrong, unless it is to correct it', async () => {
    const record = one();
    await write(record);
    expect([await repair(false), await counted()]).toMatchObject([[{ state: 'wrong' }], []]);
  });

  test('counts a change once that the stream delivers after it was corrected', async () => {
    const [late, next] = [one(), one()];
    await write(late);
    expect(await repair()).toMatchObject([{ state: 'fixed' }]);
    await count(late, noon);
    expect(await counted()).toEqual([countsOf(late)]);
    await write(next);
    await count(next);
    expect(await counted()).toEqual([addCounts(countsOf(late), countsOf(next))]);
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
    replay(lines, { usage, newId: (prefix) => prefix + crypto.randomUUID(), now: () => time });
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
    expect(new Set(await ledger())).toEqual(new Set([lost, uncounted]));
    expect(await replayLines(lines)).toMatchObject({ restored: 0, known: 2 });
  });

  test("reads the lines of a Web Function, whose message is the gateway's line as text or as JSON", async () => {
    const [asText, asJson] = [one(), one()];
    const wrap = (message: unknown) => JSON.stringify({ level: 'INFO', requestId: 'x', message });
    const lines = [
      wrap(line('usage record lost', asText)),
      wrap(JSON.parse(line('usage record lost', asJson))),
      wrap('{"message":"usage record lost"'),
      wrap(line('request', one())),
    ];
    expect(await replayLines(lines)).toMatchObject({ restored: 2, known: 0 });
    expect(new Set(await ledger())).toEqual(new Set([asText, asJson]));
  });

  test('adds to an open record, and replaces one that was finished because the request seemed interrupted', async () => {
    const [running, seeming] = [one(), one()];
    for (const record of [running, seeming]) await usage.open({ ...record, cost: 1 });
    await aggregate.finish(interruptedOf({ ...seeming, cost: 1 }));
    expect(await ledger()).toMatchObject([{ status: 499 }]);
    const lines = [running, seeming].map((record) => line('usage record lost', record));
    expect(await replayLines(lines)).toMatchObject({ restored: 2 });
    expect(new Set(await ledger())).toEqual(new Set([running, seeming]));
  });

  test('restores an open record as interrupted once its request is over, and as open before', async () => {
    const timed = (at: number) => one({ at, requestId: newRequestId(at) });
    const [over, running, further] = [timed(noon), timed(time), timed(noon + 1)];
    const [attempt] = further.attempts;
    if (!attempt) throw new Error('It has an attempt.');
    const lines = [over, running, further, { ...further, attempts: [attempt, attempt] }].map((record) =>
      line('usage opened', record),
    );
    // The process ended before the second attempt was written.
    await usage.open(further);
    expect(await replayLines(lines)).toEqual({ restored: 3, known: 0, tooOld: 0 });
    expect(await ledger()).toMatchObject([
      { error: 'interrupted', status: 499, attempts: { length: 1 } },
      { error: 'interrupted', attempts: { length: 2 } },
    ]);
    expect(await usage.find(tenant, running.requestId)).toMatchObject({ state: 'open' });
    expect(await replayLines(lines)).toEqual({ restored: 0, known: 3, tooOld: 0 });
  });

  test('leaves an open line alone whose request has its final record, there or in the log', async () => {
    const [ended, lost] = [one(), one()];
    await write(ended);
    const lines = [
      line('usage record lost', lost),
      ...[ended, lost].map((record) => line('usage opened', record)),
    ];
    expect(await replayLines(lines)).toMatchObject({ restored: 1, known: 1 });
    expect(new Set(await ledger())).toEqual(new Set([ended, lost]));
  });

  test('skips records that have expired', async () => {
    const tooOld = one({ at: time - 100 * dayMs });
    expect(await replayLines([line('usage record lost', tooOld)])).toMatchObject({ tooOld: 1, restored: 0 });
    expect(await ledger()).toEqual([]);
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
    const small = usageOf({ promptTokens: 9, cachedTokens: 3, completionTokens: 4, reasoningTokens: 1 });
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
