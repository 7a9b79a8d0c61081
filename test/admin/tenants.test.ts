/** Tenants in the dashboard's API on a local gateway: limits, terms, credit, adjustments and pricing. */
import { describe, expect, test } from 'vitest';
import { signInAs } from '../harness/admin/admin-client.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { use } from '../harness/use.ts';

const gateway = useGateway();
let tenants = 0;

const operator = use(() => signInAs(gateway(), { id: 'olga', name: 'Olga', role: 'operator' }));

const create = async (body: object = {}) => {
  tenants += 1;
  return (await operator.call('POST', '/tenants', { body: { tenant: `tenant-${tenants}`, ...body } })).body;
};

test('a tenant is created once, and shown with its limits and their use', async () => {
  const { id, ...row } = await create({
    limits: { monthly_budget_usd: '50', credit_usd: null },
    models: ['openai/*'],
  });
  expect(row).toMatchObject({
    object: 'tenant',
    status: 'active',
    suspended_at: null,
    limits: { monthly_budget_usd: '50.00', credit_usd: null },
    models: ['openai/*'],
    operations: null,
    alerts: { at: null, webhook_url: null },
  });
  const again = await operator.call('POST', '/tenants', { body: { tenant: id } });
  expect(again).toMatchObject({ status: 409, body: { error: { param: 'tenant' } } });
  const shown = await operator.call('GET', `/tenants/${id}`);
  expect(shown.headers.get('etag')).toBe(row.etag);
  expect(shown.body).toMatchObject({ id, ...row, grants: [], pricing: [] });
  expect(shown.body.use).toEqual([expect.objectContaining({ limit: 'monthly_budget_usd', left: '50.00' })]);
  expect((await operator.call('GET', '/tenants/nobody')).status).toBe(404);
});

test('tenants are listed by name, in pages', async () => {
  await create();
  await create();
  const all = (await operator.call('GET', '/tenants')).body.data.map(({ id }: { id: string }) => id);
  expect(all).toEqual(all.toSorted());
  const first = (await operator.call('GET', '/tenants?limit=2')).body;
  const second = (await operator.call('GET', `/tenants?limit=1000&after=${first.next_after}`)).body;
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(all);
  expect(second).toMatchObject({ has_more: false, next_after: null });
});

test('terms are changed, and a suspended tenant is refused until it is active again', async () => {
  const { id } = await create();
  const { key } = (await operator.call('POST', '/keys', { body: { tenant: id } })).body;
  const changed = await operator.call('PATCH', `/tenants/${id}`, {
    body: {
      limits: { requests_per_minute: 7 },
      user_limits: { daily_budget_usd: '1' },
      alerts: { at: [80, 50, 80] },
      on_database_failure: 'refuse',
      throughput: 600,
      suspended: true,
    },
  });
  expect(changed.body).toMatchObject({
    status: 'suspended',
    limits: { requests_per_minute: 7 },
    user_limits: { daily_budget_usd: '1.00' },
    alerts: { at: [50, 80], webhook_url: null },
    on_database_failure: 'refuse',
    throughput: 600,
  });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = await fetch(`${gateway().url}/v1/chat/completions`, { method: 'POST', headers, body: '{}' });
  expect(await sent.json()).toMatchObject({ error: { code: 'tenant_suspended' } });
  const lower = await operator.call('PATCH', `/tenants/${id}`, { body: { throughput: 599 } });
  expect(lower).toMatchObject({ status: 400, body: { error: { param: 'throughput' } } });
  const active = await operator.call('PATCH', `/tenants/${id}`, { body: { suspended: false } });
  expect(active.body).toMatchObject({
    status: 'active',
    suspended_at: null,
    limits: { requests_per_minute: 7 },
  });
});

test('a webhook has a secret that is shown once', async () => {
  const { id } = await create();
  const url = 'http://127.0.0.1:9/budget';
  const set = await operator.call('PATCH', `/tenants/${id}`, { body: { alerts: { webhook_url: url } } });
  expect(set.body).toMatchObject({
    alerts: { webhook_url: url },
    webhook_secret: expect.stringMatching(/^whsec_/),
  });
  const { webhook_secret: secret, etag } = set.body;
  const shown = JSON.stringify((await operator.call('GET', `/tenants/${id}`)).body);
  expect(shown).not.toContain(secret);
  expect(JSON.stringify((await operator.call('GET', '/audit?limit=200')).body)).not.toContain(secret);
  const again = await operator.call('PATCH', `/tenants/${id}`, {
    body: { alerts: { webhook_url: url } },
    headers: { 'if-match': etag },
  });
  expect(again.body.etag).not.toBe(etag);
  for (const wrong of ['ftp://a.example', 'https://user:pass@a.example/', 'no url']) {
    const refused = await operator.call('PATCH', `/tenants/${id}`, {
      body: { alerts: { webhook_url: wrong } },
    });
    expect(refused).toMatchObject({ status: 400, body: { error: { param: 'alerts.webhook_url' } } });
  }
});

test('a change for a state that is over is a conflict', async () => {
  const { id, etag } = await create();
  const headers = { 'if-match': etag };
  await operator.call('PATCH', `/tenants/${id}`, { body: { limits: { daily_budget_usd: '5' } }, headers });
  const late = await operator.call('PATCH', `/tenants/${id}`, { body: { suspended: true }, headers });
  expect(late).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  const pricing = await operator.call('PUT', `/tenants/${id}/pricing`, {
    body: { markup_percent: '20' },
    headers,
  });
  expect(pricing.status).toBe(409);
  expect((await operator.call('GET', `/tenants/${id}`)).body).toMatchObject({
    status: 'active',
    pricing: [],
  });
});

describe('credit', () => {
  const give = (tenant: string, body: object) => operator.call('POST', `/tenants/${tenant}/credit`, { body });

  test('counts once for each id, however often it is sent, also at the same time', async () => {
    const { id: tenant } = await create();
    const body = { id: 'payment-1', amount_usd: '20', note: 'invoice 7' };
    const answers = await Promise.all([give(tenant, body), give(tenant, body), give(tenant, body)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const again = await give(tenant, body);
    expect(again.body).toEqual({
      object: 'credit',
      id: 'payment-1',
      tenant,
      amount_usd: '20.00',
      credit_usd: '20.00',
    });
    expect((await give(tenant, { id: 'payment-2', amount_usd: '5' })).body).toMatchObject({
      credit_usd: '25.00',
    });
    const other = await give(tenant, { ...body, amount_usd: '21' });
    expect(other).toMatchObject({ status: 409, body: { error: { param: 'id' } } });
    const { body: shown } = await operator.call('GET', `/tenants/${tenant}`);
    expect(shown.grants).toMatchObject([
      { id: 'payment-1', amount_usd: '20.00', left_usd: '20.00', by: 'Olga', note: 'invoice 7' },
      { id: 'payment-2', amount_usd: '5.00', left_usd: '5.00' },
    ]);
    const { body: log } = await operator.call('GET', `/audit?tenant=${tenant}&action=tenants.credit`);
    expect(log.data.map(({ after }: { after: object }) => after)).toMatchObject([
      { grant: 'payment-2' },
      { grant: 'payment-1', amount_usd: '20.00' },
    ]);
  });

  test.each([
    [{ id: 'a', amount_usd: '0' }, 'amount_usd'],
    [{ id: 'a', amount_usd: '-1' }, 'amount_usd'],
    [{ amount_usd: '1' }, 'id'],
    [{ id: 'a b', amount_usd: '1' }, 'id'],
    [{ id: 'a', amount_usd: '1', expires_at: 1_000 }, 'expires_at'],
    [{ id: 'a', amount_usd: '1', expires_at: 86_400 }, 'expires_at'],
    [{ id: 'a', amount_usd: '1', priority: 1_001 }, 'priority'],
    [{ id: 'a', amount_usd: '1', note: 'x'.repeat(201) }, 'note'],
  ])('with a wrong field is refused: %j', async (body, param) => {
    const { id } = await create();
    expect(await give(id, body)).toMatchObject({ status: 400, body: { error: { param } } });
  });
});

describe('adjustments', () => {
  const adjust = (tenant: string, body: object) =>
    operator.call('POST', `/tenants/${tenant}/adjustments`, { body });

  test('count once for each id, and are listed by month', async () => {
    const { id: tenant } = await create();
    const body = { id: 'outage-1', amount_usd: '-5.00', reason: 'outage', month: '2026-10' };
    const answers = await Promise.all([adjust(tenant, body), adjust(tenant, body)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await adjust(tenant, { id: 'now', amount_usd: '3', reason: 'support', request: 'req-1' });
    await adjust(tenant, { id: 'now', amount_usd: '3', reason: 'support', request: 'req-1' });
    expect((await adjust(tenant, { ...body, amount_usd: '-6' })).status).toBe(409);
    const { body: october } = await operator.call('GET', `/tenants/${tenant}/adjustments?month=2026-10`);
    expect(october.data).toMatchObject([
      {
        object: 'adjustment',
        amount_usd: '-5.00',
        reason: 'outage',
        month: '2026-10',
        by: 'Olga',
        request: null,
      },
    ]);
    const { body: current } = await operator.call('GET', `/tenants/${tenant}/adjustments`);
    expect(current.data).toMatchObject([{ amount_usd: '3.00', request: 'req-1' }]);
    const { body: invoice } = await operator.call('GET', `/tenants/${tenant}/invoice?month=2026-10`);
    expect(invoice).toMatchObject({
      ...{ object: 'invoice', tenant, month: '2026-10', status: 'draft', closed_at: null },
      ...{ lines: [], adjustments: october.data },
      ...{ charges_usd: '0.00', adjusted_usd: '-5.00', total_usd: '-5.00' },
    });
    expect(await operator.call('GET', '/tenants/nowhere/invoice')).toMatchObject({ status: 404 });
    const close = (name: string, month: string) =>
      operator.call('POST', `/tenants/${name}/invoice/close`, { body: { month } });
    expect(await close('nowhere', '2026-10')).toMatchObject({ status: 404 });
    const open = await close(tenant, '2099-10');
    expect(open).toMatchObject({ status: 409, body: { error: { param: 'month' } } });
    expect(open.body.error.message).toContain('is not over');
    const closed = { status: 'closed', closed_by: 'Olga', total_usd: '-5.00' };
    expect((await close(tenant, '2026-10')).body).toMatchObject(closed);
    expect((await close(tenant, '2026-10')).body.error.message).toContain('closed already');
    const { body: log } = await operator.call('GET', `/audit?tenant=${tenant}&action=tenants.adjust`);
    expect(log.data).toHaveLength(2);
  });

  test.each([
    [{ id: 'a', amount_usd: '0', reason: 'x' }, 'amount_usd'],
    [{ id: 'a', amount_usd: '1' }, 'reason'],
    [{ id: 'a', amount_usd: '1', reason: 'x', month: '2026-13' }, 'month'],
    [{ id: 'a', amount_usd: '1', reason: 'x'.repeat(501) }, 'reason'],
  ])('with a wrong field are refused: %j', async (body, param) => {
    const { id } = await create();
    expect(await adjust(id, body)).toMatchObject({ status: 400, body: { error: { param } } });
  });
});

test('pricing continues the terms before it', async () => {
  const { id } = await create();
  const price = (body: object) => operator.call('PUT', `/tenants/${id}/pricing`, { body });
  const from = Math.floor(Date.now() / 1000) + 86_400;
  await price({ markup_percent: '20', own_key_fee_percent: '2.5' });
  await price({ from, fixed_prices: { 'openai/gpt-5.5': { input: 6, output: 36 } } });
  const { body } = await operator.call('GET', `/tenants/${id}`);
  expect(body.pricing).toEqual([
    { from: expect.any(Number), markup_percent: '20', own_key_fee_percent: '2.5', fixed_prices: [] },
    {
      from,
      markup_percent: '20',
      own_key_fee_percent: '2.5',
      fixed_prices: [{ model: 'openai/gpt-5.5', input_usd: '6.00', output_usd: '36.00' }],
    },
  ]);
  const removed = await price({ from, markup_percent: '-5.5', fixed_prices: { 'openai/gpt-5.5': null } });
  expect(removed.body).toMatchObject({ from, markup_percent: '-5.5', fixed_prices: [] });
  expect(await price({ from, markup_percent: '-100' })).toMatchObject({ status: 200 });
  for (const [wrong, param] of [
    [{}, 'markup_percent'],
    [{ markup_percent: '-100.01' }, 'markup_percent'],
    [{ markup_percent: 20 }, 'markup_percent'],
    [{ fixed_prices: { 'openai/*': { input: 1, output: 1 } } }, 'fixed_prices'],
    [{ fixed_prices: { 'openai/gpt-5.5': { input: 1 } } }, 'fixed_prices.openai/gpt-5.5.output'],
  ] as const) {
    expect(await price(wrong)).toMatchObject({ status: 400, body: { error: { param } } });
  }
});

test('a tenant is seen by its administrators, without what only operators know', async () => {
  const { id } = await create();
  await operator.call('PUT', `/tenants/${id}/pricing`, { body: { markup_percent: '20' } });
  await operator.call('POST', `/tenants/${id}/credit`, {
    body: { id: 'a', amount_usd: '1', note: 'private' },
  });
  const admin = await signInAs(gateway(), { id: 'ada', name: 'Ada', role: 'tenant_admin', tenant: id });
  const { status, body } = await admin.call('GET', `/tenants/${id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ pricing: [], grants: [], limits: { credit_usd: '1.00' } });
  expect((await admin.call('GET', '/tenants/tenant-1')).status).toBe(404);
  const { body: log } = await admin.call('GET', '/audit');
  expect(JSON.stringify(log)).not.toMatch(/private|markup/);
});
