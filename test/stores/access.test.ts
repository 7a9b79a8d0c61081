/** Keys and tenants: made, found, and still found while the database is down. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeyId, hashApiKey, newApiKey } from '../../lib/core/api-key.ts';
import { createAccessStore, createFindApiKey } from '../../lib/stores/access.ts';
import { startBrokenDatabase, startTestDatabase, type TestDatabase } from './database.ts';

const start = Date.UTC(2026, 10, 20);
let database: TestDatabase;
let broken: Awaited<ReturnType<typeof startBrokenDatabase>>;
let time: number;
const now = () => time;

beforeAll(async () => {
  database = await startTestDatabase(['access']);
  broken = await startBrokenDatabase();
});

afterAll(async () => {
  await database.close();
  await broken.close();
});

beforeEach(() => {
  time = start;
  database.actions.length = 0;
});

const openStore = () => createAccessStore({ call: database.call, table: 'access', now });

/** A lookup over a database that goes down when told to. */
function openLookup() {
  const state = { down: false };
  const call: TestDatabase['call'] = (action, input) =>
    (state.down ? broken.call : database.call)(action, input);
  const store = createAccessStore({ call, table: 'access', now });
  return { state, store, find: createFindApiKey({ store, now }) };
}

const itemsAsStored = async () =>
  JSON.stringify(await database.call('DynamoDB_20120810.Scan', { TableName: 'access' }));

describe('making keys', () => {
  test('the secret is told once, and only its hash is stored', async () => {
    const made = await openStore().create({ tenant: 'acme', name: 'laptop' });
    expect(made).toMatchObject({ id: apiKeyId(made.secret), tenant: 'acme', name: 'laptop' });
    const stored = await itemsAsStored();
    expect(stored).toContain(hashApiKey(made.secret));
    expect(stored).not.toContain(made.secret);
  });

  test('a tenant is made on demand, and stays as it was when its next key is made', async () => {
    const store = openStore();
    await store.create({ tenant: 'twice' });
    time += 60_000;
    await store.create({ tenant: 'twice' });
    const { Item } = await database.call('DynamoDB_20120810.GetItem', {
      TableName: 'access',
      Key: { pk: { S: 'tenant#twice' } },
    });
    expect(Item).toMatchObject({ created_at: { N: String(start / 1000) } });
  });

  test.each(['', 'a b', '-acme', 'a'.repeat(64), 'x#y'])('the tenant name %j is refused', async (tenant) => {
    await expect(openStore().create({ tenant })).rejects.toMatchObject({
      kind: 'invalid_request',
      param: 'tenant',
    });
  });

  test('all keys are listed, oldest first, without secrets, over as many pages as there are', async () => {
    const store = openStore();
    for (let made = 0; made < 3; made += 1) {
      time += 1000;
      await store.create({ tenant: 'list', name: `key ${made}` });
    }
    const onePerPage = createAccessStore({
      call: (action, input) =>
        database.call(action, { ...input, ...(action.endsWith('Scan') && { Limit: 1 }) }),
      table: 'access',
    });
    const listed = (await onePerPage.list()).filter(({ tenant }) => tenant === 'list');
    expect(listed.map(({ name }) => name)).toEqual(['key 0', 'key 1', 'key 2']);
    expect(JSON.stringify(listed)).not.toContain('mgw_');
  });
});

describe('looking up a key', () => {
  test('a good key tells its tenant and its id', async () => {
    const { find, store } = openLookup();
    const { secret, id } = await store.create({ tenant: 'acme' });
    expect(await find(secret)).toEqual({ id, tenant: 'acme' });
  });

  test('a mistyped key costs no read', async () => {
    const { find } = openLookup();
    const key = newApiKey();
    expect(await find(key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a'))).toBeUndefined();
    expect(await find('sk-something')).toBeUndefined();
    expect(database.actions).toEqual([]);
  });

  test('an unknown key is not found, and is not asked for again at once', async () => {
    const { find } = openLookup();
    const stranger = newApiKey();
    expect(await find(stranger)).toBeUndefined();
    expect(await find(stranger)).toBeUndefined();
    expect(database.actions).toEqual(['GetItem']);
  });

  test('requests at the same time share one read, and later ones need none for a while', async () => {
    const { find, store } = openLookup();
    const { secret } = await store.create({ tenant: 'acme' });
    database.actions.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => find(secret)));
    time += 4_900;
    await find(secret);
    expect(database.actions).toEqual(['GetItem']);
    time += 200;
    await find(secret);
    expect(database.actions).toEqual(['GetItem', 'GetItem']);
  });

  test('a disabled key stops working within ten seconds', async () => {
    const { find, store } = openLookup();
    const { secret, id } = await store.create({ tenant: 'acme' });
    expect(await find(secret)).toBeDefined();
    expect(await store.disable(id)).toBe(true);
    time += 10_000;
    expect(await find(secret)).toBeUndefined();
  });

  test('disabling tells an unknown id, and keeps the first time of a key disabled twice', async () => {
    const store = openStore();
    const { id } = await store.create({ tenant: 'acme' });
    expect(await store.disable(id)).toBe(true);
    time += 60_000;
    expect(await store.disable(id)).toBe(true);
    const listed = (await store.list()).find((key) => key.id === id);
    expect(listed?.disabledAt).toBe(start / 1000);
    expect(await store.disable('key_000000000000')).toBe(false);
    expect(await store.disable('key_')).toBe(false);
    expect(await store.disable(hashApiKey('x'))).toBe(false);
  });

  test('an expired key is refused from its second on, even while it is remembered', async () => {
    const { find, store } = openLookup();
    const { secret } = await store.create({ tenant: 'acme', expiresAt: start / 1000 + 2 });
    time += 1_999;
    expect(await find(secret)).toBeDefined();
    time += 1;
    expect(await find(secret)).toBeUndefined();
  });

  test('an item that is broken opens nothing', async () => {
    const { find } = openLookup();
    const secret = newApiKey();
    await database.call('DynamoDB_20120810.PutItem', {
      TableName: 'access',
      Item: { pk: { S: `key#${hashApiKey(secret)}` } },
    });
    expect(await find(secret)).toBeUndefined();
  });
});

describe('while the database is down', () => {
  test('a key seen lately keeps working for five minutes, and not longer', async () => {
    const { state, find, store } = openLookup();
    const { secret } = await store.create({ tenant: 'acme' });
    await find(secret);
    state.down = true;
    time += 299_000;
    expect(await find(secret)).toMatchObject({ tenant: 'acme' });
    time += 1_000 + 5_000;
    await expect(find(secret)).rejects.toMatchObject({ kind: 'internal' });
    state.down = false;
    expect(await find(secret)).toMatchObject({ tenant: 'acme' });
  });

  test('a key never seen is an error of the gateway, not of the caller', async () => {
    const { state, find, store } = openLookup();
    const { secret } = await store.create({ tenant: 'acme' });
    state.down = true;
    await expect(find(secret)).rejects.toMatchObject({ kind: 'internal', status: 500 });
  });

  test('a key not found before may exist by now: it is not called unknown', async () => {
    const { state, find } = openLookup();
    const stranger = newApiKey();
    await find(stranger);
    state.down = true;
    time += 6_000;
    await expect(find(stranger)).rejects.toMatchObject({ kind: 'internal' });
  });
});
