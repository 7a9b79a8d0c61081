/**
 * Every admin function makes its real calls of AWS under its real role, for a user who signed in at the user pool, with a management key,
 * and for the session of an API key: as `roles-used.test.ts` does it for the gateway.
 */
import { hkdfSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminOperation, deployedAdminOperations } from '../../lib/core/admin/admin-operations.ts';
import { newRequestId } from '../../lib/core/names/request-id.ts';
import { accountPrefix, routesOf } from '../../lib/core/routes.ts';
import { createSealer } from '../../lib/runtime/own-keys/seal.ts';
import { createCredentialStore } from '../../lib/stores/access/credentials.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createManagementKeyStore } from '../../lib/stores/access/management-keys.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import type { TableOptions } from '../../lib/stores/dynamodb/table.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { region } from '../harness/aws/account.ts';
import type { CallerRequest } from '../harness/aws/caller.ts';
import { type Deployment, startDeployment } from '../harness/aws/deployment.ts';
import { account } from '../harness/aws/fake-aws.ts';
import { isAllowed } from '../harness/aws/iam/evaluate.ts';
import { type DeployedFunction, readAdminFunctions, readFunctions } from '../harness/aws/iam/roles.ts';
import type { FakeParameters } from '../harness/aws/services/ssm.ts';
import { storeBatch, storeFile } from '../harness/batches/stored-batch.ts';
import { built } from '../harness/built.ts';
import { type FakeCognito, startFakeCognito } from '../harness/cognito/fake-cognito.ts';
import { cognitoIdp } from '../harness/cognito/idp.ts';
import { issueTokens } from '../harness/cognito/tokens.ts';
import { requestEvent } from '../harness/lambda/event.ts';
import { testRecord } from '../harness/ledger.ts';
import { queueResponse } from '../harness/responses/queue-response.ts';
import { adminRequests } from './admin-requests.ts';
import { deniedCalls, expectReviewed, reviewedAdminGrants } from './reviewed-grants.ts';
import { dashboardDefaults, makeStack, type StackInTest } from './synthesize.ts';

let synthesized: StackInTest;
let functions: readonly DeployedFunction[];
let bundles: string;
let cognito: FakeCognito;
let deployment: Deployment;
let requests: ReturnType<typeof adminRequests>;
let apiKey: string;
let machine: string;

const operations = deployedAdminOperations.filter(({ name }) => name.startsWith('admin-'));

beforeAll(async () => {
  synthesized = makeStack({ dashboard: dashboardDefaults, exportBucket: 'acme-usage' });
  const urls = {
    callbackUrls: ['https://page.example.com/admin/v1/sign-in/callback'],
    logoutUrls: ['https://page.example.com/dashboard/overview'],
  };
  cognito = await startFakeCognito(() => urls, `${region}_TestPool1`);
  const seed = readFunctions(synthesized, region).filter(({ name }) => name === 'seed');
  functions = [...readAdminFunctions(synthesized, region, cognito.pool), ...seed];
  bundles = await built();
  deployment = await startDeployment(functions, {
    bundles,
    services: [cognitoIdp(cognito.pool)],
    variables: {
      GATEWAY_ADMIN_ISSUER: cognito.issuer,
      GATEWAY_ADMIN_CLIENT_ID: cognito.pool.client.id,
      GATEWAY_ADMIN_SIGN_OUT_URL: `${cognito.url}/logout`,
      GATEWAY_DASHBOARD_URL: 'https://page.example.com',
    },
  });
  await deployment.use('seed', (writer) => writer.invoke({}));
  const { call } = deployment.database;
  const access = { call, table: 'access' };
  await createTenantStore(access).create('acme', { limits: { monthlyBudget: 100_000_000_000 } });
  const made = await createKeyStore(access).create({
    tenant: 'acme',
    limits: { dailyBudget: 5_000_000_000 },
  });
  apiKey = (await createKeyStore(access).create({ tenant: 'acme' })).secret;
  cognito.pool.add('ops@example.com', { groups: ['operator'] });
  const member = cognito.pool.add('old@example.com', { groups: ['viewer', 'tenant.acme'], tenant: 'acme' });
  cognito.pool.add('free@example.com');
  for (const [account, value] of Object.entries({ openai: 'sk-one', google: 'a-key' }))
    deployment.parameters.set(`/ModelGateway/providers/${account}/api-key`, { value });
  const at = Date.now() - 60_000;
  const record = { ...testRecord({ tenant: 'acme', at }), requestId: newRequestId(at) };
  await createUsageStore({ call, table: 'usage', now: Date.now }).record(record, 'a-write');
  const { requestId: running } = await queueResponse(call, { tenant: 'acme', key: made.id, at: Date.now() });
  const owned = { tenant: 'acme', key: made.id };
  const batch = await storeBatch(call, owned);
  await storeFile(call, owned);
  const credential = await storeCredential(access, deployment.parameters);
  const makeMachine = () =>
    createManagementKeyStore(access).create({
      name: 'ci',
      role: 'operator',
      expiresAt: Math.floor(Date.now() / 1000) + 3_600,
      createdBy: { id: 'ops', name: 'ops' },
    });
  machine = (await makeMachine()).secret;
  const { id: managementKey } = await makeMachine();
  const request = record.requestId;
  requests = adminRequests({
    key: made.id,
    apiKey,
    member: member.username,
    request,
    running,
    batch,
    credential,
    managementKey,
  });
}, 180_000);

/** Of a provider that has no call for a test. */
async function storeCredential(access: TableOptions, parameters: FakeParameters): Promise<string> {
  const secret = parameters.get('/ModelGateway/providers/gateway/secret')?.value ?? '';
  const derive = async (purpose: string) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64'), '', purpose, 32));
  const what = { id: 'cred_1', tenant: 'acme', account: 'google-vertex' };
  const sealer = createSealer({ derive, kms: () => Promise.reject(new Error('There is none.')) });
  const sealed = await sealer.seal(what, { 'api-key': 'a-token', project: 'a-project' });
  const facts = { createdAt: 1, last4: '', fingerprint: '0a1b', shown: {}, fallback: 'none' } as const;
  await createTenantEdits(access).edit('acme', () => ({ ownProviders: [what.account] }));
  const edits = createCredentialStore(access);
  await edits.startUse(what.id);
  await edits.edit('acme', what.account, () => [{ ...what, ...facts, sealed }]);
  return what.id;
}

afterAll(async () => {
  await deployment?.close();
  await cognito?.close();
});

/** As API Gateway hands it to the function: at the path of people, or at that of sessions of API keys. */
function eventOf(operation: AdminOperation, bearer: string, request: CallerRequest, isAccount = false) {
  const resource = routesOf(operation).find((one) => one.startsWith(accountPrefix) === isAccount);
  if (resource === undefined) throw new Error(`${operation.name} has no such path.`);
  const event = requestEvent({ resource, method: operation.method, bearer, ...request });
  return {
    ...event,
    headers: {
      ...event.headers,
      'x-forwarded-proto': 'https',
      'sec-fetch-site': 'same-origin',
      'idempotency-key': randomUUID(),
    },
  };
}

function idToken(): string {
  const user = cognito.pool.find('ops@example.com');
  if (!user) throw new Error('There is no operator.');
  return issueTokens(cognito.pool, user, { issuer: cognito.issuer, scope: 'openid', family: 'one' }).id_token;
}

/** The token of the session of an API key, which the command line sends without a cookie. */
let keySession: Promise<string> | undefined;
async function openKeySession(): Promise<string> {
  const open = operations.find(({ name }) => name === 'admin-session-open');
  if (!open) throw new Error('There is no operation that opens a session.');
  const answer = await deployment.use(open.name, ({ invoke }) =>
    invoke(eventOf(open, '', { body: { api_key: apiKey } })),
  );
  const [, token = ''] = /(mgs_[\w-]+)/.exec(JSON.stringify(answer)) ?? [];
  return token;
}

test('each operation has requests', () => {
  expect(operations.map(({ name }) => name).filter((name) => !requests[name])).toEqual([]);
});

test('only what opens and ends sessions writes them, and nothing reaches stored responses, but for those that are created in the background', () => {
  const may = (action: string, key: string) => {
    const resource = `arn:aws:dynamodb:${region}:${account}:table/state`;
    const context = { 'dynamodb:LeadingKeys': [key] };
    return functions
      .filter(({ statements }) => isAllowed(statements, { action: `dynamodb:${action}`, resource, context }))
      .map(({ name }) => name);
  };
  expect(may('PutItem', 'session#0a1b')).toEqual(['admin-session-open']);
  expect(may('DeleteItem', 'session#0a1b')).toEqual(['admin-session-end']);
  expect(may('UpdateItem', 'session#0a1b')).toEqual([]);
  expect(may('GetItem', 'session#0a1b')).not.toContain('admin-playground');
  expect(may('PutItem', 'note#0a1b')).toEqual(['admin-playground']);
  expect(may('GetItem', 'response#acme#resp_1')).toEqual([]);
  expect(may('GetItem', 'response#acme#resp_1#a#0')).toEqual([]);
  expect(may('GetItem', 'response#acme#resp_1#run')).toEqual([
    'admin-requests-list',
    'admin-requests-retrieve',
  ]);
  expect(may('UpdateItem', 'response#acme#resp_1#run')).toEqual(['admin-requests-retrieve']);
});

test.each(operations)('the role of $name is enough', { timeout: 60_000 }, async (operation) => {
  keySession ??= openKeySession();
  const session = await keySession;
  const bearer = operation.name === 'admin-playground' ? apiKey : operation.roles ? idToken() : session;
  await deployment.use(operation.servedBy ?? operation.name, async ({ invoke, log }) => {
    for (const request of requests[operation.name] ?? []) {
      const event = eventOf(operation, bearer, request);
      const send = () => invoke(event).catch((error: unknown) => expect.fail(`${error} ${log()}`));
      const answer = await send();
      if (answer.status !== (request.status ?? 200)) expect.fail(`${answer.text} ${log()}`);
      // What is kept is read where it is sent again.
      if (operation.keepsAnswer) expect((await send()).text).toBe(answer.text);
    }
    // Whose session it is, is read before it is refused where sessions of API keys have no path.
    const [own = {}] = requests[operation.name] ?? [];
    const ofKey = await invoke(eventOf(operation, session, own, operation.withKey === true));
    if (operation.roles) expect([200, 401, 403, 404], log()).toContain(ofKey.status);
  });
  if (operation.name === 'admin-session-end') keySession = undefined;
  expect(deniedCalls(deployment)).toEqual([]);
});

test('a management key passes where an ID token does', async () => {
  const [operation] = operations.filter(({ name }) => name === 'admin-tenants-list');
  if (!operation) throw new Error('There is no such operation.');
  const answer = await deployment.use(operation.name, ({ invoke }) =>
    invoke(eventOf(operation, machine, {})),
  );
  expect(answer.status).toBe(200);
});

test('and what they may do beyond it is known, and has a reason', () => {
  expectReviewed(functions, deployment, reviewedAdminGrants);
});
