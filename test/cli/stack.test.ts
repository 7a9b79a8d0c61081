/** The CLI on a deployed stack, against servers that answer like AWS. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayOf } from '../../lib/core/accounting/counters.ts';
import { isWellFormedApiKey } from '../../lib/core/names/api-key.ts';
import { counterKeyOf, countsOf } from '../../lib/metering/cost/counts.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { createTable } from '../../local/database.ts';
import { testRecord } from '../harness/ledger.ts';
import { startTestDatabase, type TestDatabase } from '../stores/database.ts';

/** What the services of AWS received, without their answers. */
interface Received {
  readonly target: string;
  readonly body: string;
  readonly authorization: string;
}

const outputs = {
  AccessTable: 'Gateway-Access',
  CatalogTable: 'Gateway-Catalog',
  UsageTable: 'Gateway-Usage',
  LedgerDays: '30',
  ProviderParametersPrefix: '/Gateway/providers',
};

const kmsKey = 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666';
let stackOutputs: Readonly<Record<string, string>> = outputs;

const known = ['/Gateway/providers/openai/api-key', '/Gateway/providers/azure/api-key'];

/** Names in two pages. */
function parametersAnswer(target: string, body: string): object {
  if (target !== 'AmazonSSM.DescribeParameters') return { Version: 1 };
  const { NextToken } = JSON.parse(body);
  const [first, second] = known.map((Name) => ({ Parameters: [{ Name, Type: 'SecureString' }] }));
  return NextToken === 'more' ? { ...second } : { ...first, NextToken: 'more' };
}
let database: TestDatabase;
let cloudFormation: Server;
let parameterStore: Server;
let received: Received[] = [];

beforeAll(async () => {
  database = await startTestDatabase([outputs.AccessTable, outputs.CatalogTable]);
  await createTable(database.call, outputs.UsageTable, true);
  cloudFormation = await serve(() => ({ type: 'text/xml', body: describeStacksAnswer(stackOutputs) }));
  parameterStore = await serve((target, body) => ({
    type: 'application/x-amz-json-1.1',
    body: JSON.stringify(parametersAnswer(target, body)),
  }));
});

afterAll(async () => {
  await database.close();
  cloudFormation.close();
  parameterStore.close();
});

type Answer = (target: string, body: string) => { readonly type: string; readonly body: string };

async function serve(answer: Answer): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { 'x-amz-target': target = '', authorization = '' } = request.headers;
    const asked = await text(request);
    received.push({ target: String(target), authorization, body: asked });
    const { type, body } = answer(String(target), asked);
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const describeStacksAnswer = (values: Readonly<Record<string, string>>) =>
  `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks>
  <member><StackName>Gateway</StackName><CreationTime>2026-11-20T00:00:00Z</CreationTime>
  <StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${Object.entries(values)
    .map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    )
    .join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Runs the CLI in its own process. An undefined variable is not set. */
function run(
  typed: string[],
  input = '',
  variables: Readonly<Record<string, string | undefined>> = {},
): Promise<{ code: number; output: string; stderr: string }> {
  received = [];
  const env = {
    PATH: process.env.PATH,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'not-a-secret',
    AWS_ENDPOINT_URL_CLOUDFORMATION: addressOf(cloudFormation),
    AWS_ENDPOINT_URL_SSM: addressOf(parameterStore),
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_EC2_METADATA_DISABLED: 'true',
    ...variables,
  };
  const tool = join(import.meta.dirname, '../../cli/gateway.ts');
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [tool, ...typed], { env }, (error, output, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output, stderr }),
    );
    child.stdin?.end(input);
  });
}

describe('on a deployed stack', () => {
  test('a key is written to the table of the stack, and is alone on the last line', async () => {
    const { code, output, stderr } = await run([
      'keys',
      'create',
      ...['--tenant', 'acme', '--create-tenant'],
      '--stack',
      'Gateway',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(isWellFormedApiKey(output.trimEnd().split('\n').at(-1) ?? '')).toBe(true);
    const store = createKeyStore({ call: database.call, table: outputs.AccessTable });
    expect(await store.list()).toMatchObject([{ tenant: 'acme' }]);
  });

  test('a provider’s key is stored encrypted in the parameter store only', async () => {
    const { code, output, stderr } = await run(
      ['providers', 'set-key', 'anthropic', '--stack', 'Gateway'],
      'sk-ant-example\n',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(output).not.toContain('sk-ant-example');
    const sent = received.find(({ target }) => target === 'AmazonSSM.PutParameter');
    expect(JSON.parse(sent?.body ?? '{}')).toEqual({
      Name: '/Gateway/providers/anthropic/api-key',
      Value: 'sk-ant-example',
      Type: 'SecureString',
      Overwrite: true,
    });
    expect(sent?.authorization).toContain('/eu-west-1/ssm/aws4_request');
  });

  test('a provider’s key is encrypted with the key of the operator, if the stack has one', async () => {
    stackOutputs = { ...outputs, KmsKey: kmsKey };
    await run(['providers', 'set-key', 'anthropic', '--stack', 'Gateway'], 'sk-ant-example\n');
    stackOutputs = outputs;
    const sent = received.find(({ target }) => target === 'AmazonSSM.PutParameter');
    expect(JSON.parse(sent?.body ?? '{}')).toMatchObject({ Type: 'SecureString', KeyId: kmsKey });
  });

  test('credentials of several lines become one parameter of the account', async () => {
    const credentials = { client_email: 'gateway@acme.example', private_key: 'line one\nline two\n' };
    const { code, output, stderr } = await run(
      ['providers', 'set', 'google-vertex-anthropic', 'credentials', '--stack', 'Gateway'],
      JSON.stringify(credentials, null, 2),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(output).not.toContain('line one');
    const sent = received.find(({ target }) => target === 'AmazonSSM.PutParameter');
    expect(JSON.parse(sent?.body ?? '{}')).toMatchObject({
      Name: '/Gateway/providers/google-vertex/credentials',
      Value: JSON.stringify(credentials),
      Type: 'SecureString',
    });
  });

  test('an unknown setting or broken JSON is refused and not shown', async () => {
    const unknown = await run(['providers', 'set', 'azure', 'project', '--stack', 'Gateway'], 'acme');
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain('api-key, base-url');
    const typed = ['providers', 'set', 'google-vertex', 'credentials', '--stack', 'Gateway'];
    const broken = await run(typed, '{"private_key": half');
    expect(broken).toMatchObject({ code: 2 });
    expect(broken.stderr).not.toContain('half');
    expect(received.map(({ target }) => target)).not.toContain('AmazonSSM.PutParameter');
  });

  test('providers are listed from parameter names, without reading a value', async () => {
    const { code, output, stderr } = await run(['providers', 'list', '--json', '--stack', 'Gateway']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows: readonly { provider: string; ready: boolean; from: readonly string[] }[] = JSON.parse(output);
    const ready = rows.filter((row) => row.ready).map(({ provider, from }) => [provider, ...from]);
    expect(ready).toEqual([
      ['openai', '/Gateway/providers/openai/api-key'],
      ['bedrock', 'role of the function'],
    ]);
    expect(rows.find(({ provider }) => provider === 'azure')?.from).toEqual([known[1]]);
    const targets = received.map(({ target }) => target).filter((target) => target.startsWith('AmazonSSM'));
    expect(targets).toEqual(['AmazonSSM.DescribeParameters', 'AmazonSSM.DescribeParameters']);
  });

  test('the catalog is synced to the table of the stack, and changed there', async () => {
    const synced = await run(['catalog', 'sync', '--json', '--stack', 'Gateway']);
    expect(synced).toMatchObject({ code: 0 });
    const store = createCatalogStore({ call: database.call, table: outputs.CatalogTable });
    expect(await store.list()).toHaveLength(JSON.parse(synced.output).length);
    const typed = ['catalog', 'set-status', 'openai/gpt-5.5', 'inactive', '--stack', 'Gateway'];
    expect(await run(typed)).toMatchObject({ code: 0 });
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
    const typed = ['--tenant', 'billed', '--format', 'csv', '--stack', 'Gateway'];
    const shown = await run(['usage', 'show', '--by', 'model', '--from', dayOf(record.at), ...typed]);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.output.split('\r\n')).toEqual([
      expect.stringMatching(/^model,requests,.*,cost_usd,charge_usd,estimated_charge_usd$/),
      expect.stringMatching(/^acme\/one,1,.*,0\.000000042,0\.000000042,0\.00$/),
      '',
    ]);
    const limits = await run(['limits', 'show', 'billed', '--json', '--stack', 'Gateway']);
    expect(JSON.parse(limits.output)).toContainEqual(
      expect.objectContaining({ limit: 'monthly_budget_usd', set: '1.00', left: '1.00' }),
    );
  });
});

const roleCredentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'not-a-secret',
  sessionToken: 'session',
  expiration: Date.now() + 3_600_000,
};

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
  let directory = '';
  let portal: Server;
  let files: Readonly<Record<string, string | undefined>> = {};
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gateway-profile-'));
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
    const keys = 'aws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = not-a-secret\n';
    await writeFile(credentials, `[default]\n${keys}[team]\n${keys}`);
    portal = await serve(() => ({ type: 'application/json', body: JSON.stringify({ roleCredentials }) }));
    await signOn(directory, 'acme');
    files = {
      AWS_ACCESS_KEY_ID: undefined,
      AWS_SECRET_ACCESS_KEY: undefined,
      AWS_CONFIG_FILE: config,
      AWS_SHARED_CREDENTIALS_FILE: credentials,
      HOME: directory,
      AWS_ENDPOINT_URL_SSO: addressOf(portal),
    };
  });
  afterAll(async () => {
    portal.close();
    await rm(directory, { recursive: true });
  });

  const list = (variables: Readonly<Record<string, string | undefined>>, ...options: string[]) =>
    run(['providers', 'list', '--stack', 'Gateway', ...options], '', {
      AWS_REGION: undefined,
      ...files,
      ...variables,
    });
  /** The regions of all calls, as they were signed. */
  const regions = () => new Set(received.flatMap(({ authorization }) => authorization.split('/')[2] ?? []));

  test.each([
    ['the option', { AWS_REGION: 'eu-west-1' }, ['--region', 'sa-east-1'], 'sa-east-1'],
    ['AWS_REGION', { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' }, [], 'eu-west-1'],
    ['AWS_DEFAULT_REGION', { AWS_DEFAULT_REGION: 'eu-west-2', AWS_PROFILE: 'team' }, [], 'eu-west-2'],
    ['the default profile', {}, [], 'eu-west-3'],
    ['the chosen profile', { AWS_PROFILE: 'team' }, [], 'ap-southeast-2'],
    ['a profile with a single sign-on', { AWS_PROFILE: 'single-sign-on' }, [], 'eu-north-1'],
  ] as const)('is that of %s', async (_from, variables, options, region) => {
    expect(await list(variables, ...options)).toMatchObject({ code: 0, stderr: '' });
    expect(received.some(({ target }) => target.startsWith('AmazonSSM'))).toBe(true);
    expect(regions()).toEqual(new Set([region]));
  });

  test('must come from somewhere', async () => {
    const { code, stderr } = await list({ AWS_PROFILE: 'without' });
    expect(code).toBe(2);
    expect(stderr).toContain('Missing region: give --region <name>, set AWS_REGION, or choose a profile');
    expect(received).toEqual([]);
  });
});
