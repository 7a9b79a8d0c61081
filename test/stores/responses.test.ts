/** Stored responses: found complete by their tenant, or not at all. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { type ResponseStore, readInput, type StoredResponse } from '../../lib/core/stored-response.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { createResponseStore } from '../../lib/stores/responses/responses.ts';
import { brokenDatabase, useTestDatabase } from './database.ts';

const day = 24 * 3_600_000;
const database = useTestDatabase('state');
let time: number;

beforeEach(() => {
  time = Date.UTC(2026, 10, 20);
});

/** A hundredth of the real ones. */
const sizes = { headInput: 1_280, headResponse: 1_920, piece: 3_000 };

const openStore = (call: AwsCall = database.call) =>
  createResponseStore({ call, table: 'state', now: () => time, sizes });

const openRealStore = () => createResponseStore({ call: database.call, table: 'state', now: () => time });

/** An id that no other test uses. */
const newId = () => `resp_${randomUUID().replaceAll('-', '')}`;

/** Text that does not compress. */
const noise = (bytes: number) => randomBytes(bytes).toString('base64');

const responseOf = (id: string, text = 'Hello.'): StoredResponse => ({
  response: { id, object: 'response', output: [{ type: 'message', content: [{ text }] }] },
  input: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'user',
      content: [{ type: 'input_text', text: '日本 \ud83d\ude00' }],
    },
  ],
});

/** What a store finds, read whole; undefined where it is not found, or not complete. */
async function readBack(store: ResponseStore, tenant: string, id: string): Promise<unknown> {
  const found = await store.find(tenant, id);
  const [input, response] = [found && (await readInput(found)), await found?.readResponse()];
  return input && response ? { response, input } : undefined;
}

/** The items of a response in the table: keys and sizes. */
async function storedOf(id: string) {
  const found: { key: string; size: number; expires: number }[] = [];
  let start: unknown;
  do {
    const page = await database.call('DynamoDB_20120810.Scan', {
      TableName: 'state',
      ...(start !== undefined && { ExclusiveStartKey: start }),
    });
    for (const { pk, data, expires_at } of page.Items as Record<string, Record<string, string>>[]) {
      const [key = '', bytes = ''] = [pk?.S, data?.B];
      if (!key.includes(id)) continue;
      found.push({ key, size: Buffer.from(bytes, 'base64').length, expires: Number(expires_at?.N) });
    }
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return found.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

const removeItem = (key: string) =>
  database.call('DynamoDB_20120810.DeleteItem', { TableName: 'state', Key: { pk: { S: key } } });

test('a stored response is found at once, also by another process', async () => {
  const id = newId();
  await openStore().put('acme', id, responseOf(id));
  expect(await readBack(openStore(), 'acme', id)).toEqual(responseOf(id));
});

test('a small response is one item, smaller than its JSON', async () => {
  const id = newId();
  const stored = responseOf(id, 'The same sentence again. '.repeat(500));
  await openRealStore().put('acme', id, stored);
  const [head, ...others] = await storedOf(id);
  expect(others).toEqual([]);
  expect(head?.size).toBeLessThan(JSON.stringify(stored).length / 10);
});

test('a large conversation is stored in parts, and read back complete', async () => {
  const id = newId();
  const small = responseOf(id);
  const large = {
    ...small,
    input: [...small.input, { type: 'message', id: 'msg_2', text: noise(1_000_000) }],
  };
  const store = openRealStore();
  await store.put('acme', id, large);
  const stored = await storedOf(id);
  expect(stored.length).toBeGreaterThan(4);
  for (const { size } of stored) expect(size).toBeLessThanOrEqual(300 * 1024 + 16);
  const found = await readBack(store, 'acme', id);
  // Compared as a boolean, because a difference of this size must not be printed.
  expect(JSON.stringify(found) === JSON.stringify(large)).toBe(true);
});

test('a large answer is not shared, and deleted with its response', async () => {
  const id = newId();
  const response = responseOf(id, noise(20_000));
  await openStore().put('acme', id, response);
  expect((await storedOf(id)).length).toBeGreaterThan(6);
  expect(await readBack(openStore(), 'acme', id)).toEqual(response);
  expect(await openStore().delete('acme', id)).toBe(true);
  expect(await storedOf(id)).toEqual([]);
});

test('a response that is too large is rejected, and nothing of it is stored', async () => {
  const id = newId();
  const stored = responseOf(id, 'x'.repeat(8 * 1024 * 1024));
  await expect(openStore().put('acme', id, stored)).rejects.toThrow(RangeError);
  expect(await storedOf(id)).toEqual([]);
});

test('a response expires after thirty days, whether or not DynamoDB has deleted it by then', async () => {
  const id = newId();
  await openStore().put('acme', id, responseOf(id, noise(4_000)));
  for (const { expires } of await storedOf(id)) expect(expires * 1000).toBe(time + 30 * day);
  time += 30 * day - 1000;
  expect(await readBack(openStore(), 'acme', id)).toBeDefined();
  time += 1000;
  expect(await readBack(openStore(), 'acme', id)).toBeUndefined();
  expect(await openStore().delete('acme', id)).toBe(false);
});

describe('another tenant', () => {
  test('neither finds nor deletes the response', async () => {
    const id = newId();
    await openStore().put('acme', id, responseOf(id));
    expect(await readBack(openStore(), 'globex', id)).toBeUndefined();
    expect(await openStore().delete('globex', id)).toBe(false);
    expect(await readBack(openStore(), 'acme', id)).toBeDefined();
  });

  test('may store its own under the same id', async () => {
    const id = newId();
    await openStore().put('acme', id, responseOf(id, 'of acme'));
    await openStore().put('globex', id, responseOf(id, 'of globex'));
    expect(await readBack(openStore(), 'acme', id)).toEqual(responseOf(id, 'of acme'));
  });

  test.each([
    ['a#b', 'c', 'a', 'b#c'],
    ['a', 'b', 'a#b', ''],
    ['a', 'b', 'a%23b', ''],
  ])('cannot reach %s/%s as %s/%s', async (tenant, id, other, otherId) => {
    await openStore().put(tenant, id, responseOf(id));
    expect(await readBack(openStore(), other, otherId)).toBeUndefined();
    expect(await openStore().delete(other, otherId)).toBe(false);
    expect(await readBack(openStore(), tenant, id)).toBeDefined();
  });
});

test.each(['', 'resp_a#b', 'resp a', 'resp_/../x', 'é', 'r'.repeat(129)])(
  '%j is not a valid response id',
  async (id) => {
    database.actions.length = 0;
    expect(await readBack(openStore(), 'acme', id)).toBeUndefined();
    expect(await openStore().delete('acme', id)).toBe(false);
    await expect(openStore().put('acme', id, responseOf(id))).rejects.toThrow(RangeError);
    expect(database.actions).toEqual([]);
  },
);

test('a part cannot be read by its key', async () => {
  const id = newId();
  await openStore().put('acme', id, responseOf(id, noise(4_000)));
  const [, part] = await storedOf(id);
  const partId = part?.key.slice('response#acme#'.length) ?? '';
  expect(partId).toMatch(/#[0-9a-f-]{36}#0$/);
  expect(await openStore().delete('acme', partId)).toBe(false);
  expect(await readBack(openStore(), 'acme', id)).toBeDefined();
});

describe('an incomplete response is not found', () => {
  test('if a part is missing', async () => {
    const id = newId();
    await openStore().put('acme', id, responseOf(id, noise(8_500)));
    await removeItem((await storedOf(id))[2]?.key ?? '');
    expect(await readBack(openStore(), 'acme', id)).toBeUndefined();
    expect(await openStore().delete('acme', id)).toBe(true);
    expect(await storedOf(id)).toEqual([]);
  });

  test('if a byte has changed', async () => {
    const id = newId();
    await openStore().put('acme', id, responseOf(id));
    await database.call('DynamoDB_20120810.UpdateItem', {
      TableName: 'state',
      Key: { pk: { S: `response#acme#${id}` } },
      UpdateExpression: 'SET #data = :other',
      ExpressionAttributeNames: { '#data': 'data' },
      ExpressionAttributeValues: { ':other': { B: 'AAAA' } },
    });
    expect(await readBack(openStore(), 'acme', id)).toBeUndefined();
  });

  /** The database until the n-th action of a kind, which fails. */
  const failingAt = (name: string, n: number): AwsCall => {
    let seen = 0;
    return async (action, input) => {
      if (action.endsWith(name)) seen += 1;
      if (action.endsWith(name) && seen >= n) throw new Error('down');
      return database.call(action, input);
    };
  };

  test.each([1, 2, 3])('if the database fails at write %i of 3', async (n) => {
    const id = newId();
    const failing = openStore(failingAt('PutItem', n));
    await expect(failing.put('acme', id, responseOf(id, noise(8_500)))).rejects.toThrow('down');
    expect(await readBack(openStore(), 'acme', id)).toBeUndefined();
    expect(await openStore().delete('acme', id)).toBe(false);
  });

  test('if the database fails while overwriting, the earlier response stays complete', async () => {
    const id = newId();
    const first = responseOf(id, noise(8_500));
    await openStore().put('acme', id, first);
    const failing = openStore(failingAt('PutItem', 3));
    await expect(failing.put('acme', id, responseOf(id, noise(8_500)))).rejects.toThrow('down');
    expect(await readBack(openStore(), 'acme', id)).toEqual(first);
  });

  test('if the database fails during deletion', async () => {
    const id = newId();
    await openStore().put('acme', id, responseOf(id, noise(8_500)));
    await expect(openStore(failingAt('DeleteItem', 3)).delete('acme', id)).rejects.toThrow('down');
    expect(await readBack(openStore(), 'acme', id)).toBeUndefined();
  });
});

test('a deleted response is gone, and cannot be deleted again', async () => {
  const id = newId();
  await openStore().put('acme', id, responseOf(id, noise(4_000)));
  expect(await openStore().delete('acme', id)).toBe(true);
  expect(await readBack(openStore(), 'acme', id)).toBeUndefined();
  expect(await openStore().delete('acme', id)).toBe(false);
  expect(await storedOf(id)).toEqual([]);
});

test('a database outage is an error, not an unknown response', async () => {
  const store = openStore(brokenDatabase);
  const id = newId();
  await expect(store.find('acme', id)).rejects.toThrow();
  await expect(store.delete('acme', id)).rejects.toThrow();
  await expect(store.put('acme', id, responseOf(id))).rejects.toThrow();
});

describe('a response that was stored whole, as all were before conversations shared parts', () => {
  /** Writes it in that form. */
  async function storeWhole(id: string, stored: StoredResponse): Promise<void> {
    const data = brotliCompressSync(JSON.stringify(stored));
    const digest = createHash('sha256').update(data).digest('hex');
    const pieces: Buffer[] = [];
    for (let at = 0; at < data.length; at += sizes.piece) pieces.push(data.subarray(at, at + sizes.piece));
    const expires_at = Math.floor((time + 30 * day) / 1000);
    const table = openTable({ call: database.call, table: 'state' });
    const key = `response#acme#${id}`;
    for (const [index, piece] of pieces.entries()) {
      if (index === 0) await table.put(key, { digest, pieces: pieces.length, data: piece, expires_at });
      else await table.put(`${key}#${digest}#${index}`, { data: piece, expires_at });
    }
  }

  test('is found, continued in the new form, and deleted with all of its pieces', async () => {
    const [id, next] = [newId(), newId()];
    const whole = { ...responseOf(id), input: [{ type: 'message', id: 'msg_1', text: noise(7_000) }] };
    await storeWhole(id, whole);
    expect((await storedOf(id)).length).toBeGreaterThan(2);
    expect(await readBack(openStore(), 'acme', id)).toEqual(whole);
    const found = await openStore().find('acme', id);
    const later = { ...responseOf(next), input: [...(found?.input ?? []), { type: 'message', id: 'msg_2' }] };
    await openStore().put('acme', next, { ...later, shared: found?.shared ?? [] });
    expect(await openStore().delete('acme', id)).toBe(true);
    expect(await storedOf(id)).toEqual([]);
    expect(await readBack(openStore(), 'acme', next)).toEqual(later);
  });

  test('is not found when a piece is missing, or when it has expired', async () => {
    const id = newId();
    await storeWhole(id, responseOf(id, noise(8_500)));
    time += 30 * day - 1000;
    expect(await readBack(openStore(), 'acme', id)).toBeDefined();
    time += 1000;
    expect(await readBack(openStore(), 'acme', id)).toBeUndefined();
    time -= day;
    await removeItem((await storedOf(id))[2]?.key ?? '');
    expect(await readBack(openStore(), 'acme', id)).toBeUndefined();
  });
});

describe('a part that responses share', () => {
  /** A conversation with a part, and a follow-up to it. */
  async function conversation() {
    const [first, second] = [newId(), newId()];
    const input = [{ type: 'message', id: 'msg_1', text: noise(7_000) }];
    await openStore().put('acme', first, { ...responseOf(first), input });
    const found = await openStore().find('acme', first);
    const shared = found?.shared ?? [];
    const follow = (id: string) => openStore().put('acme', id, { ...responseOf(id), shared });
    return { first, second, shared, follow, expected: { ...responseOf(second), input } };
  }

  test('is written once, and lives as long as the last of them, without a write for each', async () => {
    const { first, second, follow } = await conversation();
    database.actions.length = 0;
    await follow(second);
    expect(database.actions).toEqual(['PutItem']);
    time += 29 * day;
    database.actions.length = 0;
    await follow(second);
    expect(new Set(database.actions)).toEqual(new Set(['UpdateItem', 'PutItem']));
    for (const { key, expires } of (await storedOf(first)).slice(1)) {
      expect([key, expires * 1000]).toEqual([key, time + 31 * day]);
    }
  });

  test('is not shared where a piece is gone: the follow-up is not stored', async () => {
    const { first, second, follow } = await conversation();
    time += 29 * day;
    await removeItem((await storedOf(first)).at(-1)?.key ?? '');
    await expect(follow(second)).rejects.toThrow('no longer stored');
    expect(await openStore().find('acme', second)).toBeUndefined();
  });

  test.each(['another key', 'another part', 'another tenant'])('cannot be read with %s', async (which) => {
    const [{ shared }, other] = [await conversation(), await conversation()];
    const [part] = shared;
    const [foreign] = other.shared;
    if (!part || !foreign) throw new Error('Each has a part.');
    const tenant = which === 'another tenant' ? 'globex' : 'acme';
    await openStore().put(tenant, other.second, responseOf(other.second));
    const found = await openStore().find(tenant, other.second);
    const asked = {
      'another key': { ...part, key: foreign.key },
      'another part': { ...foreign, key: part.key },
      'another tenant': part,
    }[which];
    expect(await found?.readPart(asked ?? part)).toBeUndefined();
  });
});
