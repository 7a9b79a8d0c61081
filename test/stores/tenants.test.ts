/** Tenants in the access table: created, changed, suspended, and given credit. */
import { beforeEach, expect, test } from 'vitest';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { emptyTable, useTestDatabase } from './database.ts';

const start = Date.UTC(2026, 10, 20);
const database = useTestDatabase('access');
let time: number;

beforeEach(async () => {
  time = start;
  await emptyTable(database.call, 'access');
});

const access = { call: database.call, table: 'access', now: () => time };
const tenants = createTenantStore(access);
const edits = createTenantEdits(access);

test('a tenant is created once, and tenants are listed by name', async () => {
  expect(await tenants.create('umbrella', { limits: { credit: 7 }, models: ['openai/*'] })).toBe(true);
  expect(await tenants.create('umbrella')).toBe(false);
  await tenants.create('acme');
  expect(await edits.list()).toStrictEqual([
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
  await tenants.create('umbrella');
  await tenants.create('acme');
  const Item = { pk: { S: 'tenant#broken' }, created_at: { S: 'once' } };
  await database.call('DynamoDB_20120810.PutItem', { TableName: 'access', Item });
  await database.call('DynamoDB_20120810.PutItem', { TableName: 'access', Item: { pk: { S: 'key#a' } } });
  const names = await createTenantStore({ ...access, call }).names();
  expect(names).toStrictEqual(['acme', 'broken', 'umbrella']);
  // The role of the export is limited to this.
  const attributes = { ExpressionAttributeNames: { '#key': 'pk' }, ProjectionExpression: '#key' };
  expect(asked).toStrictEqual([expect.objectContaining({ Select: 'SPECIFIC_ATTRIBUTES', ...attributes })]);
});

const grant = { id: 'one', amount: 3, at: start / 1000, priority: 100, by: 'ann' };

test('what is written for the aggregator returns nothing that its role may not see', async () => {
  const asked: object[] = [];
  const call: AwsCall = (action, input, options) => {
    asked.push(input);
    return database.call(action, input, options);
  };
  await tenants.create('acme');
  const next = { grants: [], unallocated: { day: '2026-11-20', used: 1 } };
  expect(await createTenantStore({ ...access, call }).replaceGrants('acme', {}, next)).toBe(true);
  expect(asked).toStrictEqual([expect.objectContaining({ ReturnValues: 'UPDATED_NEW' })]);
});

test('concurrent changes are all applied', async () => {
  await tenants.create('acme');
  const grants = Array.from({ length: 10 }, (_, index) => ({ ...grant, id: `grant-${index}` }));
  await Promise.all([
    edits.edit('acme', () => ({ limits: { monthlyBudget: 50 } })),
    edits.edit('acme', () => ({ limits: { tokensPerMinute: 1000 } })),
    edits.edit('acme', () => ({ models: ['openai/*'] })),
    edits.edit('acme', () => ({ suspended: true })),
    ...grants.map((one) => edits.addCredit('acme', one)),
  ]);
  expect(await tenants.find('acme')).toStrictEqual({
    name: 'acme',
    createdAt: start / 1000,
    suspendedAt: start / 1000,
    limits: { monthlyBudget: 50, tokensPerMinute: 1000, credit: 30 },
    models: ['openai/*'],
    grants: expect.arrayContaining(grants),
  });
});

test('a tenant is changed at once in many terms, suspended, and activated again', async () => {
  await tenants.create('acme', { limits: { dailyBudget: 5 } });
  const edited = await edits.edit('acme', () => ({
    limits: { dailyBudget: null, monthlyBudget: 9 },
    userLimits: { requestsPerMinute: 3 },
    alerts: [50],
    throughput: 700,
    suspended: true,
  }));
  expect(edited?.before).toStrictEqual({ name: 'acme', createdAt: start / 1000, limits: { dailyBudget: 5 } });
  const changed = {
    name: 'acme',
    createdAt: start / 1000,
    limits: { monthlyBudget: 9 },
    userLimits: { requestsPerMinute: 3 },
    alerts: [50],
    throughput: 700,
  };
  expect(edited?.after).toStrictEqual({ ...changed, suspendedAt: start / 1000 });
  time += 60_000;
  // Suspending twice keeps the first time.
  const again = await edits.edit('acme', () => ({ suspended: true }));
  expect(again?.after).toMatchObject({ suspendedAt: start / 1000 });
  await edits.edit('acme', () => ({ suspended: false }));
  expect(await edits.find('acme')).toStrictEqual(changed);
});

test('a credit that is set loses no grant that is given meanwhile', async () => {
  await tenants.create('acme');
  await edits.addCredit('acme', grant);
  const seen: (number | undefined)[] = [];
  let others = 1;
  const racing = createTenantEdits({
    ...access,
    call: async (action, input, given) => {
      if (action.endsWith('UpdateItem') && others > 0) {
        others -= 1;
        await edits.addCredit('acme', { ...grant, id: 'two' });
      }
      return await database.call(action, input, given);
    },
  });
  // The same amount as before: still a change, because the grants are removed.
  await racing.edit('acme', ({ limits }) => {
    seen.push(limits?.credit);
    return { limits: { credit: 3 } };
  });
  expect(seen).toStrictEqual([3, 6]);
});

test('only create makes a missing tenant', async () => {
  expect(await edits.edit('missing', () => ({ models: [], suspended: true }))).toBeUndefined();
  expect(await edits.addCredit('missing', grant)).toBeUndefined();
  expect(await edits.list()).toStrictEqual([]);
});
