/** Streams that can be resumed: found by their tenant for a day, and encrypted. */
import { beforeEach, expect, test } from 'vitest';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { createStreams, findStreams } from '../../lib/stores/resumable-streams.ts';
import { useTestDatabase } from './database.ts';

const database = useTestDatabase('state');
let time: number;

beforeEach(() => {
  time = Date.UTC(2026, 10, 20);
});

const options = () => ({ call: database.call, table: 'state', now: () => time });
const create = (tenant: string) => createStreams(options())({ tenant, operation: 'messages' });
const find = (tenant: string, id: string) => findStreams(options())({ tenant, id });

test('a stream is read block by block, while it is written', async () => {
  const { id, append } = await create('acme');
  const found = await find('acme', id);
  expect(found?.operation).toBe('messages');
  expect(await found?.read(0)).toBeUndefined();
  expect(await append(await append(0, 'one'), 'two')).toBe(2);
  expect(await found?.read(0)).toEqual({ text: 'one', next: 1, at: time });
  expect(await found?.read(1)).toEqual({ text: 'two', next: 2, at: time });
});

test('a stream is found by its own tenant, for 24 hours', async () => {
  const { id } = await create('acme');
  expect(await find('other', id)).toBeUndefined();
  expect(await find('acme', `${id}#0`)).toBeUndefined();
  time += 24 * 3_600_000 - 1_000;
  expect(await find('acme', id)).toBeDefined();
  time += 1_000;
  expect(await find('acme', id)).toBeUndefined();
});

test('what is kept is encrypted, and cannot be read with the key of another stream', async () => {
  const { id, append } = await create('acme');
  const other = await create('acme');
  await append(0, 'A canary.');
  const table = openTable(options());
  expect(JSON.stringify(await table.scan('stream#acme'))).not.toContain('canary');
  const block = await table.get(`stream#acme#${id}#0`);
  await table.put(`stream#acme#${other.id}#0`, { ...block });
  expect(await (await find('acme', other.id))?.read(0)).toBeUndefined();
});
