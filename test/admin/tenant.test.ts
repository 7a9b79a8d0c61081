/** One tenant: what is left of each grant, and what only operators see; lists of tenants by their status. */
import { expect, test } from 'vitest';
import { listTenants, retrieveTenant } from '../../lib/admin/tenants/read-tenant.ts';
import { tenantRow } from '../../lib/admin/tenants/tenant-row.ts';
import type { User } from '../../lib/core/admin/user.ts';
import type { StoredTenant } from '../../lib/stores/access/tenants.ts';

const operator: User = { id: 'olga', name: 'Olga', role: 'operator', via: 'oidc' };
const admin: User = { ...operator, role: 'tenant_admin', tenant: 'acme' };
const dollar = 1_000_000_000;
const now = Date.parse('2026-03-10T12:00:00Z');

const acme: StoredTenant = { name: 'acme', createdAt: 5 };

const retrieve = (user: User, tenant: StoredTenant, usedCredit?: number) =>
  retrieveTenant(
    {
      tenantEdits: { find: async () => tenant } as unknown as Parameters<
        typeof retrieveTenant
      >[0]['tenantEdits'],
      sums: { since: async () => undefined, find: async () => undefined } as never,
      limits: { read: async () => ({ usedCredit }), seed: async () => {} } as never,
      now: () => now,
    },
    user,
    { tenant: tenant.name },
  );

const grant = { at: 1, amount: 10 * dollar, priority: 100, by: 'Olga' };

test('use that belongs to no grant yet is taken from them in turn', async () => {
  const tomorrow = now / 1000 + 43_200;
  const grants = [
    { ...grant, id: 'later', note: 'invoice 7' },
    { ...grant, id: 'first', priority: 1, used: 2 * dollar, expires: tomorrow },
  ];
  const left = async (used?: number) =>
    (await retrieve(operator, { ...acme, grants }, used)).grants.map(({ left_usd: amount }) => amount);
  expect(await left(2 * dollar)).toEqual(['10.00', '8.00']);
  expect(await left(5 * dollar)).toEqual(['10.00', '5.00']);
  expect(await left(13 * dollar)).toEqual(['7.00', '0.00']);
  expect(await left(undefined)).toEqual(['10.00', '8.00']);
  expect((await retrieve(operator, { ...acme, grants }, 0)).grants).toEqual([
    {
      id: 'later',
      amount_usd: '10.00',
      left_usd: '10.00',
      priority: 100,
      given_at: 1,
      expires_at: null,
      by: 'Olga',
      note: 'invoice 7',
    },
    expect.objectContaining({ id: 'first', priority: 1, expires_at: tomorrow, note: null }),
  ]);
});

test('grants and pricing are for operators', async () => {
  const price = { input: 5.5, output: 30_000, cachedInput: null, cacheWrite: null };
  const pricing = [
    { from: 7, markup: -550 },
    { from: 8, markup: 0, models: { 'a/b': price } },
  ];
  const tenant = { ...acme, grants: [{ ...grant, id: 'one' }], pricing };
  const shown = await retrieve(operator, tenant, 0);
  expect(shown.pricing).toEqual([
    { from: 7, markup_percent: '-5.5', own_key_fee_percent: '0', fixed_prices: [] },
    {
      from: 8,
      markup_percent: '0',
      own_key_fee_percent: '0',
      fixed_prices: [{ model: 'a/b', input_usd: '0.0055', output_usd: '30.00' }],
    },
  ]);
  expect(shown.grants).toHaveLength(1);
  expect(await retrieve(admin, tenant, 0)).toMatchObject({ id: 'acme', grants: [], pricing: [] });
  await expect(retrieve({ ...admin, tenant: 'other' }, tenant)).rejects.toMatchObject({ param: 'tenant' });
  expect((await retrieve(operator, acme)).grants).toEqual([]);
});

test('a tenant shows its settings, and its tag names also those that are not shown', () => {
  expect(tenantRow(acme)).toMatchObject({
    object: 'tenant',
    id: 'acme',
    status: 'active',
    created_at: 5,
    suspended_at: null,
    models: null,
    operations: null,
    alerts: { at: null, webhook_url: null },
    on_database_failure: null,
    throughput: null,
  });
  const webhook = { url: 'https://a.example/', secret: 'one' };
  const whole: StoredTenant = {
    ...acme,
    suspendedAt: 9,
    models: ['a/*'],
    operations: ['models'],
    alerts: [50],
    webhook,
    onDatabaseFailure: 'refuse',
    throughput: 600,
    userLimits: { dailyBudget: dollar },
  };
  expect(tenantRow(whole)).toMatchObject({
    status: 'suspended',
    suspended_at: 9,
    models: ['a/*'],
    operations: ['models'],
    alerts: { at: [50], webhook_url: 'https://a.example/' },
    on_database_failure: 'refuse',
    throughput: 600,
    user_limits: { daily_budget_usd: '1.00' },
  });
  expect(tenantRow(whole).user_limits).not.toHaveProperty('credit_usd');
  const tags = [whole, { ...whole, webhook: { ...webhook, secret: 'two' } }, { ...whole, pricingVersion: 2 }];
  expect(new Set(tags.map((tenant) => tenantRow(tenant).etag)).size).toBe(3);
});

test('tenants are listed by their status, in pages', async () => {
  const tenants = ['a', 'b', 'c', 'd'].map((name, index) => ({
    name,
    createdAt: 1,
    ...(index % 2 === 1 && { suspendedAt: 5 }),
  }));
  const parts = { tenantEdits: { list: async () => tenants } } as unknown as Parameters<
    typeof listTenants
  >[0];
  const list = async (query: Parameters<typeof listTenants>[2]) => {
    const { data, ...rest } = await listTenants(parts, operator, query);
    return { ids: data.map(({ id }) => id).join(''), ...rest };
  };
  const last = { object: 'list', has_more: false, next_after: null };
  expect(await list({})).toEqual({ ids: 'abcd', ...last });
  expect(await list({ status: 'active' })).toEqual({ ids: 'ac', ...last });
  expect(await list({ status: 'suspended' })).toEqual({ ids: 'bd', ...last });
  const { next_after: after, ...first } = await list({ limit: 2 });
  expect(first).toEqual({ ids: 'ab', object: 'list', has_more: true });
  expect(await list({ limit: 2, after: String(after) })).toEqual({ ids: 'cd', ...last });
  await expect(list({ after: 'e' })).rejects.toMatchObject({ param: 'after' });
});
