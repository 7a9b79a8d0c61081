import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayOf } from '../../lib/core/accounting/counters.ts';
import type { CreditGrant } from '../../lib/core/accounting/credit.ts';
import { interrupted, longestRequestMs } from '../../lib/core/accounting/interrupted.ts';
import { type OperationName, operationNamed } from '../../lib/core/operations.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { createDeliveryStore } from '../../lib/stores/webhooks/deliveries.ts';
import { startFeed } from '../../local/stream/feed.ts';
import { region } from '../harness/aws/account.ts';
import { type Deployment, type Invoked, startDeployment } from '../harness/aws/deployment.ts';
import { account } from '../harness/aws/fake-aws.ts';
import { isAllowed } from '../harness/aws/iam/evaluate.ts';
import type { TemplateJson } from '../harness/aws/iam/resolve.ts';
import { type DeployedFunction, readFunctions } from '../harness/aws/iam/roles.ts';
import type { AccessRequest } from '../harness/aws/service.ts';
import { type FakeInvocation, lambda } from '../harness/aws/services/lambda.ts';
import { type FakeSchedule, scheduler } from '../harness/aws/services/scheduler.ts';
import { built } from '../harness/built.ts';
import { operationEvent } from '../harness/lambda/event.ts';
import { testRecord } from '../harness/ledger.ts';
import { callerRequests } from './caller-requests.ts';
import { accessByFunction, deniedCalls, expectReviewed, reviewedGrants } from './reviewed-grants.ts';
import { makeStack, type StackInTest } from './synthesize.ts';

let synthesized: StackInTest;
let functions: readonly DeployedFunction[];
let bundles: string;
let deployment: Deployment;
let apiKey: string;
/** Of the tenant with a small budget and credit. */
let smallKey: string;

/** Events for the function that creates responses in the background. */
const accepted: FakeInvocation[] = [];

/** Later attempts of webhooks. */
const schedules: FakeSchedule[] = [];

const bucket = 'acme-usage';

beforeAll(async () => {
  synthesized = makeStack({ exportBucket: bucket });
  functions = readFunctions(synthesized, region);
  bundles = await built();
  const services = [lambda({ limit: 10 }, undefined, accepted), scheduler(schedules, ['ModelGateway'])];
  deployment = await startDeployment(functions, { bundles, services });
  const access = { call: deployment.database.call, table: 'access' };
  const tenants = createTenantStore(access);
  const limits = { requestsPerMinute: 1_000, monthlyBudget: 100_000_000_000 };
  await tenants.create('acme', { limits });
  // An answer uses more than a hundredth of its budget, and some of its credit.
  await tenants.create('small', { limits: { totalBudget: 2_000_000 } });
  const edits = createTenantEdits(access);
  await edits.edit('small', () => ({ alerts: [1] }));
  await edits.addCredit('small', grantOf(50_000_000));
  smallKey = (await createKeyStore(access).create({ tenant: 'small' })).secret;
  apiKey = (await createKeyStore(access).create({ tenant: 'acme' })).secret;
  for (const [account, value] of Object.entries({ openai: 'sk-one', google: 'a-key' }))
    deployment.parameters.set(`/ModelGateway/providers/${account}/api-key`, { value });
}, 600_000);

afterAll(async () => {
  await deployment?.close();
});

const daySeconds = 86_400;

/** Credit that ends in two days. */
function grantOf(amount: number): CreditGrant {
  const now = Math.floor(Date.now() / 1_000);
  const expires = (Math.floor(now / daySeconds) + 2) * daySeconds;
  return { id: 'grant_1', amount, at: now, expires, priority: 1, by: 'operator' };
}

/** The segments of paths that name what an earlier request has made. */
const knownPaths: Readonly<Record<string, string>> = {
  'responses-retrieve': 'response_id',
  'responses-input-items': 'response_id',
  'responses-delete': 'response_id',
  'usage-request': 'request_id',
  'files-retrieve': 'file_id',
  'files-content': 'file_id',
  'files-delete': 'file_id',
};

describe('the role of each function is enough', () => {
  test('of the seed, which writes the catalog', async () => {
    await deployment.use('seed', (seed) => seed.invoke({}));
    const items = await deployment.database.call('DynamoDB_20120810.Scan', { TableName: 'catalog' });
    expect(items.Count).toBeGreaterThan(100);
  });

  test('of a follow-up of a stored response, and of a request that uses up a budget', async () => {
    const previous = { previous_response_id: await idOf('response_id') };
    const messages = [{ role: 'user', content: 'Hi' }];
    for (const name of ['responses', 'responses-input-tokens', 'responses-compact'] as const) {
      const body = { model: 'openai/gpt-4.1', input: 'Go on', ...previous };
      const answer = await deployment.use(name, ({ invoke }) =>
        invoke(operationEvent(name, { bearer: apiKey, body })),
      );
      expect(answer).toMatchObject({ status: 200 });
    }
    const body = { model: 'openai/gpt-4.1', messages, max_completion_tokens: 20 };
    const answer = await deployment.use('chat-completions', ({ invoke }) =>
      invoke(operationEvent('chat-completions', { bearer: smallKey, body })),
    );
    expect(answer).toMatchObject({ status: 200 });
  });

  test('of responses in the background, which a function of their own creates', async () => {
    const use = (name: OperationName, sent: object) =>
      deployment.use(name, async ({ invoke, log }) => {
        const answer = await invoke(operationEvent(name, { bearer: apiKey, ...sent }));
        if (answer.status !== 200) expect.fail(`${name}: ${answer.text} ${log()}`);
        return JSON.parse(answer.text);
      });
    const body = { model: 'openai/gpt-4.1', input: 'Hi', background: true };
    const completed = { response_id: (await use('responses', { body })).id };
    const cancelled = { response_id: (await use('responses', { body })).id };
    const deleted = { response_id: (await use('responses', { body })).id };
    await use('responses-cancel', { path: cancelled });
    await use('responses-delete', { path: deleted });
    // The end of one that is cancelled is told by an event, too.
    expect(accepted).toHaveLength(4);
    await deployment.use('background', async ({ invoke }) => {
      for (const { event } of accepted) await invoke(Object(event));
    });
    expect(await use('responses-retrieve', { path: completed })).toMatchObject({ status: 'completed' });
    expect(await use('responses-retrieve', { path: cancelled })).toMatchObject({ status: 'cancelled' });
  });

  test('of the end of a response, which a tenant is told, and of a later attempt to do so', async () => {
    const access = { call: deployment.database.call, table: 'access' };
    const tenant = 'told';
    const webhook = { url: 'https://hooks.invalid/', secret: `whsec_${'c2VjcmV0'.repeat(4)}` };
    await createTenantStore(access).create(tenant, { limits: {} });
    await createTenantEdits(access).edit(tenant, () => ({ webhook }));
    const { secret: bearer } = await createKeyStore(access).create({ tenant });
    const before = Date.now() - 10_000;
    const state = { call: deployment.database.call, table: 'state', now: () => before };
    const deliveries = createDeliveryStore(state);
    const late = { tenant, id: 'evt_late' };
    await deliveries.create({ ...late, type: 'response.completed', about: 'resp_1' });
    const created = await deliveries.find(late);
    if (!created) return expect.fail('The event is not stored.');
    await deliveries.claim(created, before + 1);
    const attempt = { at: before, status: 503 };
    await deliveries.record(created, before + 1, { attempt, state: 'pending', dueAt: before + 5_000 });
    await deployment.use('background', ({ invoke }) => invoke({ tenant, event: late.id }));
    expect(schedules).toMatchObject([{ group: 'ModelGateway', event: { tenant, event: late.id } }]);
    expect(schedules[0]?.functionArn).toMatch(/^arn:aws:lambda:/);
    await deliveries.disable(tenant, webhook.secret);
    const body = { model: 'openai/gpt-4.1', input: 'Hi', background: true };
    await deployment.use('responses', ({ invoke }) => invoke(operationEvent('responses', { bearer, body })));
    await deployment.use('background', ({ invoke }) => invoke(Object(accepted.at(-1)?.event)));
    const [told] = await createDeliveryStore({ ...state, now: Date.now }).list(tenant);
    expect(told).toMatchObject({
      type: 'response.completed',
      state: 'failed',
      attempts: [{ failure: 'gone' }],
    });
  });

  test.each(Object.entries(callerRequests))('of %s', async (name, requests) => {
    const known = knownPaths[name];
    const path = known && { [known]: await idOf(known) };
    const { function: group = name } = operationNamed(name as OperationName);
    await deployment.use(group, async ({ invoke, log }) => {
      const sent = [...requests.entries()];
      // The first one of a model is sent again, and has its answer. Audio is not kept.
      const { endpoint } = operationNamed(name as OperationName);
      const again = endpoint === undefined || endpoint === 'audio_speech' ? [] : sent.slice(0, 1);
      for (const [index, request] of [...sent, ...again]) {
        const answer = await invoke(
          operationEvent(name as OperationName, {
            bearer: apiKey,
            headers: { 'idempotency-key': `request ${index}` },
            ...request,
            ...(path && { path }),
          }),
        );
        if (answer.status !== (request.status ?? 200)) expect.fail(`${answer.text} ${log()}`);
      }
    });
  });

  async function storeFile(): Promise<string> {
    const form = { file: 'text', purpose: 'batch' };
    const { text } = await deployment.use('files', ({ invoke }) =>
      invoke(operationEvent('files-create', { bearer: apiKey, form })),
    );
    return JSON.parse(text).id;
  }

  /** One response is stored for those that read and delete it, and its record is read, too. */
  let stored: Invoked | undefined;
  async function idOf(segment: string): Promise<string> {
    if (segment === 'file_id') return await storeFile();
    const body = { model: 'openai/gpt-4.1', input: 'Hi', store: true };
    stored ??= await deployment.use('responses', ({ invoke }) =>
      invoke(operationEvent('responses', { bearer: apiKey, body })),
    );
    return segment === 'request_id' ? (stored.headers['x-request-id'] ?? '') : JSON.parse(stored.text).id;
  }

  test('of the aggregator, which adds up all of it, and finishes a request whose process has ended', async () => {
    const now = Date.now;
    const left = testRecord({ tenant: 'acme', at: now() - 2 * longestRequestMs });
    const usage = createUsageStore({ call: deployment.database.call, table: 'usage', now });
    await usage.open(left);
    await deployment.use('aggregate', async ({ invoke, log }) => {
      const feed = startFeed(deployment.database.changes, async (event) => {
        const { text } = await invoke(event);
        return JSON.parse(text);
      });
      await feed.settled();
      await feed.close();
      expect(log()).not.toContain('aggregation failed');
    });
    expect(deployment.events).not.toEqual([]);
    const { records } = await usage.records('acme', { from: left.at, to: left.at + 1, limit: 10 });
    expect(records).toMatchObject([{ requestId: left.requestId, error: interrupted }]);
  }, 60_000);

  test('of the export', async () => {
    const { call } = deployment.database;
    const now = () => Date.now() - 86_400_000;
    const record = testRecord({ tenant: 'acme', at: now() });
    await createUsageStore({ call, table: 'usage', now }).record(record, 'a-write');
    await deployment.use('export', ({ invoke }) => invoke({ day: dayOf(record.at) }));
    expect([...deployment.objects.keys()]).toContainEqual(expect.stringMatching(`^${bucket}/usage/`));
  });

  test('and nothing that they asked for was denied', () => {
    expect(deniedCalls(deployment)).toEqual([]);
  });

  test('and what they may do beyond it is known, and has a reason', () => {
    expectReviewed(functions, deployment, reviewedGrants);
  });
});

/** What callers reach, and what they make the gateway do later. */
test('no function reads or writes sessions of the dashboard, or one-time tokens', () => {
  const itemActions = ['Get', 'BatchGet', 'Put', 'Update', 'Delete', 'BatchWrite']
    .map((verb) => `${verb}Item`)
    .concat('Query', 'Scan');
  const allowed = (key: string) =>
    functions.flatMap(({ name, statements }) =>
      itemActions
        .map((action) => ({
          action: `dynamodb:${action}`,
          resource: `arn:aws:dynamodb:${region}:${account}:table/state`,
          context: { 'dynamodb:LeadingKeys': [key] },
        }))
        .filter((access) => isAllowed(statements, access))
        .map(({ action }) => `${name} ${action}`),
    );
  expect(allowed('session#0a1b')).toEqual([]);
  expect(allowed('ticket#0a1b')).toEqual([]);
  expect(allowed('note#0a1b')).toContain('chat-completions dynamodb:PutItem');
  expect(allowed('response#acme#resp_1')).toContain('responses dynamodb:PutItem');
});

describe('a role that lacks a permission', () => {
  test('makes the function fail with a log line that names service, action and code', async () => {
    const lacking = readFunctions(synthesized, region, (template) => without(template, 'dynamodb:GetItem'));
    const broken = await startDeployment(lacking, { bundles });
    const body = { model: 'openai/gpt-4.1', messages: [{ role: 'user', content: 'Hi' }] };
    const { status, log } = await broken.use('chat-completions', async ({ invoke, log }) => {
      const answer = await invoke(operationEvent('chat-completions', { bearer: apiKey, body }));
      return { status: answer.status, log: log() };
    });
    const refused = broken.aws.calls.filter(({ error }) => error !== undefined);
    await broken.close();
    expect(refused).toContainEqual(
      expect.objectContaining({ action: 'dynamodb:GetItem', error: 'AccessDeniedException' }),
    );
    expect(status).toBe(500);
    const reason = { service: 'dynamodb', action: 'GetItem', code: 'AccessDeniedException', status: 400 };
    expect(JSON.parse(log.trim().split('\n').at(-1) ?? '')).toMatchObject({ aws_error: reason });
  });
});

/** The template with no grant of an action. */
function without(template: TemplateJson, action: string): TemplateJson {
  return JSON.parse(JSON.stringify(template).replaceAll(`"${action}"`, '"dynamodb:DescribeLimits"'));
}

describe('a key of the operator', () => {
  test('may be used by every function for its tables and parameters, and by these services only', () => {
    const keyArn = `arn:aws:kms:${region}:${account}:key/0a1b2c3d-1111-2222-3333-444455556666`;
    const encrypted = makeStack({ exportBucket: bucket, kmsKeyArn: keyArn });
    const withKey = readFunctions(encrypted, region);
    const refused = [...accessByFunction(functions, deployment)].flatMap(([name, all]) => {
      const statements = withKey.find((one) => one.name === name)?.statements ?? [];
      const decrypt = all.flatMap(({ action, resource }) => decryption(keyArn, action, resource));
      return [...all, ...decrypt]
        .filter((access) => !isAllowed(statements, access))
        .map((access) => ({ name, ...access }));
    });
    expect(refused).toEqual([]);
    for (const { statements } of withKey)
      expect(isAllowed(statements, { action: 'kms:Decrypt', resource: keyArn })).toBe(false);
  });

  /** What a service asks for in the caller's name. Sources: docs.aws.amazon.com KMS, services-dynamodb and services-parameter-store. */
  function decryption(keyArn: string, action: string, resource: string): readonly AccessRequest[] {
    const [service = ''] = action.split(':');
    const via = { 'kms:ViaService': [`${service}.${region}.amazonaws.com`] };
    if (service === 'dynamodb') return [{ action: 'kms:Decrypt', resource: keyArn, context: via }];
    if (service !== 'ssm') return [];
    // Of a path, each parameter below it is decrypted.
    const parameter = action.endsWith('ByPath') ? `${resource}/openai/api-key` : resource;
    const context = { ...via, 'kms:EncryptionContext:PARAMETER_ARN': [parameter] };
    const own = action === 'ssm:PutParameter' ? 'kms:Encrypt' : 'kms:Decrypt';
    return [{ action: own, resource: keyArn, context }];
  }
});
