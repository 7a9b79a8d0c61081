/** One request of the ledger: whose it is, which tenants are searched for it, and what is known of it while it runs. */
import { expect, test } from 'vitest';
import { retrieveEndpoint } from '../../../lib/admin/requests/retrieve.ts';
import type { LedgerItem } from '../../../lib/core/accounting/journal.ts';
import type { User } from '../../../lib/core/admin/user.ts';
import type { TenantSum } from '../../../lib/core/ports/sums-store.ts';
import { anyCall } from '../../harness/admin/any-call.ts';
import { testRecord } from '../../harness/ledger.ts';

const now = Date.parse('2026-03-10T12:34:56Z');
const operator: User = { id: 'olga', name: 'Olga', role: 'operator', via: 'oidc' };
const admin: User = { ...operator, role: 'tenant_admin', tenant: 'acme' };
const member: User = { ...admin, id: 'mia', role: 'member' };

const ownKey = { id: 'key_own', tenant: 'acme', name: 'laptop', owner: 'mia' };

const attempt = testRecord().attempts[0];
if (!attempt) throw new Error('A record has an attempt.');

const record = testRecord({
  requestId: 'one',
  key: 'key_own',
  at: now - 1_000,
  attempts: [
    { ...attempt, at: now - 1_500, endedAt: now - 600, error: 'provider_error', charge: 5, cost: 4 },
    { ...attempt, at: now - 500, endedAt: now - 100, charge: 7, cost: 6 },
  ],
  cost: 10,
  charge: 12,
});

const sumOf = (tenant: string, lastAt: number): TenantSum => ({ period: '', tenant, numbers: {}, lastAt });

async function retrieve(user: User, item: LedgerItem, tenant?: string) {
  const asked: string[] = [];
  const parts = {
    usage: {
      async find(tenant: string) {
        asked.push(tenant);
        return tenant === item.record.tenant ? item : undefined;
      },
    },
    catalog: { find: async () => undefined },
    refusals: { find: async () => undefined, newest: async () => [] },
    tenants: { find: async () => undefined },
    sums: {
      tenantCharges: async (month: string) =>
        month === '2026-03' ? [sumOf('acme', 5), sumOf('other', 7)] : [sumOf('old', 6), sumOf('acme', 9)],
    },
    keys: {
      list: async ({ owner }: { readonly owner?: string }) =>
        owner === undefined || owner === ownKey.owner ? [ownKey] : [],
    },
    now: () => now,
  };
  const call = {
    parameters: { request_id: item.record.requestId, ...(tenant !== undefined && { tenant }) },
    body: {},
    user,
    ...anyCall(),
  };
  const answer = await retrieveEndpoint(parts).answer(call);
  if (answer.type !== 'json') throw new Error('It is no redirect.');
  return { body: answer.body, asked };
}

test('it has each attempt with its times from the beginning, and what operators alone know', async () => {
  const { body } = await retrieve(operator, { state: 'done', record });
  expect(body).toMatchObject({
    object: 'request',
    created_at: (now - 1_000) / 1000,
    status: 'ok',
    http_status: 200,
    total_ms: 10,
    key_name: 'laptop',
    cost_nano_usd: 12,
    provider_cost_nano_usd: 10,
    attempts: [
      // The clock of its process was behind.
      { began_after_ms: 0, ended_after_ms: 400, error: 'provider_error', cost_nano_usd: 5 },
      { began_after_ms: 500, ended_after_ms: 900, error: null, cost_nano_usd: 7, provider_cost_nano_usd: 6 },
    ],
  });
  const seen = (await retrieve(admin, { state: 'done', record })).body;
  expect(seen).toMatchObject({ cost_nano_usd: 12, attempts: [{ cost_nano_usd: 5 }, { cost_nano_usd: 7 }] });
  expect(JSON.stringify(seen)).not.toContain('provider_cost');
});

test('while it runs, its end and its amounts are unknown', async () => {
  const open = { state: 'open', record } as const;
  expect((await retrieve(operator, open)).body).toMatchObject({
    status: 'open',
    http_status: null,
    total_ms: null,
    cost: null,
    cost_nano_usd: null,
    provider_cost_nano_usd: null,
    attempts: [{ ended_after_ms: 400 }, { began_after_ms: 500, ended_after_ms: null }],
  });
});

test.each([
  ['ok', {}],
  ['failed', { status: 500 }],
  ['failed', { error: 'provider_error' }],
  ['interrupted', { error: 'interrupted' }],
])('its status is %s: %j', async (status, changes) => {
  const item = { state: 'done', record: { ...record, ...changes } } as const;
  expect((await retrieve(operator, item)).body).toMatchObject({ status });
});

test('of an attempt of long ago the end is unknown', async () => {
  const { endedAt: _, ...old } = attempt;
  const item = { state: 'done', record: { ...record, attempts: [old] } } as const;
  expect((await retrieve(operator, item)).body).toMatchObject({ attempts: [{ ended_after_ms: null }] });
});

test('without a tenant, those that were active last are searched', async () => {
  expect((await retrieve(operator, { state: 'done', record })).asked).toEqual(['acme', 'other', 'old']);
  expect((await retrieve(operator, { state: 'done', record }, 'acme')).asked).toEqual(['acme']);
  expect((await retrieve(admin, { state: 'done', record })).asked).toEqual(['acme']);
});

test.each<[string, User, object, string | undefined]>([
  ['of another tenant', admin, { tenant: 'other' }, undefined],
  ['of another key', member, { key: 'key_one' }, undefined],
  ['of a tenant that was not active', operator, { tenant: 'idle' }, undefined],
  ['of another tenant than the one that is named', operator, {}, 'other'],
])('one %s is not found', async (_, user, changes, tenant) => {
  const item = { state: 'done', record: { ...record, ...changes } } as const;
  await expect(retrieve(user, item, tenant)).rejects.toMatchObject({ status: 404, param: 'request_id' });
});

test('a member finds a request of its own key', async () => {
  expect((await retrieve(member, { state: 'done', record })).body).toMatchObject({ id: 'one' });
});
