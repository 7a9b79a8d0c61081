/** The hosts that an operator defined, in the table and as requests find them. */
import { beforeEach, expect, test } from 'vitest';
import { createFindHost, createHostStore } from '../../lib/stores/catalog/hosts.ts';
import { emptyTable, useTestDatabase } from './database.ts';

const database = useTestDatabase('catalog');
const store = createHostStore({ call: database.call, table: 'catalog' });

beforeEach(() => emptyTable(database.call, 'catalog'));

test('a host is written, replaced, found, listed by name and removed', async () => {
  await store.put({ name: 'two', source: 'file', row: { a: 1 } });
  await store.put({ name: 'one', source: 'command', row: { b: 1 } });
  await store.put({ name: 'two', source: 'command', row: { a: 2 } });
  await store.put({ name: 'three', source: 'file', row: {} });
  const digest = expect.any(String);
  const two = { name: 'two', source: 'command', row: { a: 2 }, digest };
  expect(await store.get('two')).toStrictEqual(two);
  expect(await store.list()).toStrictEqual([
    { name: 'one', source: 'command', row: { b: 1 }, digest },
    { name: 'three', source: 'file', row: {}, digest },
    two,
  ]);
  expect([await store.remove('two'), await store.remove('two')]).toStrictEqual([true, false]);
  expect(await store.get('two')).toBeUndefined();
});

test('the row of a host is the same object for a minute, and is then read again', async () => {
  let time = 0;
  const find = createFindHost({ store, now: () => time });
  expect(await find('one')).toBeUndefined();
  time = 60_000;
  await store.put({ name: 'one', source: 'file', row: { a: 1 } });
  const row = await find('one');
  expect(row).toStrictEqual({ a: 1 });
  await store.put({ name: 'one', source: 'file', row: { a: 2 } });
  time += 59_999;
  expect(await find('one')).toBe(row);
  time += 1;
  expect(await find('one')).toStrictEqual({ a: 2 });
});

test('through a fault of the database, a host is used for an hour', async () => {
  let time = 0;
  let isDown = false;
  const get = (name: string) => (isDown ? Promise.reject(new Error('fault')) : store.get(name));
  const find = createFindHost({ store: { get }, now: () => time });
  await store.put({ name: 'one', source: 'file', row: { a: 1 } });
  await find('one');
  isDown = true;
  time = 3_599_999;
  expect(await find('one')).toStrictEqual({ a: 1 });
  time = 3_610_000;
  await expect(find('one')).rejects.toMatchObject({ kind: 'internal' });
});
