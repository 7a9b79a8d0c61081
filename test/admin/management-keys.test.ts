/** Management keys on a local gateway: how a program calls the admin API, what it may, and what it never gets. */
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultManagementKeyDays, maxManagementKeys } from '../../lib/admin/management-keys/schema.ts';
import { adminOperations } from '../../lib/core/admin/admin-operations.ts';
import type { Role } from '../../lib/core/admin/user.ts';
import { daySeconds } from '../../lib/core/time.ts';
import { createManagementKeyStore } from '../../lib/stores/access/management-keys.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { type AdminClient, accessTable, clientOf, signInAs } from '../harness/admin/admin-client.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { use } from '../harness/use.ts';

const gateway = useGateway();
let admin: AdminClient;

const operator = use(() => signInAs(gateway(), { id: 'olga', name: 'Olga', role: 'operator' }));
beforeAll(async () => {
  await operator.call('POST', '/tenants', { body: { tenant: 'acme' } });
  await operator.call('POST', '/tenants', { body: { tenant: 'umbrella' } });
  admin = await signInAs(gateway(), { id: 'adam', name: 'Adam', role: 'tenant_admin', tenant: 'acme' });
});

const make = (by: AdminClient, body: object) =>
  by.call('POST', '/management-keys', { body: { name: 'ci', ...body } });

/** Sends it as programs do: without a cookie, and without the header of the page. */
function program(secret: string, base = 'admin/v1'): AdminClient {
  const { cookie, call } = clientOf(`${gateway().url}/${base}`, '');
  return {
    cookie,
    call: (method, path, request = {}) =>
      call(method, path, {
        ...request,
        headers: { authorization: `Bearer ${secret}`, 'x-dashboard': '', ...request.headers },
      }),
  };
}

/** A key that an operator has made, as the program that has it. */
const withKey = async (body: object) => program((await make(operator, body)).body.key);

const hourAhead = () => Math.floor(Date.now() / 1000) + 3_600;

test('a key is made, calls the API in its role, is named in the audit log, and is revoked at once', async () => {
  const { status, body } = await make(operator, { name: 'terraform', role: 'operator' });
  expect(status).toBe(200);
  const { key, ...row } = body;
  expect(key).toMatch(/^mgm_[\w-]{43}$/);
  expect(row).toMatchObject({
    object: 'management_key',
    name: 'terraform',
    role: 'operator',
    tenant: null,
    operations: null,
    status: 'active',
    created_by: { id: 'olga', name: 'Olga' },
  });
  expect(row.expires_at - row.created_at).toBe(defaultManagementKeyDays * daySeconds);

  const terraform = program(key);
  const made = await terraform.call('POST', '/tenants', { body: { tenant: 'by-terraform' } });
  expect(made.status).toBe(200);
  const { body: audit } = await operator.call('GET', `/audit?person=${row.id}`);
  const by = { id: row.id, name: 'terraform', role: 'operator', via: 'management_key' };
  expect(audit.data).toMatchObject([{ action: 'tenants.create', target: 'by-terraform', by }]);
  expect((await terraform.call('GET', '/session')).body).toMatchObject({ way: 'management_key' });

  expect((await operator.call('GET', `/management-keys/${row.id}`)).body).toEqual(row);
  const listed = await operator.call('GET', '/management-keys');
  expect(listed.body.data).toContainEqual(row);
  const stored = await openTable(accessTable()).scan('');
  expect(JSON.stringify([stored, listed.body, audit])).not.toContain(key.slice(4));

  const revoked = await operator.call('DELETE', `/management-keys/${row.id}`);
  expect(revoked.body).toEqual({ object: 'management_key', id: row.id, deleted: true });
  expect(await terraform.call('GET', '/tenants')).toMatchObject({
    status: 401,
    body: { error: { code: 'signed_out' } },
  });
  expect((await operator.call('DELETE', `/management-keys/${row.id}`)).status).toBe(404);
  const log = await operator.call('GET', '/audit?action=management_keys.revoke');
  expect(log.body.data[0]).toMatchObject({ target: row.id, before: { name: 'terraform' }, after: null });
});

test('an admin of a tenant makes and sees those of the tenant, and no others', async () => {
  const { body: own } = await make(admin, { role: 'tenant_admin' });
  expect(own).toMatchObject({ tenant: 'acme', role: 'tenant_admin' });
  const { body: other } = await make(operator, { role: 'viewer', tenant: 'umbrella' });
  const { body: list } = await admin.call('GET', '/management-keys');
  expect(list.data.map(({ id }: { id: string }) => id)).toEqual([own.id]);
  for (const method of ['GET', 'DELETE'])
    expect((await admin.call(method, `/management-keys/${other.id}`)).status).toBe(404);
  const reached = await program(own.key).call('GET', '/tenants/umbrella');
  expect([reached.status, (await program(own.key).call('GET', '/tenants/acme')).status]).toEqual([404, 200]);
});

test.each<readonly [string, Role, object, number, string | undefined]>([
  ['a role above the own', 'tenant_admin', { role: 'operator' }, 403, 'role'],
  ['another tenant', 'tenant_admin', { role: 'viewer', tenant: 'umbrella' }, 404, 'tenant'],
  ['an operator with a tenant', 'operator', { role: 'operator', tenant: 'acme' }, 400, 'tenant'],
  ['a role without its tenant', 'operator', { role: 'viewer' }, 400, 'tenant'],
  ['a tenant that does not exist', 'operator', { role: 'viewer', tenant: 'nowhere' }, 404, 'tenant'],
  ['an unknown operation', 'operator', { role: 'operator', operations: ['admin-x'] }, 400, 'operations.0'],
  ['no operation at all', 'operator', { role: 'operator', operations: [] }, 400, 'operations'],
  [
    'an operation of a higher role',
    'operator',
    { role: 'viewer', tenant: 'acme', operations: ['admin-keys-create'] },
    400,
    'operations',
  ],
  ['a time that is over', 'operator', { role: 'operator', expires_at: 1 }, 400, 'expires_at'],
  ['more than a year', 'operator', { role: 'operator', expires_at: 9_999_999_999 }, 400, 'expires_at'],
  ['no name', 'operator', { role: 'operator', name: '' }, 400, 'name'],
])('%s is refused to a key', async (_, by, body, status, param) => {
  const answer = await make(by === 'operator' ? operator : admin, body);
  expect(answer).toMatchObject({ status, body: { error: { param } } });
});

describe('a key that makes keys', () => {
  test('is one whose operations say so', async () => {
    const ci = await withKey({ role: 'operator' });
    const { body: other } = await make(operator, { role: 'viewer', tenant: 'acme' });
    expect((await ci.call('GET', '/management-keys')).status).toBe(200);
    for (const refused of [
      await make(ci, { role: 'viewer', tenant: 'acme' }),
      await ci.call('DELETE', `/management-keys/${other.id}`),
    ])
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'operation_not_allowed' } } });
  });

  test('gives no operation, role, tenant and time beyond its own', async () => {
    const operations = ['admin-management-keys-create', 'admin-keys-list', 'admin-keys-create'];
    const expires = hourAhead();
    const of = { tenant: 'acme', role: 'tenant_admin', operations, expires_at: expires };
    const ci = await withKey(of);
    const within = await make(ci, { role: 'member', operations: ['admin-keys-list'] });
    expect(within.body).toMatchObject({ role: 'member', tenant: 'acme', expires_at: expires });
    for (const [body, status, param] of [
      [{ role: 'operator', operations: ['admin-keys-list'] }, 403, 'role'],
      [{ role: 'viewer' }, 400, 'operations'],
      [{ role: 'viewer', operations: ['admin-keys-list', 'admin-usage'] }, 400, 'operations'],
      [{ role: 'viewer', operations: ['admin-keys-list'], expires_at: expires + 1 }, 400, 'expires_at'],
      [{ role: 'viewer', operations: ['admin-keys-list'], tenant: 'umbrella' }, 404, 'tenant'],
    ] as const)
      expect(await make(ci, body)).toMatchObject({ status, body: { error: { param } } });
  });

  test('revokes those of its tenant alone', async () => {
    const { body: above } = await make(operator, { role: 'operator' });
    const operations = ['admin-management-keys-revoke'];
    const ci = await withKey({ role: 'tenant_admin', tenant: 'acme', operations });
    const { body: beside } = await make(operator, { role: 'tenant_admin', tenant: 'acme' });
    const statuses = [above, beside].map(
      async ({ id }) => (await ci.call('DELETE', `/management-keys/${id}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 200]);
  });
});

test('a key with a list of operations calls these alone', async () => {
  const ci = await withKey({ role: 'operator', operations: ['admin-tenants-list'] });
  expect((await ci.call('GET', '/tenants')).status).toBe(200);
  for (const { method, path, name } of adminOperations.filter((one) => one.roles)) {
    if (name === 'admin-tenants-list') continue;
    const answer = await ci.call(method, path.replace('/admin/v1', '').replace(/\{\w+\+?\}/g, 'none'));
    expect(answer, name).toMatchObject({ status: 403, body: { error: { code: 'operation_not_allowed' } } });
  }
});

test('a key is no sign-in of a browser, no key for models, and nothing in a cookie', async () => {
  const { key } = (await make(operator, { role: 'viewer', tenant: 'acme' })).body;
  expect((await program(key).call('GET', '/keys')).status).toBe(200);
  const opened = await program(key).call('POST', '/session', { body: {} });
  expect([opened.status, opened.headers.getSetCookie()]).toEqual([403, []]);
  const asApiKey = await clientOf(`${gateway().url}/admin/v1`, '').call('POST', '/session', {
    body: { api_key: key },
  });
  expect([asApiKey.status, asApiKey.headers.getSetCookie()]).toEqual([401, []]);
  const inCookie = clientOf(`${gateway().url}/admin/v1`, `gateway-session=${key}`);
  expect((await inCookie.call('GET', '/keys')).status).toBe(401);
  expect((await program(key, 'account/v1').call('GET', '/keys')).status).toBe(401);
  const called = await program(key, 'v1').call('POST', '/chat/completions', { body: {} });
  expect([called.status, called.body.error.code]).toEqual([401, 'invalid_api_key']);
});

test('a key that has expired is refused, and shown as expired', async () => {
  const earlier = createManagementKeyStore({ ...accessTable(), now: () => Date.now() - 10_000 });
  const expiresAt = Math.floor(Date.now() / 1000) - 1;
  const createdBy = { id: 'olga', name: 'Olga' };
  const { id, secret } = await earlier.create({ name: 'old', role: 'operator', expiresAt, createdBy });
  expect((await program(secret).call('GET', '/tenants')).status).toBe(401);
  expect((await operator.call('GET', `/management-keys/${id}`)).body).toMatchObject({ status: 'expired' });
});

test('a tenant has a bounded number of them', async () => {
  await operator.call('POST', '/tenants', { body: { tenant: 'many' } });
  const store = createManagementKeyStore(accessTable());
  const facts = { role: 'viewer', tenant: 'many', createdBy: { id: 'olga', name: 'Olga' } } as const;
  const many = Array.from({ length: maxManagementKeys }, (_, at) =>
    store.create({ ...facts, name: `${at}`, expiresAt: hourAhead() }),
  );
  await Promise.all(many);
  expect((await make(operator, { role: 'viewer', tenant: 'many' })).status).toBe(409);
  expect(await store.list('many')).toHaveLength(maxManagementKeys);
  const ofNone = (await store.list(null)).map(({ role, tenant }) => [role, tenant]);
  expect(new Set(ofNone.flat())).toEqual(new Set(['operator', undefined]));
  const pages = await operator.call('GET', '/management-keys?tenant=many&limit=60');
  const { data, next_after: after } = pages.body;
  const rest = await operator.call('GET', `/management-keys?tenant=many&limit=60&after=${after}`);
  expect([data.length, rest.body.data.length, rest.body.has_more]).toEqual([60, 40, false]);
});

test('of all tenants they come in pages, newest first, also where the last of a page is revoked before the next', async () => {
  const ids: string[] = [];
  const all = (await operator.call('GET', '/management-keys?limit=1000')).body.data.map(
    ({ id }: { id: string }) => id,
  );
  for (let after = ''; ; ) {
    const { body } = await operator.call('GET', `/management-keys?limit=45${after}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.has_more) break;
    await operator.call('DELETE', `/management-keys/${ids.at(-1)}`);
    after = `&after=${body.next_after}`;
  }
  expect(ids).toEqual(all);
  expect(all.length).toBeGreaterThan(100);
  const wrong = await operator.call('GET', `/management-keys?after=${all[0]}`);
  expect([wrong.status, wrong.body.error.param]).toEqual([400, 'after']);
});
