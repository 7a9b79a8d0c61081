/** Members over HTTP: who invites and removes whom, in a fake Cognito user pool whose API wants signatures. */

import { beforeAll, expect, test } from 'vitest';
import { createAuditLog } from '../../lib/stores/usage/audit.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { useAccess } from '../harness/access.ts';
import { useMembersGateway } from '../harness/cognito/members-gateway.ts';
import { type SignedInBrowser, signInByIssuer } from '../harness/cognito/sign-in.ts';
import { databaseEndpoint } from '../harness/gateways/environment.ts';

const { both, aws } = useMembersGateway();
const access = useAccess();

let operator: SignedInBrowser;
let admin: SignedInBrowser;

beforeAll(async () => {
  await access.tenants().create('acme');
  await access.tenants().create('other');
  const { pool } = both().cognito;
  pool.groups.set('tenant.acme', { description: '' });
  pool.add('op@example.com', { groups: ['operator'] });
  pool.add('admin@acme.example', { tenant: 'acme', groups: ['tenant-admin', 'tenant.acme'] });
  operator = await signInByIssuer(both(), 'op@example.com');
  admin = await signInByIssuer(both(), 'admin@acme.example');
});

const invite = (by: SignedInBrowser, email: string, role: string, tenant?: string) =>
  by.call('POST', '/members', { email, role, tenant });

async function auditOf(action: string) {
  const { call, close } = connectDatabase(databaseEndpoint());
  const log = createAuditLog({ call, table: 'usage', now: Date.now });
  const { records } = await log.list({ action, limit: 50 });
  await close();
  return records;
}

test('the page learns that this gateway manages its members', async () => {
  const { body } = await operator.call('GET', '/session');
  expect(body.features).toMatchObject({ members: true });
});

test('an operator invites a user to a tenant, who gets a mail and can sign in with that role', async () => {
  const { pool } = both().cognito;
  const invited = await invite(operator, 'New@Other.example', 'member', 'other');
  expect(invited).toMatchObject({
    status: 200,
    body: { object: 'member', email: 'new@other.example', role: 'member', tenant: 'other', status: 'active' },
  });
  expect(pool.outbox).toContainEqual(
    expect.objectContaining({ to: 'new@other.example', kind: 'invitation' }),
  );
  const { call } = await signInByIssuer(both(), 'new@other.example');
  const { body } = await call('GET', '/session');
  expect(body).toMatchObject({ role: 'member', tenant: 'other', user: { id: invited.body.id } });
  const [record] = await auditOf('members.invite');
  expect(record).toMatchObject({
    by: { name: 'op@example.com', role: 'operator', via: 'oidc' },
    tenant: 'other',
    target: invited.body.id,
    after: { email: 'new@other.example', role: 'member', tenant: 'other' },
  });
});

test('an invitation that is sent again with its Idempotency-Key is one mail', async () => {
  const { pool } = both().cognito;
  const send = () =>
    operator.browser.call(`${both().gateway.url}/admin/v1/members`, 'POST', {
      body: { email: 'once@example.com', role: 'operator' },
      headers: { authorization: `Bearer ${operator.token}`, 'idempotency-key': 'once' },
    });
  const [first, again] = [await send(), await send()];
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(pool.outbox.filter(({ to }) => to === 'once@example.com')).toHaveLength(1);
});

test('a tenant admin sees and invites only its own tenant, with no role above its own', async () => {
  const own = await invite(admin, 'second@acme.example', 'tenant_admin');
  expect(own.body).toMatchObject({ role: 'tenant_admin', tenant: 'acme' });
  const { body } = await admin.call('GET', '/members');
  expect(body.data.map(({ email }: { email: string }) => email)).toEqual([
    'admin@acme.example',
    'second@acme.example',
  ]);
  expect(body).toMatchObject({ object: 'list', has_more: false, next_after: null });

  const above = await invite(admin, 'x@acme.example', 'operator');
  expect(above).toMatchObject({ status: 403, body: { error: { code: 'role_not_allowed', param: 'role' } } });
  const elsewhere = await invite(admin, 'x@acme.example', 'viewer', 'other');
  expect(elsewhere).toMatchObject({ status: 404, body: { error: { param: 'tenant' } } });
  expect((await admin.call('GET', '/members?tenant=other')).status).toBe(404);
});

test('a user whose tenant is another does not appear in the list by a group alone', async () => {
  const { pool } = both().cognito;
  const stray = pool.add('stray@other.example', { tenant: 'other', groups: ['viewer', 'tenant.acme'] });
  const { body } = await admin.call('GET', '/members');
  expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(stray.username);
  pool.users.delete(stray.username);
});

test('removing a user ends its refresh token at once, and leaves a record', async () => {
  const { pool } = both().cognito;
  const gone = pool.add('gone@acme.example', { tenant: 'acme', groups: ['viewer', 'tenant.acme'] });
  const { browser, call } = await signInByIssuer(both(), 'gone@acme.example');
  const removed = await admin.call('DELETE', `/members/${gone.username}`);
  expect(removed).toMatchObject({ status: 200, body: { id: gone.username, deleted: true } });
  const refreshed = await browser.call(`${both().gateway.url}/admin/v1/session`, 'POST', { body: {} });
  expect(refreshed).toMatchObject({ status: 401, body: { error: { code: 'signed_out' } } });
  // The ID token counts until it expires, in ten minutes.
  expect((await call('GET', '/session')).body.signed_in).toBe(true);
  expect(
    aws.calls
      .filter(({ input }) => input.Username === gone.username)
      .slice(-3)
      .map(({ action }) => action),
  ).toEqual([
    'cognito-idp:AdminDisableUser',
    'cognito-idp:AdminUserGlobalSignOut',
    'cognito-idp:AdminDeleteUser',
  ]);
  const [record] = await auditOf('members.remove');
  expect(record).toMatchObject({
    by: { name: 'admin@acme.example', role: 'tenant_admin' },
    tenant: 'acme',
    before: { email: 'gone@acme.example', role: 'viewer', tenant: 'acme' },
  });
  expect((await admin.call('DELETE', `/members/${gone.username}`)).status).toBe(404);
});

test('a removal that was interrupted can be repeated, and the user cannot sign in meanwhile', async () => {
  const { pool } = both().cognito;
  const user = pool.add('half@acme.example', { tenant: 'acme', groups: ['viewer', 'tenant.acme'] });
  aws.faults.add('cognito-idp:AdminDeleteUser', 'denied');
  const failed = await admin.call('DELETE', `/members/${user.username}`);
  aws.faults.clear();
  expect(failed.status).toBe(500);
  expect(failed.body.error.message).toContain('GATEWAY_ADMIN_USER_POOL');
  expect(failed.body.error.message).toContain('AccessDeniedException');
  expect(user.enabled).toBe(false);
  const { body } = await admin.call('GET', '/members');
  expect(body.data).toContainEqual(expect.objectContaining({ id: user.username, status: 'disabled' }));
  expect((await admin.call('DELETE', `/members/${user.username}`)).status).toBe(200);
});

test('no one removes people of other tenants, of a higher role, or themselves', async () => {
  const { pool } = both().cognito;
  const foreign = pool.add('f@other.example', { tenant: 'other', groups: ['viewer', 'tenant.other'] });
  expect((await admin.call('DELETE', `/members/${foreign.username}`)).status).toBe(404);
  const op = pool.find('op@example.com')?.username;
  expect((await admin.call('DELETE', `/members/${op}`)).status).toBe(404);
  const self = await operator.call('DELETE', `/members/${op}`);
  expect(self).toMatchObject({ status: 400, body: { error: { param: 'member' } } });
  // An operator who also has a tenant stays above the tenant's admins, and out of their sight.
  const boss = pool.add('boss@acme.example', { tenant: 'acme', groups: ['operator', 'tenant.acme'] });
  expect((await admin.call('DELETE', `/members/${boss.username}`)).status).toBe(404);
  for (const id of ['x%22%20or%20sub%20=%20%22', '..', '%2e%2e', 'a'.repeat(65)]) {
    expect([400, 404]).toContain((await admin.call('DELETE', `/members/${id}`)).status);
  }
});

test.each([
  [{ email: 'no-address', role: 'viewer', tenant: 'acme' }, 'email'],
  [{ email: `${'a'.repeat(128)}@x.example`, role: 'viewer', tenant: 'acme' }, 'email'],
  [{ email: 'a"b@x.example', role: 'viewer', tenant: 'acme' }, 'email'],
  [{ email: 'a@x.example', role: 'admin', tenant: 'acme' }, 'role'],
  [{ email: 'a@x.example', role: 'operator', tenant: 'acme' }, 'tenant'],
  [{ email: 'a@x.example', role: 'viewer' }, 'tenant'],
  [{ email: 'a@x.example', role: 'viewer', tenant: 'a b' }, 'tenant'],
  [{ email: 'a@x.example', role: 'viewer', tenant: 'acme', admin: true }, 'admin'],
])('the invitation %j is refused and names %s', async (body, param) => {
  const refused = await operator.call('POST', '/members', body);
  expect(refused).toMatchObject({ status: 400, body: { error: { param } } });
});

test('a tenant that does not exist gets no members', async () => {
  const refused = await invite(operator, 'a@x.example', 'viewer', 'nobody');
  expect(refused).toMatchObject({ status: 404, body: { error: { param: 'tenant' } } });
});

test('an address is invited once', async () => {
  const again = await invite(operator, 'ADMIN@acme.example', 'viewer', 'acme');
  expect(again).toMatchObject({ status: 409, body: { error: { code: 'conflict', param: 'email' } } });
});

test('a user who came over another provider gets a role from an operator alone', async () => {
  const { pool } = both().cognito;
  const user = pool.add('sso@acme.example');
  user.status = 'EXTERNAL_PROVIDER';
  const invitation = { email: 'sso@acme.example', role: 'viewer', tenant: 'acme' };
  expect((await admin.call('POST', '/members', invitation)).status).toBe(409);
  const mails = pool.outbox.length;
  expect((await operator.call('POST', '/members', invitation)).body).toMatchObject({
    role: 'viewer',
    tenant: 'acme',
  });
  expect(pool.outbox.length).toBe(mails);
  const { call } = await signInByIssuer(both(), 'sso@acme.example');
  expect((await call('GET', '/session')).body).toMatchObject({ role: 'viewer', tenant: 'acme' });
});

test('a user whose role could not be set is taken back, so that it can be invited again', async () => {
  const { pool } = both().cognito;
  aws.faults.add('cognito-idp:AdminAddUserToGroup', 'denied', { times: 1 });
  const invitation = { email: 'late@acme.example', role: 'viewer', tenant: 'acme' };
  expect((await operator.call('POST', '/members', invitation)).status).toBe(500);
  expect(pool.find('late@acme.example')).toBeUndefined();
  expect((await operator.call('POST', '/members', invitation)).status).toBe(200);
});

test('members come in pages', async () => {
  const first = await operator.call('GET', '/members?limit=2');
  expect(first.body).toMatchObject({ has_more: true, next_after: expect.any(String) });
  const seen = new Set(first.body.data.map(({ id }: { id: string }) => id));
  const second = await operator.call(
    'GET',
    `/members?limit=2&after=${encodeURIComponent(first.body.next_after)}`,
  );
  expect(second.body.data.some(({ id }: { id: string }) => seen.has(id))).toBe(false);
  const wrong = await operator.call('GET', '/members?limit=51');
  expect(wrong).toMatchObject({ status: 400, body: { error: { param: 'limit' } } });
  expect(wrong.body.error.message).toContain('50');
});
