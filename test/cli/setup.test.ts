/** `gateway setup`: tables, catalog and first key of a gateway without a stack; and other commands on the same tables. */
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { seedRows } from '../../infra/catalog/seed.ts';
import { setUpTable } from '../../infra/tables/setup-tables.ts';
import { createIfAbsent, describeTable, streamFormat } from '../../infra/tables/table-calls.ts';
import { isWellFormedApiKey } from '../../lib/core/names/api-key.ts';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import { kindOf, tableNames } from '../../lib/core/tables.ts';
import { noDynamoDbLocal, startDynamoDbLocal } from '../harness/dynamodb-local/engine.ts';
import { runCommand } from '../harness/operator-command.ts';
import { makeStack } from '../infra/synthesize.ts';
import { startTestDatabase } from '../stores/database.ts';

const names = {
  CATALOG_TABLE: 'own-catalog',
  ACCESS_TABLE: 'own-access',
  STATE_TABLE: 'own-state',
  USAGE_TABLE: 'own-usage',
  FILES_TABLE: 'own-files',
};

const operate = (typed: string, variables: Readonly<Record<string, string>>) =>
  runCommand('no-data', typed, { variables });

const engines = [
  {
    engine: 'the embedded database',
    start: () => startTestDatabase([]),
    absent: undefined,
    hasExpiry: process.env.TEST_DYNAMODB_LOCAL !== undefined,
  },
  { engine: 'DynamoDB Local', start: startDynamoDbLocal, absent: noDynamoDbLocal, hasExpiry: true },
];

describe.each(engines)('on $engine', ({ engine, start, absent, hasExpiry }) => {
  test.skipIf(absent)(
    `makes everything once (${engine}: ${absent ?? 'there'})`,
    { timeout: 60_000 },
    async () => {
      const database = await start();
      const variables = { ...names, AWS_REGION: 'eu-west-1', DYNAMODB_ENDPOINT: database.endpoint };
      try {
        const first = await operate('setup --tenant acme', variables);
        expect(first).toMatchObject({ code: 0, stderr: '' });
        const secret = first.output.at(-1) ?? '';
        expect(isWellFormedApiKey(secret)).toBe(true);
        expect(first.output.filter((line) => line.includes(': created.'))).toHaveLength(tableNames.length);
        expect(first.output.join('\n').includes('This database has no stream and no expiry.')).toBe(
          !hasExpiry,
        );
        expect(first.output.join('\n')).toContain(`${seedRows.length} models written`);

        const again = await operate('setup --tenant acme', variables);
        expect(again).toMatchObject({ code: 0, stderr: '' });
        expect(again.output.filter((line) => line.includes(': present.'))).toHaveLength(tableNames.length);
        expect(again.output.join('\n')).toContain('0 models written');
        expect(again.output.at(-1)).toBe('Keys: there are 1, so none was made.');

        // Every other command works on the same tables.
        const second = await operate('keys create --tenant acme --name laptop', variables);
        expect(second).toMatchObject({ code: 0, stderr: '' });
        const listed = await operate('keys list --json', variables);
        expect(JSON.parse(listed.output.join('\n'))).toHaveLength(2);
      } finally {
        await database.close();
      }
    },
  );
});

test.skipIf(noDynamoDbLocal)(
  `a table without its stream gets it (DynamoDB Local: ${noDynamoDbLocal ?? 'there'})`,
  { timeout: 60_000 },
  async () => {
    const { call, close } = await startDynamoDbLocal();
    try {
      await createIfAbsent(call, 'own-usage', { isSorted: true, pauseMs: 5 });
      const made = await setUpTable('usage', 'own-usage', { call, isAws: false, pauseMs: 5 });
      expect(made).toEqual({ purpose: 'usage', table: 'own-usage', state: 'completed', lacks: [] });
      const { StreamSpecification } = (await describeTable(call, 'own-usage')) ?? {};
      expect(StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
    } finally {
      await close();
    }
  },
);

describe('in AWS', () => {
  const calls: { readonly action: string; readonly input: Readonly<Record<string, unknown>> }[] = [];

  test('a table has what the stack gives it', async () => {
    const database = await startTestDatabase([]);
    const isStreaming = (input: object) => 'TableName' in input && input.TableName === 'own-usage';
    const isBackup = (action: string) => action.endsWith('UpdateContinuousBackups');
    let early = 1;
    const call: AwsCall = async (target, input) => {
      const action = target.replace('DynamoDB_20120810.', '');
      calls.push({ action, input: input as Readonly<Record<string, unknown>> });
      if (isBackup(action)) {
        early -= 1;
        if (early >= 0)
          throw new AwsError('ContinuousBackupsUnavailableException', 'Backups are being enabled.', 400);
        return {};
      }
      if (action === 'DescribeTable' && isStreaming(input)) {
        const { Table } = await database.call(target, input);
        return { Table: { ...(Table as object), StreamSpecification: streamFormat } };
      }
      if (action === 'DescribeTimeToLive') return { TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } };
      if (action === 'UpdateTimeToLive') return {};
      return await database.call(target, input);
    };
    try {
      for (const purpose of tableNames)
        await setUpTable(purpose, `own-${purpose}`, { call, isAws: true, pauseMs: 1 });
    } finally {
      await database.close();
    }
    const { data } = makeStack();
    const stackTables = Object.values(Template.fromStack(data).findResources('AWS::DynamoDB::GlobalTable'));
    for (const purpose of tableNames) {
      const of = (action: string) =>
        calls.find((one) => one.action === action && one.input.TableName === `own-${purpose}`)?.input;
      const created = of('CreateTable');
      const [twin] = stackTables
        .map(({ Properties }) => Properties)
        .filter(
          ({ KeySchema, StreamSpecification }) =>
            KeySchema.length === (kindOf(purpose).isSorted ? 2 : 1) &&
            Boolean(StreamSpecification) === Boolean(kindOf(purpose).hasStream),
        );
      const [replica] = twin.Replicas;
      expect(created).toMatchObject({
        KeySchema: twin.KeySchema,
        AttributeDefinitions: twin.AttributeDefinitions,
        BillingMode: twin.BillingMode,
        DeletionProtectionEnabled: replica.DeletionProtectionEnabled,
      });
      const viewType = (created?.StreamSpecification as { StreamViewType?: string } | undefined)
        ?.StreamViewType;
      expect(viewType).toBe(twin.StreamSpecification?.StreamViewType);
      expect(of('UpdateTimeToLive')?.TimeToLiveSpecification).toEqual(twin.TimeToLiveSpecification);
      expect(of('UpdateContinuousBackups') !== undefined).toBe(purpose !== 'state');
    }
    expect(calls.filter(({ action }) => isBackup(action))).toHaveLength(tableNames.length);
  });
});

test("another table's keys are refused, and nothing is changed", async () => {
  const database = await startTestDatabase(['own-usage']);
  try {
    await createIfAbsent(database.call, 'other', { pauseMs: 5 });
    await expect(
      setUpTable('usage', 'other', { call: database.call, isAws: false, pauseMs: 5 }),
    ).rejects.toThrow("The table other has other keys than the gateway's.");
  } finally {
    await database.close();
  }
});

test.each([
  ['no variable', {}, 'No tables are named: set CATALOG_TABLE'],
  [
    'some variables',
    { USAGE_TABLE: 'own-usage' },
    'CATALOG_TABLE, ACCESS_TABLE, STATE_TABLE, FILES_TABLE, AWS_REGION',
  ],
])('with %s, the error says what to set', async (_, variables, message) => {
  const { code, stderr } = await operate('setup', variables);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
