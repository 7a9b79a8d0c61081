import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { seedRows } from '../../infra/catalog/seed.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { type FakeAws, startFakeAws } from '../harness/aws/fake-aws.ts';
import { dynamodb } from '../harness/aws/services/dynamodb.ts';
import { built } from '../harness/built.ts';
import { type LambdaEngine, startLambdaEngine } from '../harness/lambda/engine.ts';
import { emptyTable, startTestDatabase, type TestDatabase } from '../stores/database.ts';

const role = {
  accessKeyId: 'ASIASEED',
  secretAccessKey: 'local',
  arn: 'arn:aws:sts::123456789012:assumed-role/Seed/seed',
};

let bundles: string;
let database: TestDatabase;
let aws: FakeAws;
let seed: LambdaEngine;

beforeAll(async () => {
  [database, bundles] = await Promise.all([startTestDatabase(['catalog']), built()]);
  aws = await startFakeAws({
    services: [dynamodb({ endpoint: database.endpoint })],
    principals: [role],
  });
  seed = await startLambdaEngine({
    bundle: join(bundles, 'seed', 'index.mjs'),
    environment: {
      CATALOG_TABLE: 'catalog',
      DYNAMODB_ENDPOINT: aws.url.replace('//', `//${role.accessKeyId}@`),
      AWS_ACCESS_KEY_ID: role.accessKeyId,
      AWS_SECRET_ACCESS_KEY: role.secretAccessKey,
    },
  });
}, 60_000);

afterEach(async () => {
  aws.faults.clear();
  aws.forgetCalls();
  await emptyTable(database.call, 'catalog');
});

afterAll(async () => {
  await seed?.close();
  await aws?.close();
  await database?.close();
});

const models = async () => {
  const store = createCatalogStore({ call: database.call, table: 'catalog' });
  return (await store.list()).length;
};

/** Resolves when the function has ended, with an error if it failed. */
async function deploy(event: object): Promise<void> {
  const { chunks } = await seed.invoke(event, { timeoutMs: 60_000 });
  await Array.fromAsync(chunks);
}

test('it writes the catalog, though each of its first calls is denied', async () => {
  aws.faults.add('dynamodb:PutItem', 'denied', { times: 40 });
  await deploy({});
  expect(await models()).toBe(seedRows.length);
  expect(aws.calls.filter(({ error }) => error === 'AccessDeniedException')).toHaveLength(40);
}, 60_000);

test('permissions that never arrive are named with service and action', async () => {
  aws.faults.add('dynamodb:PutItem', 'denied');
  const failure = await deploy({ permissionMs: 1_000 }).catch(String);
  expect(failure).toContain(
    'DynamoDB denied PutItem for 1 seconds (AccessDeniedException): User: arn:aws:sts::123456789012:assumed-role/Seed/seed is not authorized to perform: dynamodb:PutItem',
  );
  expect(await models()).toBe(0);
}, 60_000);

test('another error is not waited for', async () => {
  aws.faults.add('dynamodb:PutItem', 'unavailable');
  // Its own time would be more than that of this test.
  await expect(deploy({})).rejects.toThrow('The function failed');
}, 60_000);
