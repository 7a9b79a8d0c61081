/** The audit log: every operation that changes something leaves exactly one record, with what was before and after, and no secret. */
import { beforeAll, describe, expect, test } from 'vitest';
import { adminOperations } from '../../lib/core/admin/admin-operations.ts';
import { signInAs } from '../harness/admin/admin-client.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { use } from '../harness/use.ts';

const gateway = useGateway();

const operator = use(() => signInAs(gateway(), { id: 'olga', name: 'Olga', role: 'operator' }));
beforeAll(async () => {
  await operator.call('POST', '/tenants', { body: { tenant: 'acme', limits: { monthly_budget_usd: '5' } } });
});

const newKey = async () =>
  (
    await operator.call('POST', '/keys', {
      body: { tenant: 'acme', name: 'old', limits: { credit_usd: '1' } },
    })
  ).body;

interface Example {
  /** With what is made before. */
  readonly path: () => Promise<string>;
  readonly body?: object;
  readonly action: string;
  readonly before?: object;
  readonly after: object;
}

const at = (path: string) => async () => path;
const ofKey = (rest: string) => async () => `/keys/${(await newKey()).id}${rest}`;

/** One change by each operation. */
const examples: Readonly<Record<string, Example>> = {
  'admin-keys-create': {
    path: at('/keys'),
    body: { tenant: 'acme', name: 'laptop', limits: { daily_budget_usd: '1' } },
    action: 'keys.create',
    after: { name: 'laptop', 'limits.daily_budget_usd': '1.00' },
  },
  'admin-keys-change': {
    path: ofKey(''),
    body: { name: 'new', limits: { credit_usd: null }, models: ['openai/*'] },
    action: 'keys.change',
    before: { name: 'old', 'limits.credit_usd': '1.00', models: null },
    after: { name: 'new', 'limits.credit_usd': null, models: ['openai/*'] },
  },
  'admin-keys-rotate': {
    path: ofKey('/rotate'),
    body: {},
    action: 'keys.rotate',
    after: expect.objectContaining({ name: 'old', replaces: expect.stringMatching(/^key_/) }),
  },
  'admin-keys-disable': {
    path: ofKey('/disable'),
    action: 'keys.disable',
    before: { disabled_at: null },
    after: { disabled_at: expect.any(Number) },
  },
  'admin-keys-enable': {
    async path() {
      const { id } = await newKey();
      await operator.call('POST', `/keys/${id}/disable`);
      return `/keys/${id}/enable`;
    },
    action: 'keys.enable',
    before: { disabled_at: expect.any(Number) },
    after: { disabled_at: null },
  },
  'admin-tenants-create': {
    path: at('/tenants'),
    body: { tenant: 'umbrella', models: ['xai/*'] },
    action: 'tenants.create',
    after: { tenant: 'umbrella', models: ['xai/*'] },
  },
  'admin-tenants-change': {
    path: at('/tenants/acme'),
    body: {
      limits: { monthly_budget_usd: '7' },
      alerts: { webhook_url: 'http://127.0.0.1:9/hook' },
      suspended: true,
    },
    action: 'tenants.change',
    before: expect.objectContaining({ 'limits.monthly_budget_usd': '5.00', suspended_at: null }),
    after: expect.objectContaining({
      'limits.monthly_budget_usd': '7.00',
      'alerts.webhook_url': 'http://127.0.0.1:9/hook',
      suspended_at: expect.any(Number),
    }),
  },
  'admin-webhook-test': {
    path: at('/tenants/acme/webhook/test'),
    action: 'tenants.test_webhook',
    after: {
      'webhook_test.url': 'http://127.0.0.1:9/hook',
      'webhook_test.failure': 'unreachable',
    },
  },
  'admin-management-keys-create': {
    path: at('/management-keys'),
    body: { name: 'ci', role: 'viewer', tenant: 'acme', operations: ['admin-usage'] },
    action: 'management_keys.create',
    after: { name: 'ci', role: 'viewer', operations: ['admin-usage'], expires_at: expect.any(Number) },
  },
  'admin-credit-add': {
    path: at('/tenants/acme/credit'),
    body: { id: 'one', amount_usd: '20' },
    action: 'tenants.credit',
    after: { grant: 'one', amount_usd: '20.00', priority: 100 },
  },
  'admin-adjustments-add': {
    path: at('/tenants/acme/adjustments'),
    body: { id: 'one', amount_usd: '-1', reason: 'outage', month: '2026-10' },
    action: 'tenants.adjust',
    after: { adjustment: 'one', amount_usd: '-1.00', reason: 'outage', month: '2026-10' },
  },
  'admin-invoice-close': {
    path: at('/tenants/acme/invoice/close'),
    body: { month: '2026-01' },
    action: 'tenants.close_month',
    after: { month: '2026-01', charges_usd: '0.00', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  },
  'admin-pricing-change': {
    path: at('/tenants/acme/pricing'),
    body: { from: 2_000_000_000, markup_percent: '20' },
    action: 'tenants.pricing',
    after: { from: 2_000_000_000, markup_percent: '20', own_key_fee_percent: '0' },
  },
};

/** Those that change nothing that is kept, and those that other tests cover with what they need. */
const elsewhere = [
  'admin-session-open',
  'admin-session-end',
  'admin-playground',
  // test/admin/data-policy.test.ts, test/admin/services.test.ts and test/admin/members.test.ts
  'admin-providers-set',
  'admin-providers-data',
  'admin-providers-remove',
  'admin-providers-test',
  'admin-members-invite',
  'admin-members-remove',
  // test/admin/catalog.test.ts
  'admin-hosts-put',
  'admin-hosts-delete',
  'admin-models-put',
  'admin-models-delete',
  'admin-aliases-put',
  'admin-aliases-delete',
  // test/admin/management-keys.test.ts
  'admin-management-keys-revoke',
  // test/contract/background/running.test.ts
  'admin-requests-cancel',
  // test/contract/guardrails/admin.test.ts
  'admin-guardrails-put',
  'admin-guardrails-test',
  'admin-guardrails-delete',
  // test/admin/batches.test.ts
  'admin-batches-cancel',
  // test/contract/own-keys.test.ts
  'admin-credentials-create',
  'admin-credentials-change',
  'admin-credentials-test',
  'admin-credentials-delete',
];

const changing = adminOperations.filter(({ method, roles }) => method !== 'GET' && roles !== undefined);

test('every operation that changes something has an example', () => {
  const missing = changing
    .map(({ name }) => name)
    .filter((name) => !elsewhere.includes(name) && !(name in examples));
  expect(missing).toEqual([]);
});

const log = async () => (await operator.call('GET', '/audit?limit=200')).body.data;

describe.each(Object.entries(examples))('%s', (name, { path, body, action, before, after }) => {
  test('leaves one record', async () => {
    const method = adminOperations.find((operation) => operation.name === name)?.method ?? '';
    const target = await path();
    const earlier = new Set((await log()).map(({ id }: { id: string }) => id));
    const { status, body: answer } = await operator.call(method, target, { body });
    expect(status).toBe(200);
    const all = await log();
    const added = all.filter(({ id }: { id: string }) => !earlier.has(id));
    expect(added).toHaveLength(1);
    expect(added[0]).toEqual({
      object: 'audit_record',
      id: expect.any(String),
      created_at: expect.any(Number),
      by: { id: 'olga', name: 'Olga', role: 'operator', via: 'address' },
      action,
      tenant: name === 'admin-tenants-create' ? 'umbrella' : 'acme',
      target: expect.any(String),
      before: before ?? null,
      after,
    });
    const { key = 'mgw_', webhook_secret: secret = 'whsec_' } = answer;
    expect(JSON.stringify(all)).not.toContain(key);
    expect(JSON.stringify(all)).not.toContain(secret);
  });

  test('leaves none where it is refused', async () => {
    const method = adminOperations.find((operation) => operation.name === name)?.method ?? '';
    const target = await path();
    const earlier = (await log()).length;
    const refused = await operator.call(method, target, { body: { unknown: 1 } });
    expect(refused.status).toBe(400);
    expect(await log()).toHaveLength(earlier);
  });
});

test('a webhook whose secret alone is new leaves a record, without the secret', async () => {
  const body = { tenant: 'hooked' };
  await operator.call('POST', '/tenants', { body });
  const set = () =>
    operator.call('PATCH', '/tenants/hooked', {
      body: { alerts: { webhook_url: 'http://127.0.0.1:9/hook' } },
    });
  await set();
  await set();
  const { data } = (await operator.call('GET', '/audit?tenant=hooked&action=tenants.change')).body;
  expect(data.map(({ before, after }: { before: object; after: object }) => [before, after])).toEqual([
    [{ webhook_secret: 'old, not shown' }, { webhook_secret: 'new, not shown' }],
    [
      { 'alerts.webhook_url': null, webhook_secret: null },
      { 'alerts.webhook_url': 'http://127.0.0.1:9/hook', webhook_secret: 'new, not shown' },
    ],
  ]);
});

test('what changes nothing leaves no record', async () => {
  const { id } = await newKey();
  const earlier = (await log()).length;
  expect((await operator.call('PATCH', `/keys/${id}`, { body: {} })).status).toBe(200);
  expect((await operator.call('PATCH', `/keys/${id}`, { body: { name: 'old' } })).status).toBe(200);
  expect((await operator.call('PATCH', '/tenants/acme', { body: {} })).status).toBe(200);
  expect(await log()).toHaveLength(earlier);
});

test('it is read newest first, in pages, by tenant, user and action', async () => {
  const all = await log();
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const first = (await operator.call('GET', '/audit?limit=3')).body;
  expect(first).toMatchObject({ object: 'list', has_more: true });
  const second = (await operator.call('GET', `/audit?limit=3&after=${encodeURIComponent(first.next_after)}`))
    .body;
  expect([...ids(first.data), ...ids(second.data)]).toEqual(ids(all).slice(0, 6));
  const { body: created } = await operator.call('GET', '/audit?action=keys.create&person=olga&tenant=acme');
  expect(ids(created.data)).toEqual(
    ids(all.filter(({ action }: { action: string }) => action === 'keys.create')).slice(0, 50),
  );
  const none = { object: 'list', data: [], has_more: false, next_after: null, searched_to: null };
  expect((await operator.call('GET', '/audit?person=nobody')).body).toEqual(none);
  for (const [query, param] of [
    ['limit=201', 'limit'],
    ['after=x', 'after'],
    ['before=yesterday', 'before'],
    ['tenant=a%20b', 'tenant'],
    ['color=red', 'color'],
  ]) {
    const refused = await operator.call('GET', `/audit?${query}`);
    expect(refused).toMatchObject({ status: 400, body: { error: { param } } });
  }
});

test('an administrator of another tenant sees nothing of it', async () => {
  const client = await signInAs(gateway(), { id: 'x', name: 'X', role: 'tenant_admin', tenant: 'umbrella' });
  const own = await client.call('GET', '/audit?limit=200');
  expect(own.status).toBe(200);
  expect(JSON.stringify(own.body)).not.toContain('acme');
  expect((await client.call('GET', '/audit?tenant=acme')).status).toBe(404);
});
