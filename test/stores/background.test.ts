/** Responses that are created in the background: one worker at a time, one end, and a log that is read while it is written. */
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { createBackgroundStore } from '../../lib/stores/responses/background.ts';
import { useTestDatabase } from './database.ts';

const database = useTestDatabase('state');
let time: number;

beforeEach(() => {
  time = Date.UTC(2026, 10, 20);
});

const openStore = (itemBytes = 300 * 1024) =>
  createBackgroundStore({ call: database.call, table: 'state', now: () => time, itemBytes });

const newRef = (tenant = 'acme') => ({ tenant, id: `resp_${randomUUID().replaceAll('-', '')}` });

const sent = {
  keyHash: 'a-hash',
  headers: { 'x-gateway-user-id': 'ann' },
  streamed: true,
  request: { input: 'A canary.' },
  begun: { status: 'queued' },
};

async function create(ref = newRef(), store = openStore()) {
  return { store, ref, run: await store.create(ref, sent) };
}

test('a run is found as it was written, by its tenant, and its parts are encrypted', async () => {
  const { store, ref, run } = await create();
  expect(await store.find(ref)).toEqual(run);
  expect(run).toMatchObject({ ...ref, status: 'queued', starts: 1, keyHash: 'a-hash', aliveAt: time });
  expect(run.request && (await store.read(run, run.request))).toEqual(sent.request);
  expect(await store.find({ ...ref, tenant: 'other' })).toBeUndefined();
  expect(await store.find({ ...ref, id: `${ref.id}#run` })).toBeUndefined();
  const items = await openTable({ call: database.call, table: 'state' }).scan('response#acme');
  expect(JSON.stringify(items)).not.toContain('canary');
  time += 31 * 24 * 3_600_000;
  expect(await store.find(ref)).toBeUndefined();
});

test('of several workers, one begins; what it repeats because its answer was lost holds', async () => {
  const { store, ref } = await create();
  const begun = await Promise.all(['one', 'two', 'three'].map((worker) => store.begin(ref, worker)));
  expect(begun.filter((run) => run?.status === 'in_progress')).toHaveLength(1);
  const winner = ['one', 'two', 'three'][begun.findIndex((run) => run !== undefined)] ?? '';
  expect(await store.begin(ref, winner)).toMatchObject({ status: 'in_progress' });
  expect(await store.renew(ref, winner)).toBe(true);
  expect(await store.renew(ref, 'another')).toBe(false);
  expect(await store.begin(newRef(), 'one')).toBeUndefined();
});

test('a run ends once: by its worker, by a cancellation, or because its worker gave no sign', async () => {
  const { store, ref, run } = await create();
  const begun = (await store.begin(ref, 'one')) ?? run;
  expect(await store.cancel(run)).toBe(false);
  time += 60_000;
  expect(await store.renew(ref, 'one')).toBe(true);
  expect(await store.fail(begun, 'It died.')).toBe(false);
  expect(await store.cancel(begun)).toBe(true);
  expect(await store.renew(ref, 'one')).toBe(false);
  expect(await store.end(ref, 'one', { status: 'done' })).toBe(false);
  const cancelled = await store.find(ref);
  expect([cancelled?.status, cancelled?.request]).toEqual(['cancelled', undefined]);
  const other = await create();
  await other.store.begin(other.ref, 'one');
  expect(await store.end(other.ref, 'one', { status: 'done' })).toBe(true);
  expect(await store.end(other.ref, 'one', { status: 'failed', final: { id: 'final' } })).toBe(true);
  const ended = await store.find(other.ref);
  expect(ended?.request).toBeUndefined();
  expect(ended?.final && (await store.read(ended, ended.final))).toEqual({ id: 'final' });
  expect(await store.begin(other.ref, 'two')).toBeUndefined();
});

test('of several requests that restart a queued run, one succeeds', async () => {
  const { store, ref, run } = await create();
  time += 31_000;
  const restarts = await Promise.all([store.restart(run), store.restart(run)]);
  expect(restarts.toSorted()).toEqual([false, true]);
  expect(await store.find(ref)).toMatchObject({ starts: 2, aliveAt: time, status: 'queued' });
});

test('blocks of the log are read in their order, also those of several items, and not after the run is gone', async () => {
  const { store, run } = await create(newRef(), openStore(1_000));
  const large = randomBytes(4_000).toString('base64');
  expect(await store.follow(run, 0)).toBeUndefined();
  const second = await store.append(run, 0, 'event: one\n\n');
  const third = await store.append(run, second, large);
  expect(third).toBeGreaterThan(second + 1);
  expect(await store.follow(run, 0)).toEqual({ text: 'event: one\n\n', next: second, at: time });
  expect(await store.follow(run, second)).toEqual({ text: large, next: third, at: time });
  expect(await store.follow(run, third)).toBeUndefined();
  const other = await create();
  expect(await store.follow({ ...run, logKey: other.run.logKey }, 0)).toBeUndefined();
});

test('what is removed is gone with its parts', async () => {
  const { store, ref, run } = await create();
  expect(await store.remove(ref)).toMatchObject({ ...ref, status: 'queued' });
  expect(await store.remove(ref)).toBeUndefined();
  expect(await store.find(ref)).toBeUndefined();
  expect(await store.read(run, run.begun)).toBeUndefined();
  expect(await store.renew(ref, 'one')).toBe(false);
});
