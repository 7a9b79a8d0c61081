/** Changes of a stream that come again, in part, or out of order between shards count once. */
import { expect, test } from 'vitest';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { toItemUpdate } from '../../lib/stores/dynamodb/update-expression.ts';
import { forgetting, hasSeen, isAfter, watermarkOf } from '../../lib/stores/dynamodb/watermark.ts';
import { use } from '../harness/use.ts';
import { useTestDatabase } from './database.ts';

const database = useTestDatabase('state');
const table = use(() => openTable({ call: database.call, table: 'state' }));

const now = Date.UTC(2026, 10, 20);

/** Whether it was added. */
async function add(key: string, shard: string, first: string, last = first, at = now) {
  const { set, where } = watermarkOf({ shard, now: at }, { first, last });
  return await table.update(key, toItemUpdate({ set: [set], add: [['count', 1]], where: [where] }));
}

test('a batch that comes again is not added, the next one is', async () => {
  expect(await add('one', 'a', '98', '100')).toMatchObject({ count: 1 });
  expect(await add('one', 'a', '98', '100')).toBeUndefined();
  expect(await add('one', 'a', '100')).toBeUndefined();
  expect(await add('one', 'a', '100', '120')).toBeUndefined();
  expect(await add('one', 'a', '101', '120')).toMatchObject({ count: 2 });
});

test('positions are compared as numbers, each shard by itself', async () => {
  expect(await add('two', 'a', '9')).toMatchObject({ count: 1 });
  expect(await add('two', 'a', '300000000000000499659')).toMatchObject({ count: 2 });
  expect(await add('two', 'a', '10')).toBeUndefined();
  const item = await add('two', 'b', '10');
  expect(item).toMatchObject({ count: 3 });
  expect(hasSeen(item, { shard: 'a', now }, '300000000000000499659')).toBe(true);
  expect(hasSeen(item, { shard: 'a', now }, '300000000000000499660')).toBe(false);
  expect(hasSeen(item, { shard: 'c', now }, '1')).toBe(false);
  expect([isAfter('10', '9'), isAfter('9', '9'), isAfter('9', '10')]).toEqual([true, false, false]);
});

test('shards that ended more than a day ago are forgotten, once there are some', async () => {
  const day = 86_400_000;
  for (const shard of ['a', 'b', 'c', 'd']) await add('three', shard, '1');
  const item = (await add('three', 'e', '1', '1', now + 2 * day)) ?? {};
  expect(forgetting(item, { shard: 'e', now: now + day })).toBeUndefined();
  const fields = forgetting(item, { shard: 'e', now: now + 2 * day });
  const left = fields && (await table.update('three', toItemUpdate(fields)));
  expect(Object.keys(left ?? {}).filter((name) => name.startsWith('seen#'))).toHaveLength(1);
  expect(hasSeen(left, { shard: 'e', now }, '1')).toBe(true);
});
