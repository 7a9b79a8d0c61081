/** The key lookup of every request, also during a database outage. */
import { beforeEach, describe, expect, test } from 'vitest';
import { hashApiKey, newApiKey } from '../../lib/core/names/api-key.ts';
import { createFindApiKey, maxCachedKeys } from '../../lib/stores/access/find-api-key.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { disableKey } from '../harness/access.ts';
import { brokenDatabase, type TestDatabase, useTestDatabase } from './database.ts';

const start = Date.UTC(2026, 10, 20);
const database = useTestDatabase('access');
let time: number;
const now = () => time;

beforeEach(() => {
  time = start;
  database.actions.length = 0;
});

/** A lookup over a database that can be stopped. */
function openLookup() {
  const state = { down: false };
  const call: TestDatabase['call'] = (action, input) =>
    (state.down ? brokenDatabase : database.call)(action, input);
  const access = { call, table: 'access', now };
  const [keys, tenants] = [createKeyStore(access), createTenantStore(access)];
  const edits = createTenantEdits(access);
  return { state, keys, tenants, edits, find: createFindApiKey({ keys, tenants, now }) };
}

describe('finding a key', () => {
  test('a valid key is found with its tenant and id', async () => {
    const { find, keys } = openLookup();
    const { secret, id } = await keys.create({ tenant: 'acme' });
    expect(await find(secret)).toStrictEqual({ id, tenant: 'acme', hash: hashApiKey(secret) });
  });

  test('a malformed key causes no read', async () => {
    const { find } = openLookup();
    const key = newApiKey();
    expect(await find(key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a'))).toBeUndefined();
    expect(await find('sk-something')).toBeUndefined();
    expect(database.actions).toStrictEqual([]);
  });

  test('an unknown key is not found, and the result is cached', async () => {
    const { find } = openLookup();
    const stranger = newApiKey();
    expect(await find(stranger)).toBeUndefined();
    expect(await find(stranger)).toBeUndefined();
    expect(database.actions).toStrictEqual(['GetItem']);
  });

  test('concurrent requests share the reads of key and tenant, and later requests use the cache', async () => {
    const { find, keys } = openLookup();
    const { secret } = await keys.create({ tenant: 'acme' });
    database.actions.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => find(secret)));
    time += 4_900;
    await find(secret);
    expect(database.actions).toStrictEqual(['GetItem', 'GetItem']);
    time += 200;
    await Promise.all([find(secret), find(secret)]);
    expect(database.actions).toStrictEqual(['GetItem', 'GetItem', 'GetItem', 'GetItem']);
  });

  test('a disabled key stops working within ten seconds', async () => {
    const { find, keys } = openLookup();
    const { secret, id } = await keys.create({ tenant: 'acme' });
    expect(await find(secret)).toBeDefined();
    await disableKey({ call: database.call, table: 'access' }, id);
    time += 10_000;
    expect(await find(secret)).toBeUndefined();
  });

  test('an expired key is rejected from the second it expires, even if it is cached', async () => {
    const { find, keys } = openLookup();
    const { secret } = await keys.create({ tenant: 'acme', expiresAt: start / 1000 + 2 });
    time += 1_999;
    expect(await find(secret)).toBeDefined();
    time += 1;
    expect(await find(secret)).toBeUndefined();
  });

  test('a malformed item is not accepted as a key', async () => {
    const { find } = openLookup();
    const secret = newApiKey();
    await database.call('DynamoDB_20120810.PutItem', {
      TableName: 'access',
      Item: { pk: { S: `key#${hashApiKey(secret)}` } },
    });
    expect(await find(secret)).toBeUndefined();
  });
});

describe('limits and permissions of a key and its tenant', () => {
  test('are returned separately for the key and the tenant', async () => {
    const { find, keys, tenants } = openLookup();
    await tenants.create('held', { limits: { monthlyBudget: 50_000_000_000 }, models: ['openai/*'] });
    const operations = ['embeddings'] as const;
    const { secret } = await keys.create({ tenant: 'held', limits: { requestsPerMinute: 5 }, operations });
    expect(await find(secret)).toMatchObject({
      keyPolicy: { limits: { requestsPerMinute: 5 }, operations },
      tenantPolicy: { limits: { monthlyBudget: 50_000_000_000 }, models: ['openai/*'] },
    });
  });

  test('the terms of a tenant come with its keys, but not the webhook, and expired credit does not count', async () => {
    const { find, keys, tenants, edits } = openLookup();
    await tenants.create('termed', { limits: { credit: 30 } });
    const terms = {
      userLimits: { dailyBudget: 5, requestsPerMinute: 7 },
      onDatabaseFailure: 'refuse',
      alerts: [80],
      pricing: [{ from: 1, markup: 2_000 }],
    } as const;
    const grant = {
      id: 'one',
      amount: 30,
      at: 0,
      expires: start / 1000 + 1,
      priority: 1,
      by: 'us',
      used: 10,
    };
    const webhook = { url: 'https://hooks.example.com/', secret: 'secret' };
    const { pricing, ...changed } = terms;
    await edits.edit('termed', () => ({ ...changed, grants: [grant], webhook, throughput: 500 }));
    expect(await tenants.replacePricing('termed', undefined, pricing)).toBe(true);
    expect(await tenants.replacePricing('termed', undefined, [])).toBe(false);
    expect(await tenants.find('termed')).toMatchObject({ ...terms, webhook, throughput: 500 });
    const { secret } = await keys.create({ tenant: 'termed' });
    const tenantPolicy = { ...terms, throughput: 500 };
    const before = await find(secret);
    expect(before?.tenantPolicy).toStrictEqual({ limits: { credit: 30 }, ...tenantPolicy });
    time += 1_000;
    expect((await find(secret))?.tenantPolicy).toStrictEqual({ limits: { credit: 10 }, ...tenantPolicy });
  });

  test('a key whose tenant has no item has no limits, also during a database outage', async () => {
    const { state, find, keys } = openLookup();
    const { secret, id } = await keys.create({ tenant: 'older' });
    await database.call('DynamoDB_20120810.DeleteItem', {
      TableName: 'access',
      Key: { pk: { S: 'tenant#older' } },
    });
    const found = { id, tenant: 'older', hash: hashApiKey(secret) };
    expect(await find(secret)).toStrictEqual(found);
    state.down = true;
    time += 60_000;
    expect(await find(secret)).toStrictEqual(found);
  });

  test('a tenant with a malformed item is not treated as unlimited', async () => {
    const { find, keys } = openLookup();
    const { secret } = await keys.create({ tenant: 'damaged' });
    await database.call('DynamoDB_20120810.PutItem', {
      TableName: 'access',
      Item: { pk: { S: 'tenant#damaged' }, created_at: { N: '1' }, monthly_budget: { S: 'fifty' } },
    });
    await expect(find(secret)).rejects.toMatchObject({ kind: 'internal' });
  });

  test('suspending and reactivating a tenant takes effect within ten seconds', async () => {
    const { find, keys, edits } = openLookup();
    const { secret } = await keys.create({ tenant: 'late' });
    expect((await find(secret))?.tenantPolicy).toBeUndefined();
    await edits.edit('late', () => ({ suspended: true }));
    time += 10_000;
    expect(await find(secret)).toMatchObject({ tenantPolicy: { suspended: true } });
    await edits.edit('late', () => ({ suspended: false }));
    time += 10_000;
    expect((await find(secret))?.tenantPolicy).toBeUndefined();
  });

  test('key and tenant are read at the same time once the tenant is known', async () => {
    const waiting: (() => void)[] = [];
    const state = { held: false };
    const call: TestDatabase['call'] = async (action, input) => {
      if (state.held) await new Promise<void>((resolve) => waiting.push(resolve));
      return await database.call(action, input);
    };
    const access = { call, table: 'access', now };
    const [keys, tenants] = [createKeyStore(access), createTenantStore(access)];
    const find = createFindApiKey({ keys, tenants, now });
    const { secret } = await keys.create({ tenant: 'acme' });
    await find(secret);
    state.held = true;
    time += 6_000;
    const found = find(secret);
    await expect.poll(() => waiting.length).toBe(2);
    for (const resume of waiting) resume();
    expect(await found).toMatchObject({ tenant: 'acme' });
  });
});

describe('during a database outage', () => {
  test('a recently used key works for five minutes, and no longer', async () => {
    const { state, find, keys } = openLookup();
    const { secret } = await keys.create({ tenant: 'acme' });
    await find(secret);
    state.down = true;
    time += 299_000;
    expect(await find(secret)).toMatchObject({ tenant: 'acme' });
    time += 1_000 + 5_000;
    await expect(find(secret)).rejects.toMatchObject({ kind: 'internal' });
    state.down = false;
    // A read that started earlier may still fail, and concurrent calls share it.
    await expect.poll(() => find(secret).catch(() => undefined)).toMatchObject({ tenant: 'acme' });
  });

  test('a key that is not cached causes an internal error, not an authentication error', async () => {
    const { state, find, keys } = openLookup();
    const { secret } = await keys.create({ tenant: 'acme' });
    state.down = true;
    await expect(find(secret)).rejects.toMatchObject({ kind: 'internal', status: 500 });
  });

  test('a key that was not found before is not reported as unknown, because it may exist now', async () => {
    const { state, find } = openLookup();
    const stranger = newApiKey();
    await find(stranger);
    state.down = true;
    time += 6_000;
    await expect(find(stranger)).rejects.toMatchObject({ kind: 'internal' });
  });
});

test('a process remembers so many keys and no more: those used longest ago are read again', async () => {
  const counts = { keys: 0, tenants: 0 };
  const find = createFindApiKey({
    now,
    keys: {
      async findByHash(hash) {
        counts.keys += 1;
        return { id: hash, tenant: hash.slice(0, 12), createdAt: start };
      },
    },
    tenants: {
      async find(name) {
        counts.tenants += 1;
        return { name, createdAt: start };
      },
    },
  });
  const more = 500;
  const secrets = Array.from({ length: maxCachedKeys + more }, newApiKey);
  const findAll = async (some: readonly string[]) => {
    const before = { ...counts };
    let missing = 0;
    for (const secret of some) missing += (await find(secret)) ? 0 : 1;
    expect(missing).toBe(0);
    return { keys: counts.keys - before.keys, tenants: counts.tenants - before.tenants };
  };
  expect(await findAll(secrets)).toStrictEqual({ keys: secrets.length, tenants: secrets.length });
  expect(await findAll(secrets.slice(more))).toStrictEqual({ keys: 0, tenants: 0 });
  expect(await findAll(secrets.slice(0, more))).toStrictEqual({ keys: more, tenants: more });
  // In turns, more keys than are remembered are never found.
  expect(await findAll(secrets.slice(more))).toStrictEqual({ keys: maxCachedKeys, tenants: maxCachedKeys });
});
