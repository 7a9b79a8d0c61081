/** Batches and their jobs in the table: who finds them, in which order, and which of two writes holds. */
import { beforeEach, expect, test } from 'vitest';
import type { BatchJob, NewBatch } from '../../lib/core/batches.ts';
import { timedId } from '../../lib/core/names/new-id.ts';
import { createBatchStore } from '../../lib/stores/batches/batches.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { emptyTable, useTestDatabase } from './database.ts';

const database = useTestDatabase('files');
let time = Date.UTC(2026, 10, 20);

beforeEach(async () => {
  await emptyTable(database.call, 'files', true);
  time = Date.UTC(2026, 10, 20);
});

const store = () => createBatchStore({ call: database.call, table: 'files', now: () => time });

function newBatch(changes: Partial<NewBatch> = {}): NewBatch {
  time += 1_000;
  const createdAt = Math.floor(time / 1_000);
  return {
    tenant: 'acme',
    id: timedId('batch_', time),
    contract: 'openai',
    operation: 'chat-completions',
    key: { id: 'key', tenant: 'acme', hash: 'hash' },
    inputFile: 'file-1',
    input: [{ name: 't/acme/f/1', bytes: 10 }],
    metadata: { 'a.b': 'c' },
    headers: {},
    mode: 'any',
    outputSeconds: 86_400,
    createdAt,
    expiresAt: createdAt + 86_400,
    ...changes,
  };
}

const jobOf = (n: number): BatchJob => ({
  n,
  by: 'openai',
  model: 'm',
  provider: 'openai',
  region: 'global',
  lines: 1,
  firstLine: 0,
  answered: 0,
  sending: 0,
  status: 'planned',
  parts: {},
  attempts: 0,
  polls: 0,
  nextAt: 0,
  counts: { total: 1, completed: 0, failed: 0, cancelled: 0, expired: 0 },
});

test('a batch is found by its tenant as it was written, until its answers have expired', async () => {
  const batch = newBatch();
  expect(await store().create(batch)).toBe(true);
  expect(await store().create(batch)).toBe(false);
  expect(await store().find('acme', batch.id)).toMatchObject({
    ...batch,
    status: 'validating',
    jobs: 0,
    version: 0,
  });
  expect(await store().find('other', batch.id)).toBeUndefined();
  expect(await store().find('acme', 'file-1')).toBeUndefined();
  time += 31 * 86_400_000;
  expect(await store().find('acme', batch.id)).toBeUndefined();
});

test('what is no id of a batch is not looked for, and no place in a list', async () => {
  await store().create(newBatch());
  await store().create(newBatch({ contract: 'anthropic', id: timedId('msgbatch_', time) }));
  for (const id of [
    '',
    'a',
    'zzz',
    'batch_',
    'batch_~',
    `batch_${'a'.repeat(2_000)}`,
    'batch_😀',
    'batch_1#2',
  ]) {
    expect(await store().find('acme', id)).toBeUndefined();
    for (const place of [{ after: id }, { before: id }])
      expect((await store().list('acme', 'openai', { limit: 10, ...place })).items).toEqual([]);
  }
});

test('what a tenant has that is named as the list of open batches is not in it', async () => {
  await store().create(newBatch({ tenant: 'open' }));
  const files = openTable({ call: database.call, table: 'files' });
  await files.put(['open', 'stored#2026-11-20'], { bytes: 1 });
  expect(await store().open('stored')).toEqual([]);
  expect(await store().open()).toHaveLength(1);
});

test('of two changes of what was read once, the first holds', async () => {
  const batch = newBatch();
  await store().create(batch);
  const read = await store().find('acme', batch.id);
  if (!read) throw new Error('There is no batch.');
  expect(await store().change(read, { status: 'cancelling' })).toMatchObject({
    status: 'cancelling',
    version: 1,
  });
  expect(await store().change(read, { status: 'completed' })).toBeUndefined();
  expect(await store().find('acme', batch.id)).toMatchObject({ status: 'cancelling' });
});

test('what is open is listed for all tenants, until it has ended', async () => {
  const [one, other] = [newBatch(), newBatch({ tenant: 'a#b', id: timedId('msgbatch_', time) })];
  await store().create(one);
  await store().create(other);
  expect((await store().open()).map(({ tenant, id }) => `${tenant} ${id}`).toSorted()).toEqual(
    [`a#b ${other.id}`, `acme ${one.id}`].toSorted(),
  );
  const read = await store().find('acme', one.id);
  if (read) await store().change(read, { status: 'completed' });
  expect(await store().open()).toEqual([{ tenant: 'a#b', id: other.id }]);
});

test('a page begins after, or ends before, a batch; the newest comes first', async () => {
  const made = Array.from({ length: 5 }, () => newBatch());
  for (const one of made) await store().create(one);
  await store().create(newBatch({ contract: 'anthropic', id: timedId('msgbatch_', time) }));
  const newest = made.map(({ id }) => id).toReversed();
  const page = async (listing: Parameters<ReturnType<typeof store>['list']>[2]) => {
    const { items, hasMore } = await store().list('acme', 'openai', listing);
    return [items.map(({ id }) => newest.indexOf(id)), hasMore];
  };
  expect(await page({ limit: 2 })).toEqual([[0, 1], true]);
  expect(await page({ limit: 2, after: newest[1] })).toEqual([[2, 3], true]);
  expect(await page({ limit: 2, after: newest[3] })).toEqual([[4], false]);
  expect(await page({ limit: 5 })).toEqual([[0, 1, 2, 3, 4], false]);
  expect(await page({ limit: 2, before: newest[3] })).toEqual([[1, 2], true]);
  expect(await page({ limit: 9, before: newest[3] })).toEqual([[0, 1, 2], false]);
});

test('jobs are listed in order, and deleted with a batch that has ended', async () => {
  const batch = newBatch();
  await store().create(batch);
  for (const n of [10, 2]) await store().putJob({ ...batch, version: 1 }, jobOf(n));
  await store().putJob({ ...batch, version: 1 }, { ...jobOf(2), status: 'settled' });
  expect((await store().jobs(batch)).map(({ n, status }) => [n, status])).toEqual([
    [2, 'settled'],
    [10, 'planned'],
  ]);
  const open = await store().find('acme', batch.id);
  if (!open) throw new Error('There is no batch.');
  expect(await store().delete(open)).toBe(false);
  const ended = await store().change(open, { status: 'completed' });
  expect(ended && (await store().delete(ended))).toBe(true);
  expect(await store().jobs(batch)).toEqual([]);
  expect(await store().find('acme', batch.id)).toBeUndefined();
});

test('a worker that no longer has a batch does not replace the jobs that the next one has written', async () => {
  const batch = newBatch();
  expect(await store().putJob({ ...batch, version: 3 }, jobOf(0))).toBe(true);
  expect(await store().putJob({ ...batch, version: 4 }, { ...jobOf(0), status: 'settled' })).toBe(true);
  expect(await store().putJob({ ...batch, version: 3 }, { ...jobOf(0), status: 'submitted' })).toBe(false);
  expect(await store().jobs(batch)).toMatchObject([{ status: 'settled' }]);
});

test('a repeated request creates the batch of the one before, for ten minutes', async () => {
  const creation = { tenant: 'acme', request: 'hash', isAgain: false };
  const note = (id: string, changes: object = {}) => store().noteCreation({ ...creation, id, ...changes });
  expect(await note('a')).toBe('a');
  expect(await note('b', { isAgain: true })).toBe('a');
  expect(await note('c')).toBe('c');
  expect(await note('d', { isAgain: true })).toBe('c');
  expect(await note('e', { isAgain: true, tenant: 'other' })).toBe('e');
  time += 601_000;
  expect(await note('f', { isAgain: true })).toBe('f');
});
