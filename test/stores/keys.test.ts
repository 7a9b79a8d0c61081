/** Keys in the access table: created, listed, changed, rotated and disabled. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeyId, hashApiKey } from '../../lib/core/names/api-key.ts';
import { keyItemPrefix, lastUsedAttribute } from '../../lib/core/tables.ts';
import { createFindApiKey } from '../../lib/stores/access/find-api-key.ts';
import { createKeyEdits } from '../../lib/stores/access/key-edits.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { startTestDatabase, type TestDatabase } from './database.ts';

const start = Date.UTC(2026, 10, 20);
let database: TestDatabase;
let time: number;
const now = () => time;

beforeAll(async () => {
  database = await startTestDatabase(['access']);
});

afterAll(() => database.close());

beforeEach(() => {
  time = start;
});

const access = () => ({ call: database.call, table: 'access', now });
const openStore = () => createKeyStore(access());
const rotate = (id: string, overlapSeconds: number) => createKeyEdits(access()).rotate(id, overlapSeconds);

/** A lookup without a cache. */
const find = (secret: string) =>
  createFindApiKey({ keys: openStore(), tenants: createTenantStore(access()), now })(secret);

const itemsAsStored = async () =>
  JSON.stringify(await database.call('DynamoDB_20120810.Scan', { TableName: 'access' }));

describe('creating keys', () => {
  test('the secret is returned once, and only its hash is stored', async () => {
    const made = await openStore().create({ tenant: 'acme', name: 'laptop' });
    expect(made).toMatchObject({ id: apiKeyId(made.secret), tenant: 'acme', name: 'laptop' });
    const stored = await itemsAsStored();
    expect(stored).toContain(hashApiKey(made.secret));
    expect(stored).not.toContain(made.secret);
  });

  test('a missing tenant is created with its first key, and not changed by later keys', async () => {
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

  test.each(['', 'a b', '-acme', 'a'.repeat(64), 'x#y'])('the tenant name %j is rejected', async (tenant) => {
    await expect(openStore().create({ tenant })).rejects.toMatchObject({
      kind: 'invalid_request',
      param: 'tenant',
    });
  });

  test('all keys are listed, oldest first, without secrets, across pages', async () => {
    const store = openStore();
    for (let made = 0; made < 3; made += 1) {
      time += 1000;
      await store.create({ tenant: 'list', name: `key ${made}` });
    }
    const onePerPage = createKeyStore({
      call: (action, input) =>
        database.call(action, { ...input, ...(action.endsWith('Scan') && { Limit: 1 }) }),
      table: 'access',
    });
    const listed = (await onePerPage.list()).filter(({ tenant }) => tenant === 'list');
    expect(listed.map(({ name }) => name)).toEqual(['key 0', 'key 1', 'key 2']);
    expect(JSON.stringify(listed)).not.toContain('mgw_');
  });
});

describe('disabling keys', () => {
  test('disabling an unknown id returns false, and disabling a key twice keeps the first time', async () => {
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
});

describe('changing keys', () => {
  const everything = {
    limits: {
      requestsPerMinute: 60,
      tokensPerMinute: 100_000,
      concurrentRequests: 4,
      monthlyBudget: 12_345_678_901,
      credit: 9_007_199_254_740_991,
    },
    models: ['openai/gpt-5.5', 'anthropic/*'],
    operations: ['chat-completions', 'responses'],
  } as const;

  test('every limit and permission is stored exactly, at creation or by a change', async () => {
    const store = openStore();
    const made = await store.create({ tenant: 'acme', ...everything });
    expect(await store.find(made.id)).toMatchObject(everything);
    const plain = await store.create({ tenant: 'acme' });
    expect(await store.change(plain.id, everything)).toMatchObject(everything);
    expect(await store.find(plain.id)).toMatchObject(everything);
  });

  test('null removes a limit, and fields that are not named stay', async () => {
    const store = openStore();
    const { id } = await store.create({ tenant: 'acme', name: 'laptop', ...everything });
    const limits = { monthlyBudget: null, requestsPerMinute: 5 };
    await store.change(id, { limits, models: null });
    const { monthlyBudget: _, ...others } = everything.limits;
    const { models: __, ...rest } = everything;
    const changed = await store.find(id);
    expect(changed).toMatchObject({ ...rest, name: 'laptop', limits: { ...others, requestsPerMinute: 5 } });
    expect(changed).not.toHaveProperty('models');
    expect(changed).not.toHaveProperty('limits.monthlyBudget');
  });

  test('concurrent changes of one key by several operators do not overwrite each other', async () => {
    const store = openStore();
    const { id } = await store.create({ tenant: 'acme' });
    const { limits, models, operations } = everything;
    await Promise.all([
      ...Object.entries(limits).map(([name, value]) => store.change(id, { limits: { [name]: value } })),
      store.change(id, { models }),
      store.change(id, { operations }),
      store.noteUse(hashApiKey('another'), start / 1000),
    ]);
    expect(await store.find(id)).toMatchObject(everything);
  });

  test('a change does not create a missing key', async () => {
    const store = openStore();
    const before = (await store.list()).length;
    expect(await store.change('key_000000000000', { limits: { credit: 1 } })).toBeUndefined();
    await store.noteUse(hashApiKey('missing'), start / 1000);
    expect(await itemsAsStored()).not.toContain(hashApiKey('missing'));
    expect((await store.list()).length).toBe(before);
  });
});

describe('rotating keys', () => {
  const day = 86_400;

  test('the new key has the settings of the old one, which works until the overlap ends', async () => {
    const store = openStore();
    const models = ['openai/*'];
    const limits = { monthlyBudget: 5 };
    const old = await store.create({ tenant: 'acme', name: 'laptop', models, limits });
    time += 1000;
    const rotated = await rotate(old.id, day);
    expect(rotated?.until).toBe(time / 1000 + day);
    expect(rotated?.made).toMatchObject({
      tenant: 'acme',
      name: 'laptop',
      models,
      limits,
      createdAt: time / 1000,
    });
    const secret = rotated?.made.secret ?? '';
    expect(secret).not.toBe(old.secret);
    time += day * 1000 - 1;
    expect([await find(old.secret), await find(secret)]).toMatchObject([{ id: old.id }, { tenant: 'acme' }]);
    time += 1;
    expect(await find(old.secret)).toBeUndefined();
    expect(await find(secret)).toMatchObject({ keyPolicy: { models, limits } });
  });

  test('all keys of a chain of rotations share one family', async () => {
    const store = openStore();
    const first = await store.create({ tenant: 'acme', limits: { credit: 5 } });
    const second = (await rotate(first.id, 0))?.made;
    const third = second && (await rotate(second.id, 0))?.made;
    expect(third?.id).not.toBe(first.id);
    expect(await find(third?.secret ?? '')).toMatchObject({ id: third?.id, family: first.id });
  });

  test('without an overlap the old key stops working at once', async () => {
    const store = openStore();
    const old = await store.create({ tenant: 'acme' });
    await rotate(old.id, 0);
    expect(await find(old.secret)).toBeUndefined();
  });

  test('rotation does not extend a key that expires before the overlap ends', async () => {
    const store = openStore();
    const old = await store.create({ tenant: 'acme', expiresAt: start / 1000 + 60 });
    expect(await rotate(old.id, day)).toMatchObject({ until: start / 1000 + 60 });
    time += 60_000;
    expect(await find(old.secret)).toBeUndefined();
  });

  test('a key that is disabled, expired or missing cannot be rotated', async () => {
    const store = openStore();
    const disabled = await store.create({ tenant: 'acme' });
    await store.disable(disabled.id);
    const expired = await store.create({ tenant: 'acme', expiresAt: start / 1000 - 1 });
    for (const { id } of [disabled, expired]) {
      await expect(rotate(id, day)).rejects.toMatchObject({ kind: 'invalid_request' });
    }
    expect(await rotate('key_000000000000', day)).toBeUndefined();
  });
});

test('the later of two uses is stored, in whichever order they are recorded', async () => {
  const store = openStore();
  const { id, secret } = await store.create({ tenant: 'acme' });
  await store.noteUse(hashApiKey(secret), 120);
  await store.noteUse(hashApiKey(secret), 60);
  expect(await store.find(id)).toMatchObject({ lastUsedAt: 120 });
});

test('recording a use names only attributes that the function is allowed to write', async () => {
  const { secret } = await openStore().create({ tenant: 'acme' });
  const asked: object[] = [];
  const call: TestDatabase['call'] = (action, input) => {
    asked.push(input);
    return database.call(action, input);
  };
  await createKeyStore({ call, table: 'access', now }).noteUse(hashApiKey(secret), 60);
  expect(asked).toEqual([
    {
      TableName: 'access',
      Key: { pk: { S: `${keyItemPrefix}${hashApiKey(secret)}` } },
      UpdateExpression: 'SET #attribute = :value',
      ConditionExpression:
        'attribute_exists(#key) AND (attribute_not_exists(#attribute) OR #attribute < :value)',
      ExpressionAttributeNames: { '#key': 'pk', '#attribute': lastUsedAttribute },
      ExpressionAttributeValues: { ':value': { N: '60' } },
    },
  ]);
});
