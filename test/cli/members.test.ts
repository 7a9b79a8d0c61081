/** `members` on a stack: the pool of the third stack, in a fake AWS that checks signatures. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createAuditLog } from '../../lib/stores/usage/audit.ts';
import { createTable } from '../../local/database.ts';
import { type FakeAws, operator, startFakeAws } from '../harness/aws/fake-aws.ts';
import { cloudFormation, type FakeStack } from '../harness/aws/services/cloudformation.ts';
import { cognitoIdp } from '../harness/cognito/idp.ts';
import { createPool } from '../harness/cognito/pool.ts';
import { runCommand } from '../harness/operator-command.ts';
import { use } from '../harness/use.ts';
import { startTestDatabase } from '../stores/database.ts';

const pool = createPool();
const outputs = {
  AccessTable: 'access',
  CatalogTable: 'catalog',
  UsageTable: 'usage',
  LedgerDays: '30',
  ProviderParametersPrefix: '/Gateway/providers',
};
const stacks: Record<string, FakeStack> = {
  Gateway: { status: 'CREATE_COMPLETE', outputs },
  GatewayAdmin: { status: 'CREATE_COMPLETE', outputs: { UserPoolId: pool.id } },
  Plain: { status: 'CREATE_COMPLETE', outputs },
};
let aws: FakeAws;

const database = use(() => startTestDatabase(['access', 'catalog']));
beforeAll(async () => {
  await createTable(database.call, 'usage', true);
  await createTenantStore({ call: database.call, table: 'access' }).create('acme');
  aws = await startFakeAws({ services: [cloudFormation(stacks), cognitoIdp(pool)] });
  process.env.AWS_ACCESS_KEY_ID = operator.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = operator.secretAccessKey;
});
afterAll(async () => {
  await aws.close();
});

const run = (typed: string, stack = 'Gateway') =>
  runCommand('no-data', `${typed} --stack ${stack}`, {
    variables: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: operator.accessKeyId,
      AWS_SECRET_ACCESS_KEY: operator.secretAccessKey,
      AWS_ENDPOINT_URL: aws.url,
      AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    },
  });

test('the first operator is invited, and a user of a tenant', async () => {
  const first = await run('members invite Ada@example.com --role operator --by grace --json');
  expect(first.stderr).toBe('');
  expect(JSON.parse(first.output.join('\n'))).toMatchObject({
    email: 'ada@example.com',
    role: 'operator',
    tenant: null,
  });
  expect(pool.outbox).toContainEqual(expect.objectContaining({ to: 'ada@example.com', kind: 'invitation' }));
  expect((await run('members invite bob@acme.example --role tenant-admin --tenant acme')).code).toBe(0);
  const listed = JSON.parse((await run('members list --json')).output.join('\n'));
  expect(listed).toMatchObject([
    { email: 'ada@example.com', role: 'operator', tenant: null, status: 'active' },
    { email: 'bob@acme.example', role: 'tenant-admin', tenant: 'acme', status: 'active' },
  ]);
  const ofTenant = await run('members list --tenant acme');
  expect(ofTenant.output.join('\n')).toMatch(/bob@acme\.example +tenant-admin +acme +active/);
  expect(ofTenant.output.join('\n')).not.toContain('ada@');
  const audit = createAuditLog({ call: database.call, table: 'usage', now: Date.now });
  const { records } = await audit.list({ action: 'members.invite', limit: 10 });
  expect(records.at(-1)).toMatchObject({
    by: { name: 'grace', via: 'command' },
    after: { email: 'ada@example.com' },
  });
});

test('a user is removed by email', async () => {
  pool.add('gone@acme.example', { tenant: 'acme', groups: ['viewer'] });
  const removed = await run('members remove GONE@acme.example');
  expect(removed).toMatchObject({ code: 0, output: ['Removed GONE@acme.example.'] });
  expect(pool.find('gone@acme.example')).toBeUndefined();
  expect(await run('members remove gone@acme.example')).toMatchObject({
    code: 1,
    stderr: "Error: Member 'gone@acme.example' not found.",
  });
});

test.each([
  [
    'members invite ada@example.com --role boss',
    '--role must be one of operator, tenant-admin, member, viewer.',
  ],
  ['members invite ada --role operator', 'The email must be an email address'],
  ['members invite x@example.com --role viewer', "The role 'viewer' needs a tenant."],
  ['members invite x@example.com --role operator --tenant acme', 'An operator has no tenant'],
])('%s is refused with the reason', async (typed, reason) => {
  const { code, stderr } = await run(typed);
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
});

test('a gateway without a user pool says where members are', async () => {
  const stack = await run('members list', 'Plain');
  expect(stack.code).toBe(1);
  expect(stack.stderr).toContain('There is no stack PlainAdmin with a user pool.');
  const local = await runCommand('no-data', 'members list');
  expect(local.stderr).toContain('This gateway manages no members');
});
