/** Notes that all environments share. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSharedCache } from '../../lib/stores/shared-cache.ts';
import { startBrokenDatabase, startTestDatabase, type TestDatabase } from './database.ts';

let database: TestDatabase;
let time: number;

beforeAll(async () => {
  database = await startTestDatabase(['state']);
});

afterAll(() => database.close());

beforeEach(() => {
  time = Date.UTC(2026, 10, 20);
  database.actions.length = 0;
});

/** One environment of a function. */
const openNotes = (size = 10) =>
  createSharedCache({ call: database.call, table: 'state', now: () => time, warn: () => {}, size });

test('what one environment keeps another one finds, until it expires', async () => {
  await openNotes().keep('a', 'text', 60_000);
  const other = openNotes();
  expect(await other.find('a')).toBe('text');
  time += 60_000;
  expect(await other.find('a')).toBeUndefined();
  expect(await openNotes().find('a')).toBeUndefined();
});

test('what was found once is not read again', async () => {
  await openNotes().keep('b', 'text', 60_000);
  const other = openNotes();
  await other.find('b');
  await other.find('b');
  expect(database.actions).toEqual(['PutItem', 'GetItem']);
});

test('what is forgotten is forgotten everywhere that has not seen it', async () => {
  const notes = openNotes();
  await notes.keep('c', 'text', 60_000);
  await notes.forget('c');
  expect([await notes.find('c'), await openNotes().find('c')]).toEqual([undefined, undefined]);
});

test('items carry their expiry for the table to delete them', async () => {
  await openNotes().keep('d', 'text', 60_000);
  const { Items } = await database.call('DynamoDB_20120810.Scan', { TableName: 'state' });
  expect(JSON.stringify(Items)).toContain(`"expires_at":{"N":"${(time + 60_000) / 1000}"}`);
});

test('only so many are kept at hand', async () => {
  const notes = openNotes(1);
  await notes.keep('e', 'one', 60_000);
  await notes.keep('f', 'two', 60_000);
  database.actions.length = 0;
  expect([await notes.find('f'), await notes.find('e')]).toEqual(['two', 'one']);
  expect(database.actions).toEqual(['GetItem']);
});

test('a database that fails costs a note, never a request', async () => {
  const broken = await startBrokenDatabase();
  const warnings: unknown[] = [];
  const warn = (cause: unknown) => warnings.push(cause);
  const notes = createSharedCache({ call: broken.call, table: 'state', now: () => time, warn });
  expect(await notes.find('g')).toBeUndefined();
  await notes.keep('g', 'text', 60_000);
  expect(await notes.find('g')).toBe('text');
  expect(warnings).toHaveLength(2);
  await broken.close();
});
