/** The meters of the lines of a batch: what they reserve, what they write, and until when a job may run. */
import { expect, test } from 'vitest';
import { interrupted, notBegun, overAfterMs } from '../../lib/core/accounting/interrupted.ts';
import { lineRequestId, timeOfRequest } from '../../lib/core/names/request-id.ts';
import type { MaxUse } from '../../lib/core/ports/metering.ts';
import { dayMs, minuteMs } from '../../lib/core/time.ts';
import { createSweep } from '../../lib/metering/aggregate/sweep.ts';
import { createNotingMeter, lineAmounts } from '../../lib/metering/batches/noting-meter.ts';
import { addUse, noUse, useOf } from '../../lib/metering/batches/use.ts';
import { useOfLooking } from '../../lib/pipeline/guard/highest-use.ts';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import { hourMs, useBatchJobs } from './batch-jobs.ts';

const jobs = useBatchJobs();
const { state } = jobs;
const budget = { dailyBudget: 10_000 };

async function written(key = jobs.keyOf(budget)) {
  const meter = jobs.openMeter();
  const { hold } = await meter.reserve(key, jobs.jobOf([100, 200, 300]));
  state.time += hourMs;
  return { meter, key, hold };
}

test('the id of a line is always the same, and holds its time', () => {
  const line = { batch: 'batch_1', line: 7, attempt: 0 };
  const id = lineRequestId(line, state.time);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(lineRequestId({ ...line }, state.time)).toBe(id);
  expect(timeOfRequest(id)).toBe(state.time);
  const others = [{ batch: 'batch_2' }, { line: 8 }, { attempt: 1 }].map((other) => ({ ...line, ...other }));
  expect(new Set(others.map((other) => lineRequestId(other, state.time))).add(id).size).toBe(4);
});

test('limits of requests, tokens and concurrency do not apply to lines, and lines do not count in them', async () => {
  const { meter, key, hold } = await written(
    jobs.keyOf({ ...budget, requestsPerMinute: 1, tokensPerMinute: 10, concurrentRequests: 1 }),
  );
  state.time = hold.record.at;
  await jobs.writeLine(meter, key, hold, { line: 1, charge: 150, share: { part: 200 } });
  await jobs.writeLine(meter, key, hold, { line: 0, charge: 50, share: { inParts: 200 } });
  await jobs.settle();
  expect(await jobs.used(jobs.scopeOfKey())).toEqual({
    totalCommitted: 200,
    held: 0,
    requests: 0,
    tokens: 0,
  });
});

test('who has no budget has a record, and nothing is held for it', async () => {
  const { hold } = await written(jobs.keyOf({ requestsPerMinute: 1 }));
  expect(hold.record).toMatchObject({ batch: `batch_${state.tenant}` });
  expect(hold.record.holds).toBeUndefined();
});

test('the first lines are reserved for, as many as fit; none if fewer fit than are of use', async () => {
  const meter = jobs.openMeter();
  const key = jobs.keyOf({ dailyBudget: 1_000 }, { totalBudget: 550 });
  const job = jobs.jobOf([200, 200, 200, 200], { atLeast: 1 });
  const { hold, lines } = await meter.reserve(key, job);
  expect(lines).toBe(2);
  expect(hold.record.holds?.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['key', 400],
    ['tenant', 400],
  ]);
  // The same again finds what was reserved.
  expect(await jobs.openMeter().reserve(key, job)).toEqual({ hold, lines });
  const next = jobs.jobOf([200, 200], { line: 2 });
  await expect(meter.reserve(key, next)).rejects.toMatchObject({ kind: 'rate_limited' });
  await meter.release(hold);
  await jobs.settle();
  expect((await meter.reserve(key, next)).lines).toBe(2);
  const tooMuch = jobs.jobOf([600], { line: 4 });
  await expect(meter.reserve(jobs.keyOf({ totalBudget: 500 }), tooMuch)).rejects.toMatchObject({
    kind: 'insufficient_quota',
  });
  await expect(meter.reserve(jobs.keyOf({ dailyBudget: 500 }), tooMuch)).rejects.toMatchObject({
    kind: 'budget_used_up',
  });
});

test('what is given back costs nothing, and the same time is reserved again', async () => {
  const { meter, key, hold } = await written();
  await meter.release(hold);
  await meter.release(hold);
  await jobs.settle();
  expect(await jobs.used(jobs.scopeOfKey())).toMatchObject({ totalCommitted: 0, held: 0 });
  expect(await jobs.records()).toMatchObject([{ error: notBegun, charge: 0, attempts: [] }]);
  const again = await meter.reserve(key, jobs.jobOf([100], { at: hold.record.at }));
  expect(again.hold.record.requestId).not.toBe(hold.record.requestId);
});

test('a reservation that is tried for hours is found by when it began, and its record has the time of when it fits', async () => {
  const key = jobs.keyOf({ dailyBudget: 100 });
  const job = jobs.jobOf([100]);
  const began = state.time;
  state.time += 12.4 * hourMs;
  const { hold } = await jobs.openMeter().reserve(key, job);
  const { at, holds: [held] = [] } = hold.record;
  expect(at).toBeGreaterThan(began + 11.9 * hourMs);
  expect(held?.day).toBe(Math.floor(state.time / dayMs));
  state.time += 2 * hourMs;
  expect((await jobs.openMeter().reserve(key, job)).hold).toEqual(hold);
  state.time += 2 * dayMs;
  expect(await jobs.freeLeaked(jobs.scopeOfKey())).toBe('running');
});

test('a tenant whose ledger has many partitions finds its reservation, too', async () => {
  const key = jobs.keyOf(budget, {}, { throughput: 5_000 });
  for (const line of [1, 2, 3, 4]) {
    const job = jobs.jobOf([100], { line });
    const { hold } = await jobs.openMeter().reserve(key, job);
    expect((await jobs.openMeter().reserve(key, job)).hold).toEqual(hold);
  }
});

test('without a known price, a budget allows no line', async () => {
  const job = jobs.jobOf([100, null]);
  await expect(jobs.openMeter().reserve(jobs.keyOf(budget), job)).rejects.toMatchObject({
    code: 'price_unknown',
  });
  expect((await jobs.openMeter().reserve(jobs.keyOf({}), job)).lines).toBe(2);
});

test('credit is spent in one region', async () => {
  const meter = jobs.openMeter(undefined, { creditElsewhere: 'eu-west-1' });
  const job = jobs.jobOf([100]);
  await expect(meter.reserve(jobs.keyOf({ credit: 1_000 }), job)).rejects.toMatchObject({
    code: 'wrong_region',
  });
});

test('a record has the tier of batches whatever the answer names, and the terms of when the job was sent', async () => {
  const pricing = [
    { from: 0, markup: 1_000 },
    { from: (state.time + 30 * minuteMs) / 1_000, markup: 5_000 },
  ];
  const { meter, hold, key } = await written(jobs.keyOf(budget, {}, { pricing }));
  const { batch = '', at } = hold.record;
  const id = lineRequestId({ batch, line: 1, attempt: 0 }, state.time);
  const request = jobs.requestOf(id, 100);
  const sent = { ...request, attempts: request.attempts.map((attempt) => ({ ...attempt, at })) };
  const one = meter.line(hold, { part: 200 });
  await one.openMeter(key, id).finish({ ...sent, streamed: true, firstByteMs: 3, totalMs: -1 });
  const record = await one.recorded();
  const [stored] = await jobs.records();
  expect(stored).toEqual(record);
  expect(record).toMatchObject({
    batch,
    cost: 100,
    charge: 110,
    streamed: false,
    totalMs: 0,
    attempts: [{ tier: 'batch', at, endedAt: state.time }],
    holds: [{ kind: 'key', amount: 200, isPart: true }],
  });
  expect(record).not.toHaveProperty('firstByteMs');
});

test('a line that is written twice keeps its first record, also if that has got another cost since', async () => {
  const { meter, key, hold } = await written();
  const line = { line: 1, charge: 150, share: { part: 200 } };
  const record = await jobs.writeLine(meter, key, hold, line);
  if (!record) throw new Error('It has no record.');
  const repriced = record.attempts.map((attempt) => ({ ...attempt, cost: 160, charge: 160 }));
  expect(await jobs.usage().reprice(record, { attempts: repriced, cost: 160, charge: 160 })).toBe(true);
  const { writes } = state;
  await jobs.writeLine(jobs.openMeter(), key, hold, line);
  expect([state.writes, (await jobs.records()).map(({ charge }) => charge)]).toEqual([writes, [160]]);
});

test('a record that cannot be written is for who writes it to repeat, and not reported as lost', async () => {
  const { hold, key } = await written();
  const messages: string[] = [];
  const note = (message: string) => void messages.push(message);
  const failing = jobs.openMeter(() => 'before', { log: { info: note, warn: note, error: note } });
  const line = { line: 1, charge: 150, share: { part: 200 } };
  await expect(jobs.writeLine(failing, key, hold, line)).rejects.toThrow();
  expect([messages, await jobs.records()]).toEqual([[], []]);
});

test('a job is looked at when it must have ended, and no sooner, and then ends with what is held', async () => {
  const meter = jobs.openMeter();
  const key = jobs.keyOf(budget);
  const at = state.time;
  const until = at + 3 * hourMs;
  const { hold } = await meter.reserve(key, jobs.jobOf([100, 200, 300], { until }));
  await jobs.writeLine(meter, key, hold, { line: 1, charge: 150, share: { part: 200 } });
  await jobs.settle();
  const notes: number[] = [];
  const store = createAggregateStore(jobs.options());
  const noting: typeof store = {
    ...store,
    async noteLate(record, minute) {
      notes.push(minute);
      await store.noteLate(record, minute);
    },
  };
  const look = async () => {
    const sweep = createSweep({ store: noting, now: jobs.now });
    await sweep.tenant(state.tenant);
    await sweep.all();
    await jobs.settle();
  };
  const held = async () => await jobs.used(jobs.scopeOfKey());
  for (let minutes = 20; minutes < 180; minutes += 20) {
    state.time = at + minutes * minuteMs;
    await look();
    expect(await held()).toMatchObject({ totalCommitted: 550 });
  }
  expect(notes).toEqual([Math.floor((until - overAfterMs) / minuteMs)]);
  state.time = until + 2 * minuteMs;
  await look();
  expect(await held()).toMatchObject({ totalCommitted: 550, held: 0 });
  const ended = (await jobs.records()).find(({ error }) => error === interrupted);
  // Its estimate: three tokens of input and five of output.
  expect(ended).toMatchObject({ requestId: hold.record.requestId, charge: 8 });
});

test('what a running job holds is not taken for leaked, and what has no record is', async () => {
  const meter = jobs.openMeter();
  const key = jobs.keyOf(budget);
  const until = state.time + 8 * dayMs;
  const { hold } = await meter.reserve(key, jobs.jobOf([100, 200], { until }));
  expect((await jobs.openItem(hold)).expires_at).toBeGreaterThan(until / 1_000);
  // The process of another job is killed between its reservation and its record.
  let reserved = 0;
  const killed = jobs.openMeter(() => {
    reserved += 1;
    return reserved > 1 ? 'before' : undefined;
  });
  await expect(killed.reserve(key, jobs.jobOf([1_000], { line: 2 }))).rejects.toThrow();
  expect(await jobs.used(jobs.scopeOfKey())).toMatchObject({ totalCommitted: 1_300, held: 1_300 });
  for (const days of [1, 2, 4, 7]) {
    state.time = hold.record.at + days * dayMs;
    expect(await jobs.freeLeaked(jobs.scopeOfKey())).toBe('running');
  }
  await jobs.writeLine(meter, key, hold, { line: 1, charge: 10, share: { part: 200 } });
  await jobs.writeLine(meter, key, hold, { line: 0, charge: 20, share: { inParts: 200 } });
  await jobs.settle();
  expect(await jobs.freeLeaked(jobs.scopeOfKey())).toBe('freed');
  expect(await jobs.used(jobs.scopeOfKey())).toMatchObject({ totalCommitted: 30, held: 0 });
});

const max: MaxUse = {
  fixed: { tokens: 10, amount: 25 },
  perOutputToken: { tokens: 1, amount: 3 },
  output: { max: 1_000, min: 1, expected: 40 },
};

test('a line that is only prepared writes nothing, and notes what its job needs', async () => {
  const noting = createNotingMeter();
  const meter = noting.openMeter(jobs.keyOf(budget), 'an-id');
  await meter.check({ mayRead: true, mayBeFree: async () => false });
  expect(await meter.admit(() => max)).toBe(40);
  const request = jobs.requestOf('an-id', 0);
  meter.begin(request);
  await meter.finish({ ...request, status: 500 });
  expect([noting.maxUse(), noting.granted(), noting.request()]).toEqual([max, 40, request]);
  expect(lineAmounts(max, noting.granted())).toEqual({ tokens: 50, amount: 145 });
  expect(state.writes).toBe(0);
});

test('what the detectors of a line may cost is held for its job, too', async () => {
  const noting = createNotingMeter();
  const meter = noting.openMeter(jobs.keyOf(budget), 'an-id');
  await meter.admit(() => useOfLooking(7));
  await meter.admit(() => max);
  expect(noting.maxUse()).toEqual({ ...max, fixed: { tokens: 10, amount: 32 } });
});

test('a line of a caller without a budget is not bounded, and needs a price only where there is a budget', async () => {
  const unpriced: MaxUse = { ...max, fixed: { tokens: 10, amount: null } };
  const free = createNotingMeter();
  expect(
    await free.openMeter(jobs.keyOf({ tokensPerMinute: 1 }), 'an-id').admit(() => unpriced),
  ).toBeUndefined();
  expect(lineAmounts(unpriced, free.granted())).toEqual({ tokens: 1_010, amount: null });
  const refused = createNotingMeter().openMeter(jobs.keyOf(budget), 'an-id');
  await expect(refused.admit(() => unpriced)).rejects.toMatchObject({ code: 'price_unknown' });
});

test('the use of lines adds up, and a cost that is not known makes the sum unknown', async () => {
  const { meter, key, hold } = await written();
  const one = await jobs.writeLine(meter, key, hold, { line: 1, charge: 150, share: { part: 200 } });
  if (!one) throw new Error('It has no record.');
  const both = addUse(addUse(noUse, useOf(one)), useOf(one));
  expect(both).toEqual({ ...noUse, inputTokens: 300, cost: 300, charge: 300 });
  expect(addUse(both, useOf({ ...one, cost: null }))).toMatchObject({ cost: null, charge: 450 });
});
