/** The sums of the dashboard: each change counts once, and what was asked for is read. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { SumKey } from '../../lib/core/accounting/sums.ts';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import { createDeploymentSums } from '../../lib/stores/usage/deployment-sums.ts';
import { createSumsStore } from '../../lib/stores/usage/read-sums.ts';
import { emptyTable, useTestDatabase } from './database.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const database = useTestDatabase('usage');
const options = { call: database.call, table: 'usage', now: () => noon };
const sums = createSumsStore(options);
const store = createAggregateStore(options);

beforeEach(() => emptyTable(database.call, 'usage', true));

let sequence = 0;
/** One change of a stream, in a batch of its own. */
async function add(key: SumKey, counts: Readonly<Record<string, number>>, lastAt?: number) {
  sequence += 1;
  const change = { sequence: `${sequence}`, at: noon, counts, ...(lastAt !== undefined && { lastAt }) };
  await store.addToSum(key, [change], { shard: 'shard', now: noon });
}

describe('of keys and models', () => {
  const hour = (at: string, key = 'key_a', model = 'acme/one'): SumKey => ({
    of: 'hour',
    tenant: 'acme',
    hour: at,
    key,
    model,
  });

  test('hours of several days are read from the first to the last', async () => {
    for (const at of ['2026-11-19T22', '2026-11-19T23', '2026-11-20T00', '2026-11-20T09', '2026-11-20T10'])
      await add(hour(at), { requests: 1 });
    await add(hour('2026-11-20T09', 'key_b', 'acme/a#b\nc'), { requests: 2, unknown: 3 });
    const found = await sums.hours('acme', { from: '2026-11-19T23', to: '2026-11-20T09' });
    expect(found.map(({ period, key, model, numbers }) => [period, key, model, numbers])).toStrictEqual([
      ['2026-11-19T23', 'key_a', 'acme/one', { requests: 1 }],
      ['2026-11-20T00', 'key_a', 'acme/one', { requests: 1 }],
      ['2026-11-20T09', 'key_a', 'acme/one', { requests: 1 }],
      ['2026-11-20T09', 'key_b', 'acme/a#b\nc', { requests: 2 }],
    ]);
  });

  test('a batch is added once, as a whole, and a sum that has expired is not begun again', async () => {
    const changes = [1, 2].map((number) => ({
      sequence: `${number}`,
      at: noon,
      counts: { requests: number },
    }));
    for (const batch of [changes.slice(0, 1), changes, changes])
      await store.addToSum(hour('2026-11-20T01'), batch, { shard: 'other', now: noon });
    await store.addToSum(hour('2026-10-01T01'), changes, { shard: 'other', now: noon });
    const ofDay = (day: string) => sums.hours('acme', { from: `${day}T00`, to: `${day}T23` });
    expect(await ofDay('2026-11-20')).toMatchObject([{ period: '2026-11-20T01', numbers: { requests: 3 } }]);
    expect(await ofDay('2026-10-01')).toStrictEqual([]);
  });
});

describe('of users', () => {
  const user = (day: string, name: string): SumKey => ({ of: 'user', tenant: 'acme', day, user: name });
  const named = (found: { readonly sums: readonly { readonly period: string; readonly user: string }[] }) =>
    found.sums.map((one) => `${one.period} ${one.user}`);

  beforeEach(async () => {
    for (const [day, name] of [
      ['2026-10-31', 'ann'],
      ['2026-11-01', 'ann'],
      ['2026-11-01', 'b#o\n'],
      ['2026-11-02', 'cid'],
    ] as const)
      await add(user(day, name), { requests: 1 });
  });

  test('the latest come first, over the ends of months', async () => {
    const found = await sums.users('acme', { from: '2026-10-31', to: '2026-11-01' }, 10);
    expect([named(found), found.isComplete]).toStrictEqual([
      ['2026-11-01 b#o\n', '2026-11-01 ann', '2026-10-31 ann'],
      true,
    ]);
  });

  test.each([
    [3, true],
    [2, false],
    [1, false],
  ])('at most %i of three are read, and it is known whether there are more', async (most, isComplete) => {
    const found = await sums.users('acme', { from: '2026-10-31', to: '2026-11-01' }, most);
    expect([found.sums.length, found.isComplete]).toStrictEqual([most, isComplete]);
  });

  test('those of one user are read by day', async () => {
    const days = ['2026-10-31', '2026-11-01', '2026-11-03'];
    const found = await sums.usersIn('acme', 'ann', days);
    expect(found.map(({ period }) => period).toSorted()).toStrictEqual(['2026-10-31', '2026-11-01']);
    expect(found[0]).toMatchObject({ user: 'ann', numbers: { requests: 1 } });
  });
});

test('of tenants, all of a day or some of several periods are read', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `tenant-${index}`);
  for (const tenant of names) {
    await add({ of: 'tenant', period: '2026-11-20', tenant }, { requests: 1, charge: 2, cost: 3 }, noon);
    await add({ of: 'tenant', period: '2026-11', tenant }, { requests: 5 });
  }
  const day = await sums.tenants('2026-11-20');
  expect(day.map(({ tenant }) => tenant).toSorted()).toStrictEqual(names.toSorted());
  expect(day[0]).toStrictEqual({
    period: '2026-11-20',
    tenant: expect.any(String),
    numbers: { requests: 1, charge: 2, cost: 3 },
    lastAt: noon,
  });
  expect((await sums.tenantCharges('2026-11-20'))[0]).toMatchObject({
    numbers: { requests: 1, charge: 2, cost: 3 },
    lastAt: noon,
  });
  const some = await sums.tenantsIn(['tenant-3', 'tenant-4', 'none'], ['2026-11-20', '2026-11']);
  expect(some.map(({ tenant, period }) => `${tenant} ${period}`).toSorted()).toStrictEqual([
    'tenant-3 2026-11',
    'tenant-3 2026-11-20',
    'tenant-4 2026-11',
    'tenant-4 2026-11-20',
  ]);
  expect(some.find(({ period }) => period === '2026-11')).toMatchObject({ lastAt: 0 });
});

test('of keys, all of a month are read, or those of a tenant, or one', async () => {
  const keyOf = (tenant: string, key: string): SumKey => ({ of: 'key', month: '2026-11', tenant, key });
  const counts = {
    requests: 1,
    promptTokens: 8,
    charge: 2,
    uncharged: 3,
    cost: 4,
    unpriced: 5,
    estimated: 6,
    estimatedCharge: 7,
  };
  for (const tenant of ['acme', 'acme-2', 'b']) {
    for (const key of ['key_1', 'key_2']) await add(keyOf(tenant, key), { ...counts, cachedTokens: 9 });
  }
  const named = (found: readonly { tenant: string; key: string }[]) =>
    found.map(({ tenant, key }) => `${tenant} ${key}`).toSorted();
  const ofTenant = await sums.keyCharges('2026-11', 'acme');
  expect(named(ofTenant)).toStrictEqual(['acme key_1', 'acme key_2']);
  expect(ofTenant[0]?.numbers).toStrictEqual(counts);
  expect(await sums.keyCharges('2026-11')).toHaveLength(6);
  expect(await sums.keyCharges('2026-12')).toStrictEqual([]);
  expect(await sums.find(keyOf('b', 'key_2'))).toMatchObject({ requests: 1, cachedTokens: 9 });
  expect(await sums.find(keyOf('b', 'key_3'))).toBeUndefined();
});

describe('of deployments', () => {
  const at = (period: string, provider: string, model = 'acme/one'): SumKey => ({
    of: 'deployment',
    period,
    provider,
    region: 'global',
    model,
  });
  const failed = noon - 1_500;

  beforeEach(async () => {
    await add(at('2026-11-20T10', 'one'), { attempts: 1, 'failed#provider_error': 1 }, noon - 90 * 60_000);
    await add(at('2026-11-20T11', 'one'), { attempts: 2, 'failed#provider_error': 1, 'failed#x': 1 }, failed);
    await add(at('2026-11-20T12', 'one'), { attempts: 4 });
    await add(at('2026-11-20T12', 'one', 'acme/two'), { attempts: 8, 'failed#x': 0 });
    await add(at('2026-11-20T12', 'two'), { requests: 1 });
    await add(at('2026-11-20', 'one'), { attempts: 7 });
    await add(at('2026-11-21', 'one'), { attempts: 9 });
  });

  test('the calls of each since a time are added up, with what failed and when', async () => {
    const lately = createDeploymentSums(options);
    const found = await lately.since((noon - 3_600_000) / 1000);
    expect(found.toSorted((one, other) => (one.model < other.model ? -1 : 1))).toStrictEqual([
      {
        provider: 'one',
        region: 'global',
        model: 'acme/one',
        attempts: 6,
        failures: { provider_error: 1, x: 1 },
        lastFailureAt: Math.floor(failed / 1000),
      },
      { provider: 'one', region: 'global', model: 'acme/two', attempts: 8, failures: {} },
    ]);
    const [longer] = (await lately.since((noon - 7_200_000) / 1000)).filter(
      (one) => one.model === 'acme/one',
    );
    expect(longer).toMatchObject({ attempts: 7, failures: { provider_error: 2, x: 1 } });
  });

  test('days are those that were asked for', async () => {
    const found = await sums.deploymentDays({ from: '2026-11-20', to: '2026-11-20' });
    expect(found).toStrictEqual([
      {
        period: '2026-11-20',
        provider: 'one',
        region: 'global',
        model: 'acme/one',
        numbers: { attempts: 7 },
      },
    ]);
  });

  test('hours over midnight are read from the first to the last', async () => {
    await add(at('2026-11-21T00', 'one'), { attempts: 1 });
    await add(at('2026-11-21T01', 'one'), { attempts: 1 });
    const found = await sums.deploymentHours({ from: '2026-11-20T12', to: '2026-11-21T00' });
    expect(found.map(({ period }) => period).toSorted()).toStrictEqual([
      '2026-11-20T12',
      '2026-11-20T12',
      '2026-11-20T12',
      '2026-11-21T00',
    ]);
  });
});

test('sums are noted as complete from one time on, until they are off', async () => {
  expect(await sums.since()).toBeUndefined();
  await store.noteSums(true);
  await createAggregateStore({ ...options, now: () => noon + 5 }).noteSums(true);
  expect([await sums.since(), await sums.keysSince()]).toStrictEqual([noon, noon]);
  await store.noteSums(false);
  await store.noteSums(false);
  expect([await sums.since(), await sums.keysSince()]).toStrictEqual([undefined, undefined]);
});
