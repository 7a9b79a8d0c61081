/** The cache that all processes share. */
import { beforeEach, expect, test } from 'vitest';
import { createSharedCache } from '../../lib/stores/shared-cache.ts';
import { brokenDatabase, useTestDatabase } from './database.ts';

const database = useTestDatabase('state');
let time: number;

beforeEach(() => {
  time = Date.UTC(2026, 10, 20);
  database.actions.length = 0;
});

/** The cache of one process. */
const openCache = (size = 10) =>
  createSharedCache({ call: database.call, table: 'state', now: () => time, warn: () => {}, size });

test('an entry stored by one process is found by another until it expires', async () => {
  await openCache().set('a', 'text', 60_000);
  const other = openCache();
  expect(await other.find('a')).toBe('text');
  time += 60_000;
  expect(await other.find('a')).toBeUndefined();
  expect(await openCache().find('a')).toBeUndefined();
});

test('an entry is read from the database once', async () => {
  await openCache().set('b', 'text', 60_000);
  const other = openCache();
  await other.find('b');
  await other.find('b');
  expect(database.actions).toEqual(['PutItem', 'GetItem']);
});

test('a deleted entry is gone, also for other processes that have not read it', async () => {
  const cache = openCache();
  await cache.set('c', 'text', 60_000);
  await cache.delete('c');
  expect([await cache.find('c'), await openCache().find('c')]).toEqual([undefined, undefined]);
});

test('a process that asks for it finds what another has stored since', async () => {
  const [one, other] = [openCache(), openCache()];
  await one.set('changed', 'before', 60_000);
  await other.set('changed', 'after', 60_000);
  expect([await one.find('changed'), await one.find('changed', { isFresh: true })]).toEqual([
    'before',
    'after',
  ]);
  expect(await one.find('changed')).toBe('after');
});

test('of several processes one claims a key, until it is deleted or its time is over', async () => {
  const processes = [openCache(), openCache(), openCache()];
  const claim = async () =>
    (await Promise.all(processes.map((one) => one.claim('k', 60_000)))).filter(Boolean);
  expect([await claim(), await claim()]).toEqual([[true], []]);
  time += 60_000;
  expect(await claim()).toEqual([true]);
  await openCache().delete('k');
  expect(await claim()).toEqual([true]);
});

test('items have an expiry, so that DynamoDB deletes them', async () => {
  await openCache().set('d', 'text', 60_000);
  const { Items } = await database.call('DynamoDB_20120810.Scan', { TableName: 'state' });
  expect(JSON.stringify(Items)).toContain(`"expires_at":{"N":"${(time + 60_000) / 1000}"}`);
});

test('the number of entries in memory is limited', async () => {
  const cache = openCache(1);
  await cache.set('e', 'one', 60_000);
  await cache.set('f', 'two', 60_000);
  database.actions.length = 0;
  expect([await cache.find('f'), await cache.find('e')]).toEqual(['two', 'one']);
  expect(database.actions).toEqual(['GetItem']);
});

test('a database failure is a cache miss, not an error', async () => {
  const warnings: unknown[] = [];
  const warn = (cause: unknown) => warnings.push(cause);
  const cache = createSharedCache({ call: brokenDatabase, table: 'state', now: () => time, warn });
  expect(await cache.find('g')).toBeUndefined();
  await cache.set('g', 'text', 60_000);
  expect(await cache.find('g')).toBe('text');
  expect(await cache.claim('h', 60_000)).toBe(false);
  expect(warnings).toHaveLength(3);
});
