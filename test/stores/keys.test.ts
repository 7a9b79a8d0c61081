/** Keys in the access table: created, listed, changed on condition that they are still as they were seen, rotated and disabled. */
import { beforeEach, describe, expect, test } from 'vitest';
import { apiKeyId, hashApiKey } from '../../lib/core/names/api-key.ts';
import { keyItemPrefix, lastUsedAttribute } from '../../lib/core/tables.ts';
import { maxEditTries } from '../../lib/stores/access/edit-item.ts';
import { createFindApiKey } from '../../lib/stores/access/find-api-key.ts';
import { createKeyEdits } from '../../lib/stores/access/key-edits.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { emptyTable, type TestDatabase, useTestDatabase } from './database.ts';

const start = Date.UTC(2026, 10, 20);
const database = useTestDatabase('access');
let time: number;
const now = () => time;

beforeEach(async () => {
  time = start;
  await emptyTable(database.call, 'access');
});

const access = { call: database.call, table: 'access', now };
const keys = createKeyStore(access);
const edits = createKeyEdits(access);

/** A lookup without a cache. */
const find = (secret: string) => createFindApiKey({ keys, tenants: createTenantStore(access), now })(secret);

const itemsAsStored = async () =>
  JSON.stringify(await database.call('DynamoDB_20120810.Scan', { TableName: 'access' }));

describe('creating keys', () => {
  test('the secret is returned once, and only its hash is stored', async () => {
    const made = await keys.create({ tenant: 'acme', name: 'laptop' });
    expect(made).toMatchObject({ id: apiKeyId(made.secret), tenant: 'acme', name: 'laptop' });
    const stored = await itemsAsStored();
    expect(stored).toContain(hashApiKey(made.secret));
    expect(stored).not.toContain(made.secret);
  });

  test('a missing tenant is created with its first key, and not changed by later keys', async () => {
    await keys.create({ tenant: 'twice' });
    time += 60_000;
    await keys.create({ tenant: 'twice' });
    const { Item } = await database.call('DynamoDB_20120810.GetItem', {
      TableName: 'access',
      Key: { pk: { S: 'tenant#twice' } },
    });
    expect(Item).toMatchObject({ created_at: { N: String(start / 1000) } });
  });

  test.each(['', 'a b', '-acme', 'a'.repeat(64), 'x#y'])('the tenant name %j is rejected', async (tenant) => {
    await expect(keys.create({ tenant })).rejects.toMatchObject({
      kind: 'invalid_request',
      param: 'tenant',
    });
  });

  test('all keys are listed, newest first, without secrets, across pages', async () => {
    for (let made = 0; made < 3; made += 1) {
      time += 1000;
      await keys.create({ tenant: 'list', name: `key ${made}` });
    }
    const onePerPage = createKeyEdits({
      call: (action, input) =>
        database.call(action, { ...input, ...(action.endsWith('Scan') && { Limit: 1 }) }),
      table: 'access',
    });
    const listed = await onePerPage.list({});
    expect(listed.map(({ name }) => name)).toStrictEqual(['key 2', 'key 1', 'key 0']);
    expect(JSON.stringify(listed)).not.toContain('mgw_');
  });

  test('keys are listed by tenant and owner, and keep their owner when they are rotated', async () => {
    const first = await keys.create({ tenant: 'acme', owner: 'ann' });
    await keys.create({ tenant: 'umbrella', owner: 'ann' });
    time += 5_000;
    const rotated = await edits.rotate(first.id, 60);
    const ids = async (filter: object) => (await edits.list(filter)).map(({ id }) => id);
    expect(await ids({ tenant: 'acme' })).toStrictEqual([rotated?.made.id, first.id]);
    expect(await ids({ tenant: 'acme', owner: 'ann' })).toStrictEqual([rotated?.made.id, first.id]);
    expect(await ids({ owner: 'bob' })).toStrictEqual([]);
    expect(await ids({})).toHaveLength(3);
  });
});

test('a key is disabled once, and keeps the first time', async () => {
  const { id } = await keys.create({ tenant: 'acme' });
  const disabled = await edits.disable(id, () => {});
  expect(disabled?.before.disabledAt).toBeUndefined();
  expect(disabled?.after.disabledAt).toBe(start / 1000);
  time += 60_000;
  const again = await edits.disable(id, () => {});
  expect(again?.before).toStrictEqual(again?.after);
  expect(again?.after.disabledAt).toBe(start / 1000);
  for (const unknown of ['key_000000000000', 'key_', hashApiKey('x')])
    expect(await edits.disable(unknown, () => {})).toBeUndefined();
});

test('a disabled key is enabled, unless it has expired, a later version stored it, or a check refuses it', async () => {
  const all = () => undefined;
  const { id, secret } = await keys.create({ tenant: 'acme', expiresAt: start / 1000 + 100 });
  await edits.disable(id, () => {});
  const refuses = () => () => {
    throw new Error('too many');
  };
  await expect(edits.enable(id, () => {}, refuses)).rejects.toThrow('too many');
  expect((await edits.find(id))?.disabledAt).toBe(start / 1000);
  const enabled = await edits.enable(id, () => {}, all);
  expect([enabled?.before.disabledAt, enabled?.after.disabledAt]).toEqual([start / 1000, undefined]);
  // It works already: nothing is checked, and nothing changes.
  expect((await edits.enable(id, () => {}, refuses))?.before.disabledAt).toBeUndefined();
  await edits.disable(id, () => {});
  time += 100_000;
  await expect(edits.enable(id, () => {}, all)).rejects.toThrow('has expired');
  time -= 100_000;
  await openTable(access).setOnce(keyItemPrefix + hashApiKey(secret), 'v', 99);
  await expect(edits.enable(id, () => {}, all)).rejects.toThrow('Deploy the later version again');
  expect(await edits.enable('key_000000000000', () => {}, all)).toBeUndefined();
});

/** Others do something just before each of so many changes. */
function editsAfter(others: () => Promise<unknown>, count = 1) {
  let left = count;
  return createKeyEdits({
    ...access,
    async call(action, input, given) {
      if (action.endsWith('UpdateItem') && left > 0) {
        left -= 1;
        await others();
      }
      return await database.call(action, input, given);
    },
  });
}

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
    const made = await keys.create({ tenant: 'acme', ...everything });
    expect(await edits.find(made.id)).toMatchObject(everything);
    const plain = await keys.create({ tenant: 'acme' });
    expect((await edits.edit(plain.id, () => everything))?.after).toMatchObject(everything);
    expect(await edits.find(plain.id)).toMatchObject(everything);
  });

  test('what its admins set is kept beside it: limits, permissions and an end', async () => {
    const bounds = { ...everything, expiresAt: 2_000_000_000 };
    const made = await keys.create({ tenant: 'acme', adminBounds: bounds });
    expect((await edits.find(made.id))?.adminBounds).toStrictEqual(bounds);
    const less = { limits: { dailyBudget: 5 } };
    expect((await edits.edit(made.id, () => ({ adminBounds: less })))?.after.adminBounds).toStrictEqual(less);
    const rotated = await edits.rotate(made.id, 0);
    expect(rotated?.made.adminBounds).toStrictEqual(less);
    const id = rotated?.made.id ?? '';
    expect((await edits.edit(id, () => ({ adminBounds: null })))?.after).not.toHaveProperty('adminBounds');
  });

  test('null removes a limit, and fields that are not named stay', async () => {
    const { id } = await keys.create({ tenant: 'acme', name: 'laptop', ...everything });
    const limits = { monthlyBudget: null, requestsPerMinute: 5 };
    await edits.edit(id, () => ({ limits, models: null }));
    const { monthlyBudget: _, ...others } = everything.limits;
    const { models: __, ...rest } = everything;
    const changed = await edits.find(id);
    expect(changed).toMatchObject({ ...rest, name: 'laptop', limits: { ...others, requestsPerMinute: 5 } });
    expect(changed).not.toHaveProperty('models');
    expect(changed).not.toHaveProperty('limits.monthlyBudget');
  });

  test('concurrent changes of one key by several operators do not overwrite each other', async () => {
    const { id } = await keys.create({ tenant: 'acme' });
    const { limits, models, operations } = everything;
    await Promise.all([
      ...Object.entries(limits).map(([name, value]) => edits.edit(id, () => ({ limits: { [name]: value } }))),
      edits.edit(id, () => ({ models })),
      edits.edit(id, () => ({ operations })),
      keys.noteUse(hashApiKey('another'), start / 1000),
    ]);
    expect(await edits.find(id)).toMatchObject(everything);
  });

  test('a key is changed, and it is known what it was before', async () => {
    const made = await keys.create({ tenant: 'acme', name: 'laptop', limits: { dailyBudget: 5 } });
    const edited = await edits.edit(made.id, () => ({
      name: null,
      owner: 'ann',
      expiresAt: 2_000_000_000,
      limits: { dailyBudget: null, credit: 7 },
      models: ['openai/*'],
    }));
    const { secret: _, isTenantNew: __, ...before } = made;
    const { name: ___, ...others } = before;
    const after = {
      ...others,
      owner: 'ann',
      expiresAt: 2_000_000_000,
      limits: { credit: 7 },
      models: ['openai/*'],
    };
    expect(edited).toStrictEqual({ before, after });
    expect(await edits.find(made.id)).toStrictEqual(after);
  });

  test('what others change meanwhile is decided on again', async () => {
    const { id } = await keys.create({ tenant: 'acme', limits: { dailyBudget: 5 } });
    const seen: (number | undefined)[] = [];
    const edited = await edits.edit(id, ({ limits }) => {
      seen.push(limits?.dailyBudget);
      return { limits: { dailyBudget: (limits?.dailyBudget ?? 0) + 1 } };
    });
    expect(edited?.after.limits).toStrictEqual({ dailyBudget: 6 });
    const racing = editsAfter(() => edits.edit(id, () => ({ limits: { dailyBudget: 100 } })));
    await racing.edit(id, ({ limits }) => {
      seen.push(limits?.dailyBudget);
      return { limits: { dailyBudget: (limits?.dailyBudget ?? 0) + 1 } };
    });
    expect(seen).toStrictEqual([5, 6, 100]);
    expect((await edits.find(id))?.limits).toStrictEqual({ dailyBudget: 101 });
  });

  test('a list that others change meanwhile is decided on again', async () => {
    const { id } = await keys.create({ tenant: 'acme', models: ['openai/*'] });
    const racing = editsAfter(() => edits.edit(id, ({ models = [] }) => ({ models: [...models, 'xai/*'] })));
    await racing.edit(id, ({ models = [] }) => ({ models: [...models, 'mistral/*'] }));
    expect((await edits.find(id))?.models).toStrictEqual(['openai/*', 'xai/*', 'mistral/*']);
  });

  test('what others change all the time is a conflict, after few tries', async () => {
    const { id } = await keys.create({ tenant: 'acme' });
    let writes = 0;
    const racing = editsAfter(() => {
      writes += 1;
      return edits.edit(id, () => ({ limits: { dailyBudget: writes } }));
    }, Number.POSITIVE_INFINITY);
    const edit = racing.edit(id, () => ({ limits: { dailyBudget: 1_000 } }));
    await expect(edit).rejects.toMatchObject({ kind: 'conflict' });
    expect(writes).toBe(maxEditTries);
  });

  test('a change of other fields meanwhile is no conflict', async () => {
    const { id } = await keys.create({ tenant: 'acme' });
    let tries = 0;
    await edits.edit(id, () => {
      tries += 1;
      return { name: 'one' };
    });
    const racing = editsAfter(
      () => edits.edit(id, () => ({ limits: { credit: 1 } })),
      Number.POSITIVE_INFINITY,
    );
    await racing.edit(id, () => {
      tries += 1;
      return { name: 'two' };
    });
    expect(tries).toBe(2);
    expect(await edits.find(id)).toMatchObject({ name: 'two', limits: { credit: 1 } });
  });

  test('nothing is written where the decision is to refuse, nothing differs, or there is no such key', async () => {
    const { id } = await keys.create({ tenant: 'acme', name: 'laptop' });
    const refuse = edits.edit(id, () => {
      throw new Error('refused');
    });
    await expect(refuse).rejects.toThrow('refused');
    database.actions.length = 0;
    await edits.edit(id, () => ({ name: 'laptop', owner: null }));
    expect(database.actions).not.toContain('UpdateItem');
    expect(await edits.edit('key_000000000000', () => ({ name: 'x' }))).toBeUndefined();
    expect(await edits.edit('key_', () => ({ name: 'x' }))).toBeUndefined();

    await keys.noteUse(hashApiKey('missing'), start / 1000);
    expect(await itemsAsStored()).not.toContain(hashApiKey('missing'));
  });
});

describe('rotating keys', () => {
  const day = 86_400;

  test('the new key has the settings of the old one, which works until the overlap ends', async () => {
    const models = ['openai/*'];
    const limits = { monthlyBudget: 5 };
    const old = await keys.create({ tenant: 'acme', name: 'laptop', models, limits });
    time += 1000;
    const rotated = await edits.rotate(old.id, day);
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
    const first = await keys.create({ tenant: 'acme', limits: { credit: 5 } });
    const second = (await edits.rotate(first.id, 0))?.made;
    const third = second && (await edits.rotate(second.id, 0))?.made;
    expect(third?.id).not.toBe(first.id);
    expect(await find(third?.secret ?? '')).toMatchObject({ id: third?.id, family: first.id });
  });

  test('rotation does not extend a key that expires before the overlap ends', async () => {
    const old = await keys.create({ tenant: 'acme', expiresAt: start / 1000 + 60 });
    expect(await edits.rotate(old.id, day)).toMatchObject({ until: start / 1000 + 60 });
    time += 60_000;
    expect(await find(old.secret)).toBeUndefined();
  });

  test('a key that is disabled, expired or missing cannot be rotated', async () => {
    const disabled = await keys.create({ tenant: 'acme' });
    await edits.disable(disabled.id, () => {});
    const expired = await keys.create({ tenant: 'acme', expiresAt: start / 1000 - 1 });
    for (const { id } of [disabled, expired]) {
      await expect(edits.rotate(id, day)).rejects.toMatchObject({ kind: 'invalid_request' });
    }
    expect(await edits.rotate('key_000000000000', day)).toBeUndefined();
  });
});

describe('the rotation of a key', () => {
  test('is of the state that was read: a change in between is in the new key', async () => {
    const { id } = await keys.create({ tenant: 'acme', models: ['openai/*'] });
    const racing = editsAfter(() => edits.edit(id, () => ({ models: ['xai/*'] })));
    const rotated = await racing.rotate(id, 60);
    expect(rotated?.made.models).toStrictEqual(['xai/*']);
  });

  test('that may not be is taken back, and the key is as it was', async () => {
    const { id } = await keys.create({ tenant: 'acme' });
    const before = await edits.find(id);
    const refuse = () => {
      throw new Error('Too many.');
    };
    await expect(edits.rotate(id, 60, undefined, () => refuse)).rejects.toThrow('Too many.');
    await expect(edits.create({ tenant: 'acme' }, refuse)).rejects.toThrow('Too many.');
    expect(await edits.list({})).toStrictEqual([before]);
    expect(await edits.rotate(id, 60)).toBeDefined();
  });

  test('and its end at the same moment: no new key works if the end came first', async () => {
    const { id } = await keys.create({ tenant: 'acme' });
    const racing = editsAfter(() => edits.disable(id, () => {}));
    await expect(racing.rotate(id, 60)).rejects.toMatchObject({ kind: 'invalid_request' });
    expect(await edits.list({})).toMatchObject([{ id, disabledAt: start / 1000 }]);
  });
});

test('the later of two uses is stored, in whichever order they are recorded', async () => {
  const { id, secret } = await keys.create({ tenant: 'acme' });
  await keys.noteUse(hashApiKey(secret), 120);
  await keys.noteUse(hashApiKey(secret), 60);
  expect(await edits.find(id)).toMatchObject({ lastUsedAt: 120 });
});

test('recording a use names only attributes that the function is allowed to write', async () => {
  const { secret } = await keys.create({ tenant: 'acme' });
  const asked: object[] = [];
  const call: TestDatabase['call'] = (action, input) => {
    asked.push(input);
    return database.call(action, input);
  };
  await createKeyStore({ ...access, call }).noteUse(hashApiKey(secret), 60);
  expect(asked).toStrictEqual([
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
