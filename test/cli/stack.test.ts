/** The CLI on a deployed stack, against a fake AWS that checks signatures. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayOf } from '../../lib/core/accounting/counters.ts';
import { isWellFormedApiKey } from '../../lib/core/names/api-key.ts';
import { counterKeyOf, countsOf } from '../../lib/metering/cost/counts.ts';
import { createKeyEdits } from '../../lib/stores/access/key-edits.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { createTable } from '../../local/database.ts';
import { type FakeAws, operator, startFakeAws } from '../harness/aws/fake-aws.ts';
import { cloudFormation, type FakeStack } from '../harness/aws/services/cloudformation.ts';
import { type FakeParameters, ssm } from '../harness/aws/services/ssm.ts';
import { compileCache } from '../harness/compile-cache.ts';
import { testRecord } from '../harness/ledger.ts';
import { listen } from '../harness/listening.ts';
import { newDirectory } from '../harness/new-directory.ts';
import { runCommand } from '../harness/operator-command.ts';
import { startTestDatabase, type TestDatabase } from '../stores/database.ts';

const outputs = {
  AccessTable: 'Gateway-Access',
  CatalogTable: 'Gateway-Catalog',
  UsageTable: 'Gateway-Usage',
  LedgerDays: '30',
  ProviderParametersPrefix: '/Gateway/providers',
};
const kmsKey = 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666';
const stacks: Record<string, FakeStack> = {
  Gateway: { status: 'CREATE_COMPLETE', outputs },
  OwnKey: { status: 'CREATE_COMPLETE', outputs: { ...outputs, KmsKey: kmsKey } },
};
const known = ['/Gateway/providers/openai/api-key', '/Gateway/providers/azure/api-key'];

/** Of a single sign-on. */
const session = {
  accessKeyId: 'ASIASESSION',
  secretAccessKey: 'secret-of-the-session',
  sessionToken: 'session',
};

let parameters: FakeParameters;
let database: TestDatabase;
let aws: FakeAws;

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = operator.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = operator.secretAccessKey;
  database = await startTestDatabase([outputs.AccessTable, outputs.CatalogTable]);
  await createTable(database.call, outputs.UsageTable, true);
  parameters = new Map(known.map((name) => [name, { value: 'sk-secret', type: 'SecureString' }]));
  aws = await startFakeAws({
    services: [cloudFormation(stacks), ssm({ parameters })],
    principals: [operator, { ...session, arn: operator.arn }],
  });
});
beforeEach(() => aws.forgetCalls());
afterAll(async () => {
  await aws.close();
  await database.close();
});

const endpoints = () => ({ AWS_ENDPOINT_URL: aws.url, AWS_ENDPOINT_URL_DYNAMODB: database.endpoint });

const run = (typed: string, input = '', stack = 'Gateway') =>
  runCommand('no-data', `${typed} --stack ${stack}`, {
    input,
    variables: { AWS_REGION: 'eu-west-1', ...endpoints() },
  });

const stored = () => aws.calls.filter(({ action }) => action === 'ssm:PutParameter');

describe('on a deployed stack', () => {
  test('a key is written to the table of the stack, and is alone on the last line', async () => {
    const { code, output, stderr } = await run('keys create --tenant acme --create-tenant');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(isWellFormedApiKey(output.at(-1) ?? '')).toBe(true);
    const store = createKeyEdits({ call: database.call, table: outputs.AccessTable });
    expect(await store.list({})).toMatchObject([{ tenant: 'acme' }]);
  });

  test('a provider’s key is stored encrypted in the parameter store only', async () => {
    const { code, output, stderr } = await run('providers set-key anthropic', 'sk-ant-example\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(output.join()).not.toContain('sk-ant-example');
    const [sent] = stored();
    expect(sent?.input).toEqual({
      Name: '/Gateway/providers/anthropic/api-key',
      Value: 'sk-ant-example',
      Type: 'SecureString',
      Overwrite: true,
    });
    expect(sent?.region).toBe('eu-west-1');
  });

  test('a provider’s key is encrypted with the key of the operator, if the stack has one', async () => {
    await run('providers set-key anthropic', 'sk-ant-example\n', 'OwnKey');
    expect(stored()[0]?.input).toMatchObject({ Type: 'SecureString', KeyId: kmsKey });
  });

  test('a provider’s key is removed from the parameter store', async () => {
    await run('providers set-key groq', 'gsk-example\n');
    const typed = 'providers remove groq api-key';
    expect(await run(typed)).toMatchObject({ code: 0 });
    expect(parameters.has('/Gateway/providers/groq/api-key')).toBe(false);
    expect((await run(typed)).stderr).toContain('Nothing is stored as api-key of groq.');
  });

  test('credentials of several lines become one parameter of the account', async () => {
    const credentials = { client_email: 'gateway@acme.example', private_key: 'line one\nline two\n' };
    const typed = 'providers set google-vertex-anthropic credentials';
    const { code, output, stderr } = await run(typed, JSON.stringify(credentials, null, 2));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(output.join()).not.toContain('line one');
    expect(stored()[0]?.input).toMatchObject({
      Name: '/Gateway/providers/google-vertex/credentials',
      Value: JSON.stringify(credentials),
      Type: 'SecureString',
    });
  });

  test('an unknown setting or broken JSON is refused and not shown', async () => {
    const unknown = await run('providers set azure project', 'acme');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('api-key, base-url') });
    const broken = await run('providers set google-vertex credentials', '{"private_key": half');
    expect(broken).toMatchObject({ code: 2, stderr: expect.not.stringContaining('half') });
    expect(stored()).toEqual([]);
  });

  test('providers are listed from parameter names, without reading a value', async () => {
    for (const name of parameters.keys()) if (!known.includes(name)) parameters.delete(name);
    const { code, output, stderr } = await run('providers list --json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows: readonly { provider: string; ready: boolean; from: readonly string[] }[] = JSON.parse(
      output.join('\n'),
    );
    const ready = rows.filter((row) => row.ready).map(({ provider, from }) => [provider, ...from]);
    expect(ready).toEqual([
      ['openai', '/Gateway/providers/openai/api-key'],
      ['bedrock', 'role of the function'],
    ]);
    expect(rows.find(({ provider }) => provider === 'azure')?.from).toEqual([known[1]]);
    const actions = aws.calls.map(({ action }) => action).filter((action) => action.startsWith('ssm:'));
    expect(new Set(actions)).toEqual(new Set(['ssm:DescribeParameters']));
  });

  test('the catalog is synced to the table of the stack, and changed there', async () => {
    const synced = await run('catalog sync --json');
    expect(synced).toMatchObject({ code: 0 });
    const store = createCatalogStore({ call: database.call, table: outputs.CatalogTable });
    expect(await store.list()).toHaveLength(JSON.parse(synced.output.join('\n')).length);
    expect(await run('catalog set-status openai/gpt-5.5 inactive')).toMatchObject({ code: 0 });
    expect(await store.get('openai/gpt-5.5')).toMatchObject({
      source: 'operator',
      row: { status: 'inactive' },
    });
  });

  test('usage and limits are read from the table of the stack', async () => {
    const access = { call: database.call, table: outputs.AccessTable };
    await createTenantStore(access).create('billed', { limits: { monthlyBudget: 1_000_000_000 } });
    const usage = createUsageStore({ call: database.call, table: outputs.UsageTable, now: Date.now });
    const record = testRecord({ tenant: 'billed', cost: 42 });
    await usage.record(record, 'a-write');
    await usage.replaceCounter(counterKeyOf(record), countsOf(record), undefined, 0);
    const span = `--by model --from ${dayOf(record.at)} --tenant billed --json`;
    const shown = await run(`usage show ${span}`);
    expect(JSON.parse(shown.output.join('\n'))).toMatchObject([
      { model: 'acme/one', requests: 1, cost_usd: '0.000000042' },
    ]);
    const limits = await run('limits show billed --json');
    expect(JSON.parse(limits.output.join('\n'))).toContainEqual(
      expect.objectContaining({ limit: 'monthly_budget_usd', set: '1.00', left: '1.00' }),
    );
  });
});

/** Lists providers in a process of its own, whose environment chooses region and credentials. An undefined variable is not set. */
function listInProcess(
  options: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Promise<{ code: number; stderr: string }> {
  const env = {
    PATH: process.env.PATH,
    ...compileCache(),
    AWS_EC2_METADATA_DISABLED: 'true',
    ...endpoints(),
    ...variables,
  };
  const tool = join(import.meta.dirname, '../../cli/gateway.ts');
  const typed = [tool, 'providers', 'list', '--stack', 'Gateway', ...options];
  return new Promise((resolve) => {
    execFile(process.execPath, typed, { env }, (error, _, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stderr }),
    );
  });
}

/** What `aws sso login` leaves behind. Source: AWS SDKs and Tools reference guide, "IAM Identity Center credential provider". */
async function signOn(home: string, session: string): Promise<void> {
  const cache = join(home, '.aws/sso/cache');
  await mkdir(cache, { recursive: true });
  const token = { accessToken: 'token', expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
  await writeFile(
    join(cache, `${createHash('sha1').update(session).digest('hex')}.json`),
    JSON.stringify(token),
  );
}

describe('the region', () => {
  const directory = newDirectory();
  let portal: Server;
  let files: Readonly<Record<string, string | undefined>> = {};
  beforeAll(async () => {
    const config = join(directory, 'config');
    await writeFile(
      config,
      `[default]
region = eu-west-3
[profile team]
region = ap-southeast-2
[profile single-sign-on]
sso_session = acme
sso_account_id = 123456789012
sso_role_name = operator
region = eu-north-1
[sso-session acme]
sso_region = us-east-1
sso_start_url = https://acme.awsapps.com/start
[profile without]
output = json
`,
    );
    const credentials = join(directory, 'credentials');
    const keys = `aws_access_key_id = ${operator.accessKeyId}\naws_secret_access_key = ${operator.secretAccessKey}\n`;
    await writeFile(credentials, `[default]\n${keys}[team]\n${keys}`);
    const roleCredentials = { ...session, expiration: Date.now() + 3_600_000 };
    portal = createServer((_, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ roleCredentials }));
    });
    const portalUrl = await listen(portal);
    await signOn(directory, 'acme');
    files = {
      AWS_CONFIG_FILE: config,
      AWS_SHARED_CREDENTIALS_FILE: credentials,
      HOME: directory,
      AWS_ENDPOINT_URL_SSO: portalUrl,
    };
  });
  afterAll(async () => {
    portal.close();
  });

  test.each([
    ['the option', { AWS_REGION: 'eu-west-1' }, ['--region', 'sa-east-1'], 'sa-east-1'],
    ['AWS_REGION', { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' }, [], 'eu-west-1'],
    ['AWS_DEFAULT_REGION', { AWS_DEFAULT_REGION: 'eu-west-2', AWS_PROFILE: 'team' }, [], 'eu-west-2'],
    ['the default profile', {}, [], 'eu-west-3'],
    ['the chosen profile', { AWS_PROFILE: 'team' }, [], 'ap-southeast-2'],
    ['a profile with a single sign-on', { AWS_PROFILE: 'single-sign-on' }, [], 'eu-north-1'],
  ] as const)('is that of %s', async (_from, variables, options, region) => {
    const outcome = await listInProcess(options, { ...files, ...variables });
    expect(outcome).toEqual({ code: 0, stderr: '' });
    expect(aws.calls.some(({ action }) => action.startsWith('ssm:'))).toBe(true);
    expect(new Set(aws.calls.map((call) => call.region))).toEqual(new Set([region]));
  });

  test('must come from somewhere', async () => {
    const { code, stderr } = await listInProcess([], { ...files, AWS_PROFILE: 'without' });
    expect(code).toBe(2);
    expect(stderr).toContain('Missing region: give --region <name>, set AWS_REGION, or choose a profile');
    expect(aws.calls).toEqual([]);
  });
});
