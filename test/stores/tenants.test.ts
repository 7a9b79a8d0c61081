/** Tenants in the access table: created, changed, suspended, and given credit. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { emptyTable, startTestDatabase, type TestDatabase } from './database.ts';

const start = Date.UTC(2026, 10, 20);
let database: TestDatabase;
let time: number;

beforeAll(async () => {
  database = await startTestDatabase(['access']);
});

afterAll(() => database.close());

beforeEach(async () => {
  time = start;
  await emptyTable(database.call, 'access');
});

const openStore = () => createTenantStore({ call: database.call, table: 'access', now: () => time });
const openEdits = () => createTenantEdits({ call: database.call, table: 'access', now: () => time });

test('a tenant is created once, and tenants are listed by name', async () => {
  const store = openStore();
  expect(await store.create('umbrella', { limits: { credit: 7 }, models: ['openai/*'] })).toBe(true);
  expect(await store.create('umbrella')).toBe(false);
  await store.create('acme');
  expect(await store.list()).toEqual([
    { name: 'acme', createdAt: start / 1000 },
    { name: 'umbrella', createdAt: start / 1000, limits: { credit: 7 }, models: ['openai/*'] },
  ]);
});

test('names of tenants are read without anything else, also of a malformed one', async () => {
  const asked: object[] = [];
  const call: AwsCall = (action, input, options) => {
    asked.push(input);
    return database.call(action, input, options);
  };
  await openStore().create('umbrella');
  await openStore().create('acme');
  const Item = { pk: { S: 'tenant#broken' }, created_at: { S: 'once' } };
  await database.call('DynamoDB_20120810.PutItem', { TableName: 'access', Item });
  await database.call('DynamoDB_20120810.PutItem', { TableName: 'access', Item: { pk: { S: 'key#a' } } });
  const names = await createTenantStore({ call, table: 'access' }).names();
  expect(names).toEqual(['acme', 'broken', 'umbrella']);
  // The role of the export is limited to this.
  const attributes = { ExpressionAttributeNames: { '#key': 'pk' }, ProjectionExpression: '#key' };
  expect(asked).toEqual([expect.objectContaining({ Select: 'SPECIFIC_ATTRIBUTES', ...attributes })]);
});

const grant = { id: 'one', amount: 3, at: start / 1000, priority: 100, by: 'ann' };

test('what is written for the aggregator returns nothing that its role may not see', async () => {
  const asked: object[] = [];
  const call: AwsCall = (action, input, options) => {
    asked.push(input);
    return database.call(action, input, options);
  };
  await openStore().create('acme');
  const next = { grants: [], unallocated: { day: '2026-11-20', used: 1 } };
  expect(await createTenantStore({ call, table: 'access' }).replaceGrants('acme', {}, next)).toBe(true);
  expect(asked).toEqual([expect.objectContaining({ ReturnValues: 'UPDATED_NEW' })]);
});

test('concurrent changes are all applied', async () => {
  const store = openStore();
  await store.create('acme');
  const grants = Array.from({ length: 10 }, (_, index) => ({ ...grant, id: `grant-${index}` }));
  await Promise.all([
    store.change('acme', { limits: { monthlyBudget: 50 } }),
    store.change('acme', { limits: { tokensPerMinute: 1000 } }),
    store.change('acme', { models: ['openai/*'] }),
    store.suspend('acme'),
    ...grants.map((one) => openEdits().addCredit('acme', one)),
  ]);
  expect(await store.find('acme')).toEqual({
    name: 'acme',
    createdAt: start / 1000,
    suspendedAt: start / 1000,
    limits: { monthlyBudget: 50, tokensPerMinute: 1000, credit: 30 },
    models: ['openai/*'],
    grants: expect.arrayContaining(grants),
  });
});

test('suspending twice keeps the first time, and activating removes it', async () => {
  const store = openStore();
  await store.create('acme');
  await store.suspend('acme');
  time += 60_000;
  await store.suspend('acme');
  expect(await store.find('acme')).toMatchObject({ suspendedAt: start / 1000 });
  expect(await store.activate('acme')).toBe(true);
  expect(await store.find('acme')).not.toHaveProperty('suspendedAt');
});

test('only create makes a missing tenant', async () => {
  const store = openStore();
  expect(await store.change('missing', { models: [] })).toBeUndefined();
  expect(await openEdits().addCredit('missing', grant)).toBeUndefined();
  expect(await store.suspend('missing')).toBe(false);
  expect(await store.activate('missing')).toBe(false);
  expect(await store.list()).toEqual([]);
});
