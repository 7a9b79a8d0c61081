/** Keys of tenants' own for providers: whose key is called, what is never called, what it costs, and what no one sees. */
import OpenAI from 'openai';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AdminClient, signInAs } from '../harness/admin/admin-client.ts';
import { captureLog } from '../harness/captured-log.ts';
import { chatAnswer, chatUsage } from '../harness/chat-answers.ts';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { use } from '../harness/use.ts';

const { gateway, upstream } = useUpstreamGateway('OPENAI');
const ledger = use(() => openLedger());

const shared = 'a-provider-key';
const own = 'sk-own-0123456789abcdefWXYZ';
const second = 'sk-second-0123456789abcdefQRST';
const model = 'openai/gpt-4.1';
const body = { model, messages: [{ role: 'user', content: 'Hi' }] };

/** What the provider answers to each key; absent: an answer. */
let statuses: Record<string, number> = {};
/** The keys that were called, in order. */
let called: string[] = [];

let admin: AdminClient;
let tenant: string;
let apiKey: string;
let tenants = 0;

const operator = use(() => signInAs(gateway, { id: 'olga', name: 'Olga', role: 'operator' }));

beforeEach(async () => {
  tenants += 1;
  tenant = `own-${tenants}`;
  await operator.call('POST', '/tenants', { body: { tenant } });
  apiKey = (await operator.call('POST', '/keys', { body: { tenant } })).body.key;
  admin = await signInAs(gateway, { id: `ada-${tenants}`, name: 'Ada', role: 'tenant_admin', tenant });
  statuses = {};
  called = [];
  upstream.script(({ headers, method }, response) => {
    const key = `${headers.authorization}`.replace('Bearer ', '');
    called.push(key);
    const status = statuses[key] ?? 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    if (status !== 200) return void response.end(JSON.stringify({ error: { message: `No: ${key}` } }));
    if (method === 'GET') return void response.end(JSON.stringify({ object: 'list', data: [] }));
    response.end(JSON.stringify(chatAnswer('Hello', chatUsage(1_000, 100))));
  });
});

const path = () => `/tenants/${tenant}/credentials`;
const add = async (more: object = {}, settings: object = { 'api-key': own }) =>
  await admin.call('POST', path(), { body: { provider: 'openai', settings, ...more } });
const ask = (more: object = {}, headers: Record<string, string> = {}) =>
  gateway.post(
    '/v1/chat/completions',
    { ...body, ...more },
    { authorization: `Bearer ${apiKey}`, ...headers },
  );
const failureOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { error: { code: string; message: string } }).error,
});

describe('a key of its own', () => {
  test('is called in place of the gateway key, and is free but for a fee', async () => {
    const { status, body: row } = await add();
    expect(status).toBe(200);
    const answer = (await (
      await ask({ usage: { include: true }, extra: { debug: ['routing'] } })
    ).json()) as {
      usage: object;
      debug: object;
    };
    expect(called).toEqual([own]);
    // 1,000 tokens at 2 USD and 100 at 8 USD a million.
    expect(answer.usage).toMatchObject({
      cost: 0,
      is_byok: true,
      cost_details: { upstream_inference_cost: 0.0028 },
    });
    expect(answer.debug).toMatchObject({
      routing: [
        { provider: 'openai', status: 'skipped', reason: 'own_provider_keys' },
        { provider: 'azure', status: 'skipped', reason: 'own_provider_keys' },
        { provider: 'openai', credential: row.id, status: 'succeeded' },
      ],
    });
    await gateway.settled();
    const [record] = await ledger.recordsOf(tenant);
    expect(record).toMatchObject({ cost: 0, charge: 0 });
    expect(record?.attempts).toMatchObject([{ credential: row.id, cost: 0, listCost: 2_800_000, charge: 0 }]);
  });

  test('has a fee where the terms of the tenant have one, and OpenAI’s SDK reads it', async () => {
    await operator.call('PUT', `/tenants/${tenant}/pricing`, { body: { own_key_fee_percent: '5' } });
    await add();
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });
    const answer = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Hi' }],
      ...{ usage: { include: true } },
    });
    expect(answer.usage).toMatchObject({ cost: 0.000_14, is_byok: true });
  });

  test.each([
    [401, 403, 'own_provider_key'],
    [402, 403, 'own_provider_key'],
    [403, 403, 'own_provider_key'],
    [429, 429, 'provider_rate_limit'],
    [500, 500, 'provider_error'],
  ])('that fails with %i is not replaced by the gateway key: %i %s', async (given, status, code) => {
    await add();
    statuses = { [own]: given };
    const failure = await failureOf(await ask());
    expect(failure).toMatchObject({ status, code });
    expect(new Set(called)).toEqual(new Set([own]));
    expect(JSON.stringify(failure)).not.toContain(own);
  });

  test('is followed by the next of its own, and by the gateway key only where that is allowed', async () => {
    await add({ fallback: 'shared' });
    await add({ fallback: 'shared' }, { 'api-key': second });
    statuses = { [own]: 401, [second]: 403 };
    expect((await ask()).status).toBe(200);
    expect(called).toEqual([own, second, shared]);
    await gateway.settled();
    const [record] = await ledger.recordsOf(tenant);
    expect(record?.attempts.map(({ credential, charge }) => [credential !== undefined, charge])).toEqual([
      [true, 0],
      [true, 0],
      [false, 2_800_000],
    ]);
  });

  test('is for its models and keys only; others are called with the gateway key', async () => {
    await add({ models: ['openai/gpt-4o'] });
    expect((await ask()).status).toBe(200);
    expect(called).toEqual([shared]);
  });

  test('of another tenant is never used', async () => {
    await add();
    expect((await gateway.post('/v1/chat/completions', body)).status).toBe(200);
    expect(called).toEqual([shared]);
  });

  test('leaves no place for a caller who excludes its provider', async () => {
    await add();
    const failure = await failureOf(await ask({ provider: { ignore: ['openai'] } }));
    expect(failure).toMatchObject({ status: 400 });
    expect(called).toEqual([]);
  });

  test('is used while the budget of the tenant is used up', async () => {
    await operator.call('PATCH', `/tenants/${tenant}`, {
      body: { limits: { monthly_budget_usd: '0.000001' } },
    });
    await add();
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect(called).toEqual([own, own]);
  });

  test('is used after the gateway’s accounts have used up the budget, and they are not', async () => {
    await operator.call('PATCH', `/tenants/${tenant}`, {
      body: { limits: { monthly_budget_usd: '0.002' } },
    });
    await add({ models: [model] });
    const other = { model: 'openai/gpt-4o', max_completion_tokens: 100 };
    // The provider counts more than was reserved: a thousand tokens for two letters.
    expect((await ask(other)).status).toBe(200);
    await gateway.settled();
    expect((await ask(other)).status).toBe(429);
    expect((await ask()).status).toBe(200);
    expect(called).toEqual([shared, own]);
  });
});

describe('a budget that includes own keys', () => {
  /** At most 1,300 tokens and 100 more: 3,400,000 nano-dollars; the provider counts 1,000 and 100. */
  const paid = { max_completion_tokens: 100, messages: [{ role: 'user', content: 'a'.repeat(1_200) }] };
  const listCost = '0.0028';
  const limit = async (limits: object) =>
    await operator.call('PATCH', `/tenants/${tenant}`, { body: { limits } });
  const used = async () => {
    await gateway.settled();
    const { use } = (await operator.call('GET', `/tenants/${tenant}`)).body;
    return use.map(({ limit: name, used: amount, held }: Record<string, string>) => [name, amount, held]);
  };

  test('reserves and counts the list price, and is not charged', async () => {
    await add();
    const { body } = await limit({ monthly_budget_usd: '0.004', include_own_keys: true });
    expect(body.limits).toMatchObject({ monthly_budget_usd: '0.004', include_own_keys: true });
    expect((await ask(paid)).status).toBe(200);
    expect(await used()).toEqual([['monthly_budget_usd', listCost, '0.00']]);
    expect(await failureOf(await ask(paid))).toMatchObject({ status: 429 });
    const [record] = await ledger.recordsOf(tenant);
    expect(record).toMatchObject({ charge: 0, holds: [{ kind: 'tenant', includesOwnKeys: true }] });
    expect(called).toEqual([own]);
  });

  test('counts its fee, too, and nothing of a call that failed', async () => {
    await operator.call('PUT', `/tenants/${tenant}/pricing`, { body: { own_key_fee_percent: '5' } });
    await add();
    await limit({ daily_budget_usd: '1', include_own_keys: true });
    statuses = { [own]: 400 };
    expect((await ask(paid)).status).toBe(400);
    expect(await used()).toEqual([['daily_budget_usd', '0.00', '0.00']]);
    statuses = {};
    expect((await ask(paid)).status).toBe(200);
    expect(await used()).toEqual([['daily_budget_usd', '0.00294', '0.00']]);
  });

  test('counts what they cost before in its period', async () => {
    await add();
    expect((await ask(paid)).status).toBe(200);
    await gateway.settled();
    await limit({ total_budget_usd: '1' });
    expect(await used()).toEqual([['total_budget_usd', '0.00', '0.00']]);
    await limit({ include_own_keys: true });
    expect(await used()).toEqual([['total_budget_usd', listCost, '0.00']]);
  });

  test('is not for credit, which only pays the operator', async () => {
    const refused = { status: 400, body: { error: { param: 'limits.include_own_keys' } } };
    expect(await limit({ credit_usd: '1', include_own_keys: true })).toMatchObject(refused);
    await limit({ total_budget_usd: '1', include_own_keys: true });
    expect(await limit({ credit_usd: '1' })).toMatchObject(refused);
    const grant = { id: 'first', amount_usd: '1' };
    const given = await operator.call('POST', `/tenants/${tenant}/credit`, { body: grant });
    expect(given).toMatchObject({ status: 400, body: { error: { param: 'credit' } } });
  });

  test('of a key stays as an admin has set it', async () => {
    const mel = await signInAs(gateway, { id: 'mel', name: 'Mel', role: 'member', tenant });
    const limits = { total_budget_usd: '1', include_own_keys: true };
    const made = await admin.call('POST', '/keys', { body: { owner: 'mel', limits } });
    const { id } = made.body;
    expect(
      await mel.call('PATCH', `/keys/${id}`, { body: { limits: { include_own_keys: false } } }),
    ).toMatchObject({ status: 400, body: { error: { param: 'limits.include_own_keys' } } });
  });
});

describe('the secret', () => {
  test('is in no answer, list, audit record, error or log line', async () => {
    const log = captureLog();
    try {
      const { body: row } = await add();
      expect(row).toMatchObject({ last4: 'WXYZ', status: 'active', position: 0, fallback: 'none' });
      statuses = { [own]: 401 };
      await ask({ extra: { debug: ['routing'] } });
      await admin.call('POST', `${path()}/${row.id}/test`, { body: {} });
      const list = (await admin.call('GET', path())).body;
      expect(list.data).toMatchObject([
        {
          id: row.id,
          last_used_at: expect.any(Number),
          last_failure: '401',
          last_failed_at: expect.any(Number),
        },
      ]);
      await admin.call('PATCH', `${path()}/${row.id}`, { body: { disabled: true } });
      await admin.call('DELETE', `${path()}/${row.id}`);
      const audit = (await operator.call('GET', `/audit?tenant=${tenant}`)).body;
      const actions = audit.data.map(({ action }: { action: string }) => action);
      for (const change of ['create', 'test', 'change', 'delete'])
        expect(actions).toContain(`credentials.${change}`);
      for (const shown of [row, list, audit, log.lines]) expect(JSON.stringify(shown)).not.toContain(own);
    } finally {
      log.close();
    }
  });

  test('is not in the table', async () => {
    await add();
    const items = await ledger.call('DynamoDB_20120810.Scan', { TableName: 'access' });
    expect(JSON.stringify(items)).toContain('credential#');
    expect(JSON.stringify(items)).not.toContain(own);
  });
});

describe('the admin API', () => {
  test('tests, moves, disables and deletes a credential', async () => {
    const first = (await add()).body.id;
    const other = (await add({}, { 'api-key': second })).body.id;
    statuses = { [second]: 401 };
    const tested = async (id: string) =>
      (await admin.call('POST', `${path()}/${id}/test`, { body: {} })).body;
    expect(await tested(first)).toMatchObject({ ok: true, status: 200, failure: null });
    expect(await tested(other)).toMatchObject({ ok: false, status: 401, failure: 'refused' });
    const moved = await admin.call('PATCH', `${path()}/${other}`, { body: { position: 0, name: 'New' } });
    expect(moved.body).toMatchObject({ id: other, position: 0, name: 'New' });
    await admin.call('PATCH', `${path()}/${other}`, { body: { disabled: true } });
    expect((await admin.call('GET', path())).body.data).toMatchObject([
      { id: other, status: 'disabled' },
      { id: first, status: 'active' },
    ]);
    called = [];
    expect((await ask()).status).toBe(200);
    expect(called).toEqual([own]);
    for (const id of [first, other])
      expect((await admin.call('DELETE', `${path()}/${id}`)).body).toMatchObject({ deleted: true });
    expect((await admin.call('GET', path())).body.data).toEqual([]);
  });

  test('shows nothing of another tenant, and lets members do nothing', async () => {
    const { id } = (await add()).body;
    const eve = await signInAs(gateway, { id: 'eve', name: 'Eve', role: 'tenant_admin', tenant: 'other' });
    const mel = await signInAs(gateway, { id: 'mel', name: 'Mel', role: 'member', tenant });
    for (const [by, status] of [
      [eve, 404],
      [mel, 403],
    ] as const) {
      expect((await by.call('GET', path())).status).toBe(status);
      expect((await by.call('POST', `${path()}/${id}/test`, { body: {} })).status).toBe(status);
      expect((await by.call('DELETE', `${path()}/${id}`)).status).toBe(status);
    }
  });

  test.each([
    ['an address', { settings: { 'api-key': own, 'base-url': 'https://evil.example' } }, 'settings.base-url'],
    [
      'a host in a name',
      { provider: 'azure', settings: { 'api-key': own, resource: 'evil.example/x' } },
      'settings.resource',
    ],
    [
      'a location with a host',
      { provider: 'google-vertex', settings: { 'api-key': own, project: 'p', location: 'a.b' } },
      'settings.location',
    ],
    ['nothing that is needed', { provider: 'azure', settings: { 'api-key': own } }, 'settings'],
    ['a key of this gateway', { settings: { 'api-key': 'mgw_abc' } }, 'settings.api-key'],
    ['a provider that is none', { provider: 'nobody', settings: { 'api-key': own } }, 'provider'],
    [
      'a provider at an address of the operator',
      { provider: 'self-hosted', settings: { 'api-key': own } },
      'provider',
    ],
  ])('refuses %s', async (_, given, param) => {
    const answer = await admin.call('POST', path(), { body: { provider: 'openai', ...given } });
    expect(answer).toMatchObject({ status: 400, body: { error: { param } } });
    expect(JSON.stringify(answer.body)).not.toContain(own);
  });

  test('refuses a service account whose tokens are asked for elsewhere', async () => {
    const account = { client_email: 'a@b.iam', private_key: 'secret', token_uri: 'http://169.254.169.254/' };
    const settings = { project: 'p', credentials: JSON.stringify(account) };
    const answer = await admin.call('POST', path(), { body: { provider: 'google-vertex', settings } });
    expect(answer).toMatchObject({ status: 400, body: { error: { param: 'settings.credentials' } } });
  });

  test('takes the same secret once, and ten for a provider', async () => {
    await add();
    expect((await add()).status).toBe(400);
    for (let n = 1; n < 10; n += 1)
      expect((await add({}, { 'api-key': `sk-number-${n}-0123456789` })).status).toBe(200);
    expect((await add({}, { 'api-key': 'sk-number-ten-0123456789' })).status).toBe(400);
  });
});
