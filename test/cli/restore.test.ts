/** The command that restores a table, against a fake DynamoDB that makes, completes and refuses tables as AWS does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../cli/commands.ts';
import { kindOf, type TableName, tableNames } from '../../lib/core/tables.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createManagementKeyStore } from '../../lib/stores/access/management-keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { createTable } from '../../local/database.ts';
import { disableKey } from '../harness/access.ts';
import { type FakeAws, operator, startFakeAws } from '../harness/aws/fake-aws.ts';
import { AwsRefusal } from '../harness/aws/service.ts';
import { cloudFormation, type FakeStack } from '../harness/aws/services/cloudformation.ts';
import { dynamodb } from '../harness/aws/services/dynamodb.ts';
import { dynamoDbRestore, type TableState, tableState } from '../harness/aws/services/dynamodb-restore.ts';
import { testRecord } from '../harness/ledger.ts';
import { runCommand } from '../harness/operator-command.ts';
import { startTestDatabase, type TestDatabase } from '../stores/database.ts';

const names = {
  access: 'Gateway-Access-1A',
  catalog: 'Gateway-Catalog-2B',
  files: 'Gateway-Files-5E',
  state: 'Gateway-State-3C',
  usage: 'Gateway-Usage-4D',
} satisfies Record<TableName, string>;

const at = Date.parse('2026-11-20T10:00:00Z') / 1000;
const target = `${names.usage}-at-20261120T100000Z`;
const kmsKey = 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d';
const recovery = { earliest: at - 30 * 86_400, latest: at + 2 * 86_400 };
const stream = { view: 'NEW_AND_OLD_IMAGES', label: '2026-10-01T00:00:00.000' };

let database: TestDatabase;
let aws: FakeAws;
let tables: Map<string, TableState>;
let snapshots: Map<string, readonly object[]>;

const itemsOf = async (table: string) =>
  (await database.call('DynamoDB_20120810.Scan', { TableName: table })).Items as readonly object[];

/** The command finds credentials and endpoints as AWS's tools do, in the environment of its process. */
beforeAll(() => {
  process.env.AWS_ACCESS_KEY_ID = operator.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = operator.secretAccessKey;
});

beforeEach(async () => {
  database = await startTestDatabase([]);
  for (const name of tableNames) await createTable(database.call, names[name], kindOf(name).isSorted);
  snapshots = new Map();
  tables = new Map(
    tableNames.map((name) => [
      names[name],
      tableState({
        expiry: 'expires_at',
        isProtected: true,
        ...(name !== 'state' && { recovery }),
        ...(name === 'usage' && { stream, key: kmsKey }),
        tags: new Map([
          ['aws:cloudformation:stack-name', 'GatewayData'],
          ...Array.from({ length: 12 }, (_, index) => [`team-${index}`, 'platform'] as const),
        ]),
      }),
    ]),
  );
  const itemsAt = async (table: string) => snapshots.get(table) ?? (await itemsOf(table));
  aws = await startAws(dynamoDbRestore({ call: database.call, tables, itemsAt, creating: 2 }));
});

/** AWS with the stack, where tables are restored by these actions. */
function startAws(actions: ReturnType<typeof dynamoDbRestore>): Promise<FakeAws> {
  const outputs = Object.fromEntries(
    tableNames.map((name) => [`${name[0]?.toUpperCase()}${name.slice(1)}Table`, names[name]]),
  );
  const Gateway: FakeStack = {
    status: 'CREATE_COMPLETE',
    outputs: { ...outputs, ProviderParametersPrefix: '/Gateway/providers' },
  };
  return startFakeAws({
    services: [cloudFormation({ Gateway }), dynamodb({ endpoint: database.endpoint, actions })],
  });
}

afterEach(async () => {
  await aws.close();
  await database.close();
});

async function run(line: string, variables: Readonly<Record<string, string>> = {}) {
  process.env.AWS_ENDPOINT_URL = aws.url;
  const given = { AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL: aws.url, ...variables };
  const { output, ...outcome } = await runCommand('no-data', line, { variables: given });
  return { ...outcome, output: output.join('\n') };
}

const restoreUsage = 'restore --table usage --at 2026-11-20T10:00:00Z --stack Gateway';

const changing = () =>
  aws.calls
    .map(({ action }) => action.replace('dynamodb:', ''))
    .filter((action) => !/^(Describe|List|Scan|Query|GetItem|cloudformation)/.test(action));

async function writeRecord(): Promise<void> {
  await createTenantStore({ call: database.call, table: names.access }).create('acme', {});
  const usage = createUsageStore({ call: database.call, table: names.usage, now: Date.now });
  await usage.record(testRecord({ tenant: 'acme', at: at * 1000 - 5_000 }), 'a-write');
}

describe('without --yes', () => {
  test('the plan is shown, and nothing is changed', async () => {
    await writeRecord();
    const { code, output, stderr } = await run(restoreUsage);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const shown of [
      names.usage,
      target,
      'from 2026-10-21T10:00:00Z to 2026-11-22T10:00:00Z',
      'on demand',
      kmsKey,
      '12 tags',
      'Budgets and limits go back',
      'Nothing was changed.',
    ])
      expect(output).toContain(shown);
    expect(changing()).toEqual([]);
  });

  test.each(tableNames.filter((name) => name !== 'state'))(
    'the plan of %s says what it means, and its commands exist',
    async (name) => {
      const { code, output } = await run(`restore --table ${name} --at 2026-11-20T10:00:00Z --stack Gateway`);
      expect(code).toBe(0);
      if (name === 'access') expect(output).toContain('WORK AGAIN');
    },
  );
});

describe('with --yes', () => {
  test('the table is restored, gets what a restore leaves out, is verified, and can be switched to', async () => {
    await writeRecord();
    const { code, output, stderr } = await run(`${restoreUsage} --yes`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await itemsOf(target)).toEqual(await itemsOf(names.usage));
    expect(tables.get(target)).toMatchObject({ expiry: 'expires_at', isProtected: true, key: kmsKey });
    expect(tables.get(target)?.recovery).toBeDefined();
    expect(tables.get(target)?.stream?.view).toBe('NEW_AND_OLD_IMAGES');
    const tags = tables.get(target)?.tags;
    expect(tags?.size).toBe(13);
    expect(tags?.get('gateway:restored-from')).toBe(
      `arn:aws:dynamodb:eu-west-1:123456789012:table/${names.usage}`,
    );
    expect(output).toContain('The last record of the ledger is of 2026-11-20T09:59:55Z.');
    const arn = `arn:aws:dynamodb:eu-west-1:123456789012:table/${target}`;
    expect(output).toContain(
      `npm run deploy -- -c tables.usage=${arn} -c tables.usageStream=${arn}/stream/2026-11-22T10:00:00.000`,
    );
    const repairs = Array.from(
      output.matchAll(/^ {2}npm run gateway -- ([a-z]+ [a-z-]+)/gm),
      ([, name]) => name,
    );
    expect(repairs.length).toBeGreaterThan(2);
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(repairs));
  });

  test('a second run goes on where the first one stopped, and repeats nothing that cannot be repeated', async () => {
    const first = await run(`${restoreUsage} --yes --wait 0`);
    expect(first.code).toBe(1);
    expect(first.stderr).toContain('still being restored. Run the same command again');
    aws.faults.add('dynamodb:TagResource', 'denied', { times: 1 });
    const second = await run(`${restoreUsage} --yes`);
    expect(second).toMatchObject({ code: 1 });
    expect(second.output).toContain('begun by an earlier run');
    expect(second.stderr).toContain('AccessDeniedException');
    expect(second.stderr).toContain('docs/operate/restore.md');
    expect(await run(`${restoreUsage} --yes`)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(`${restoreUsage} --yes`)).toMatchObject({ code: 0, stderr: '' });
    expect(changing().filter((action) => action === 'RestoreTableToPointInTime')).toHaveLength(1);
    expect(changing().filter((action) => action === 'UpdateTimeToLive')).toHaveLength(1);
  });

  test('a restore whose answer is lost is found by its table', async () => {
    const unanswered = dynamoDbRestore({ call: database.call, tables, itemsAt: itemsOf });
    const begin = unanswered.RestoreTableToPointInTime;
    let calls = 0;
    await aws.close();
    aws = await startAws({
      ...unanswered,
      async RestoreTableToPointInTime(input, context) {
        calls += 1;
        await begin?.(input, context);
        throw new AwsRefusal('InternalServerError', 'Internal server error', 500);
      },
    });
    const { code } = await run('restore --table catalog --at 2026-11-20T10:00:00Z --stack Gateway --yes');
    expect({ code, calls }).toEqual({ code: 0, calls: 2 });
  });

  test('tables that the environment names are switched by it', async () => {
    const named = tableNames.map((name) => [kindOf(name).environmentVariable, names[name]]);
    const { code, output } = await run(`${restoreUsage.replace(' --stack Gateway', '')} --yes`, {
      ...Object.fromEntries(named),
      AWS_ACCESS_KEY_ID: operator.accessKeyId,
      AWS_SECRET_ACCESS_KEY: operator.secretAccessKey,
    });
    expect(code).toBe(0);
    expect(output).toContain(`Set USAGE_TABLE=${target} for the server and its aggregator`);
    expect(output).not.toContain('npm run deploy');
  });

  test('keys that work again, and keys that go, are listed by their ids', async () => {
    const keys = createKeyStore({ call: database.call, table: names.access });
    const revoked = await keys.create({ tenant: 'acme', name: 'laptop' });
    const kept = await keys.create({ tenant: 'acme', name: 'server' });
    const managementKeys = createManagementKeyStore({ call: database.call, table: names.access });
    const expiresAt = Math.floor(Date.now() / 1000) + 3_600;
    const createdBy = { id: 'ada', name: 'Ada' };
    const machine = await managementKeys.create({ name: 'ci', role: 'operator', expiresAt, createdBy });
    snapshots.set(names.access, await itemsOf(names.access));
    await managementKeys.remove(machine.id);
    await disableKey({ call: database.call, table: names.access }, revoked.id);
    const later = await keys.create({ tenant: 'acme', name: 'phone' });
    const { code, output } = await run(
      'restore --table access --at 2026-11-20T10:00:00Z --stack Gateway --yes',
    );
    expect(code).toBe(0);
    expect(output).toMatch(
      new RegExp(
        `2 keys that no longer work will WORK AGAIN.\n {2}${revoked.id} {2}acme {2}laptop\n {2}${machine.id} {2}- {2}ci`,
      ),
    );
    expect(output).toMatch(new RegExp(`will be gone.\n {2}${later.id} {2}acme {2}phone`));
    expect(output).not.toContain(kept.id);
    expect(output).not.toContain('tables.accessStream');
  });
});

describe('refusals', () => {
  test('a moment outside of what can be restored, with what can', async () => {
    const { code, stderr } = await run(
      'restore --table usage --at 2026-10-01T00:00:00Z --stack Gateway --yes',
    );
    expect(code).toBe(1);
    expect(stderr).toContain(
      'from 2026-10-21T10:00:00Z to 2026-11-22T10:00:00Z, and not at 2026-10-01T00:00:00Z',
    );
    expect(changing()).toEqual([]);
  });

  test('a table without recovery, with the setting that turns it off', async () => {
    const { code, stderr } = await run('restore --table state --at 2026-11-20T10:00:00Z --stack Gateway');
    expect(code).toBe(1);
    expect(stderr).toContain('no point-in-time recovery');
    expect(stderr).toContain('responseRecovery');
  });

  test('a table that is deleted, with where its backup is explained', async () => {
    tables.delete(names.usage);
    const { code, stderr } = await run(restoreUsage);
    expect(code).toBe(1);
    expect(stderr).toContain('does not exist');
    expect(stderr).toContain('docs/operate/restore.md');
  });

  test('a table of that name that is no restore of this one', async () => {
    await createTable(database.call, target, true);
    tables.set(target, tableState());
    const { code, stderr } = await run(`${restoreUsage} --yes`);
    expect(code).toBe(1);
    expect(stderr).toContain(`${target} exists, and is no restore of this table`);
    expect(changing()).toEqual([]);
  });

  test('a denial, with what was denied and where the rights are listed', async () => {
    aws.faults.add('dynamodb:RestoreTableToPointInTime', 'denied');
    const { code, stderr } = await run(`${restoreUsage} --yes`);
    expect(code).toBe(1);
    expect(stderr).toContain('dynamodb:RestoreTableToPointInTime');
    expect(stderr).toContain('docs/operate/restore.md');
  });

  test.each([
    ['--table keys --at 2026-11-20T10:00:00Z', '--table must be one of catalog, access, state, usage'],
    ['--table usage --at 2026-11-20T10:00:00', 'with its zone'],
    ['--table usage --at 2026-02-30T10:00:00Z', 'with its zone'],
    ['--table usage --at 2026-11-20T10:00:00Z --wait 9999', '--wait must be'],
  ])('restore %s', async (words, message) => {
    const { code, stderr } = await run(`restore ${words} --stack Gateway`);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('tables that are not in AWS, with what to do instead', async () => {
    const named = tableNames.map((name) => [kindOf(name).environmentVariable, names[name]]);
    const variables = { ...Object.fromEntries(named), DYNAMODB_ENDPOINT: database.endpoint };
    const { code, stderr } = await run(restoreUsage.replace(' --stack Gateway', ''), variables);
    expect(code).toBe(2);
    expect(stderr).toContain('Only tables in AWS');
  });
});

test('docs/operate/restore.md lists every action that a restore calls', async () => {
  await writeRecord();
  await run(`${restoreUsage} --yes`);
  const page = readFileSync(join(import.meta.dirname, '../../docs/operate/restore.md'), 'utf8');
  const called = [...new Set(aws.calls.map(({ action }) => action))];
  expect(called.length).toBeGreaterThan(10);
  expect(called.filter((action) => !page.includes(`\`${action}\``))).toEqual([]);
});
