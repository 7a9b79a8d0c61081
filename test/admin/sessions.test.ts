/** Sessions of the dashboard on a local gateway: by the one-time address, and by an API key. */

import { expect, test } from 'vitest';
import type { User } from '../../lib/core/admin/user.ts';
import { hashApiKey, newApiKey } from '../../lib/core/names/api-key.ts';
import { createFoundation } from '../../lib/runtime/foundation.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { sessionSeconds, ticketSeconds } from '../../lib/stores/sessions/sessions.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { disableKey, suspendTenant } from '../harness/access.ts';
import { accessTable, clientOf, cookieOf, sessionStore, signInByKey } from '../harness/admin/admin-client.ts';
import { captureLog } from '../harness/captured-log.ts';
import { gatewayEnvironment } from '../harness/gateways/environment.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';

const gateway = useGateway();
const keyStore = () => createKeyStore(accessTable());
const clientWith = (cookie: string) => clientOf(`${gateway().url}/admin/v1`, cookie);
const show = (cookie: string) => clientWith(cookie).call('GET', '/session');

test('the one-time address signs in once, with a cookie that no page can read', async () => {
  const { dashboardUrl } = gateway();
  const response = await fetch(dashboardUrl, { redirect: 'manual' });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe('/dashboard/');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  const [cookie = ''] = response.headers.getSetCookie();
  expect(cookie).toMatch(
    /^gateway-session=mgs_[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  const session = await show(cookieOf(response));
  expect(session.body).toMatchObject({
    signed_in: true,
    role: 'operator',
    way: 'address',
    api_url: '/admin/v1',
  });
  const again = await fetch(dashboardUrl, { redirect: 'manual' });
  expect(again.headers.get('location')).toBe('/dashboard/#used-address');
  expect(again.headers.getSetCookie()).toEqual([]);
});

test('a stranger learns the ways in, and nothing else', async () => {
  const { body, headers } = await clientWith('').call('GET', '/session');
  expect(body).toEqual({ object: 'session', signed_in: false, ways: ['address', 'key'], oidc: null });
  expect(headers.get('cache-control')).toBe('no-store');
});

test('an API key opens a session of a viewer of its tenant, which ends at sign-out', async () => {
  const client = await signInByKey(gateway(), gateway().apiKey);
  const here = clientWith(client.cookie);
  expect((await here.call('GET', '/session')).body).toMatchObject({
    signed_in: true,
    role: 'viewer',
    tenant: 'local',
    way: 'key',
    api_url: '/account/v1',
  });
  expect((await here.call('DELETE', '/session')).body).toMatchObject({ signed_in: false });
  expect((await here.call('GET', '/session')).body).toMatchObject({ signed_in: false });
});

test('a key that is not valid opens no session, and nothing is said about why', async () => {
  const stranger = clientWith('');
  const { status, body, headers } = await stranger.call('POST', '/session', {
    body: { api_key: newApiKey() },
  });
  expect(status).toBe(401);
  expect(body.error).toMatchObject({ code: 'invalid_api_key', param: 'api_key' });
  expect(headers.getSetCookie()).toEqual([]);
  const long = await stranger.call('POST', '/session', { body: { api_key: 'm'.repeat(201) } });
  expect(long).toMatchObject({ status: 400, body: { error: { param: 'api_key' } } });
  expect(long.body.error.message).toContain('200');
});

test('a session by a key that is disabled, or expired, has ended', async () => {
  const keys = keyStore();
  const { secret, id } = await keys.create({ tenant: 'ended' });
  const client = await signInByKey(gateway(), secret);
  const session = () => show(client.cookie);
  expect((await session()).body).toMatchObject({ signed_in: true, tenant: 'ended', user: { id } });
  await disableKey(accessTable(), id);
  expect((await session()).body).toMatchObject({ signed_in: false });
  const expiring = await keys.create({ tenant: 'ended', expiresAt: Math.ceil(Date.now() / 1000) + 1 });
  const short = await signInByKey(gateway(), expiring.secret);
  await expect
    .poll(async () => (await show(short.cookie)).body, { timeout: 5_000 })
    .toMatchObject({ signed_in: false });
});

test.each<[string, Partial<User>, boolean]>([
  ['of a sign-in at an issuer, which is never stored', { via: 'oidc', role: 'operator' }, false],
  ['of a command', { via: 'command', role: 'operator' }, false],
  ['of a key without the key', { via: 'key', role: 'viewer' }, false],
  ['of a key with a role of its own', { via: 'key', role: 'operator' }, true],
  ['of a key for another tenant', { via: 'key', role: 'viewer', tenant: 'other' }, true],
  ['of a key for another key', { via: 'key', role: 'viewer', keyId: 'key_000000000000' }, true],
])('a stored session %s opens nothing', async (_, stored, withHash) => {
  const { secret, id } = await keyStore().create({ tenant: 'forged' });
  const user = {
    id,
    name: id,
    tenant: 'forged',
    keyId: id,
    role: 'viewer',
    via: 'key',
    ...stored,
  } as const;
  const { token } = await sessionStore().open(user, withHash ? hashApiKey(secret) : undefined);
  for (const path of ['/admin/v1/keys', '/account/v1/keys']) {
    const client = clientOf(`${gateway().url}${path}`, `gateway-session=${token}`);
    expect(await client.call('GET', '')).toMatchObject({ status: 401 });
  }
});

test('a suspended tenant may still look', async () => {
  const { secret } = await keyStore().create({ tenant: 'halted' });
  await suspendTenant(accessTable(), 'halted');
  const client = await signInByKey(gateway(), secret);
  const session = await show(client.cookie);
  expect(session.body).toMatchObject({ signed_in: true, tenant: 'halted' });
});

test('sessions and one-time addresses end by themselves', async () => {
  const earlier = (seconds: number) => sessionStore(() => Date.now() - seconds * 1000);
  const user = { id: 'ada', name: 'Ada', role: 'operator', via: 'address' } as const;
  const open = async (seconds: number) => (await earlier(seconds).open(user)).token;
  const find = (token: string) => sessionStore().find(token);
  expect(await find(await open(sessionSeconds - 5))).toMatchObject({ user });
  expect(await find(await open(sessionSeconds))).toBeUndefined();
  const take = async (seconds: number) =>
    await sessionStore().takeTicket(await earlier(seconds).makeTicket('ada'));
  expect(await take(ticketSeconds - 5)).toBe('ada');
  expect(await take(ticketSeconds)).toBeUndefined();
});

test('of two requests with one address at the same moment, one signs in', async () => {
  const ticket = await sessionStore().makeTicket('ada');
  const open = () => fetch(`${gateway().url}/dashboard/start?token=${ticket}`, { redirect: 'manual' });
  const responses = await Promise.all([open(), open(), open(), open()]);
  const signedIn = responses.filter((response) => response.headers.getSetCookie().length > 0);
  expect(signedIn).toHaveLength(1);
});

test('a preview of a one-time address does not open it', async () => {
  const ticket = await sessionStore().makeTicket('ada');
  const address = `${gateway().url}/dashboard/start?token=${ticket}`;
  const preview = await fetch(address, { method: 'HEAD', redirect: 'manual' });
  expect([preview.status, preview.headers.getSetCookie()]).toEqual([405, []]);
  const opened = await fetch(address, { redirect: 'manual' });
  expect(opened.headers.getSetCookie()).toHaveLength(1);
});

test('a one-time address, and what it opens, is for this machine', async () => {
  const ticket = await sessionStore().makeTicket('ada');
  const address = `${gateway().url}/dashboard/start?token=${ticket}`;
  for (const headers of [
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=1.2.3.4' },
    // All that many a configuration adds.
    { 'x-real-ip': '1.2.3.4' },
    { 'x-forwarded-proto': 'https' },
    { 'x-forwarded-host': 'gateway.example' },
    { via: '1.1 proxy' },
  ]) {
    const refused = await fetch(address, { redirect: 'manual', headers });
    expect(refused.headers.get('location')).toBe('/dashboard/#used-address');
  }
  const client = clientWith(cookieOf(await fetch(address, { redirect: 'manual' })));
  expect((await client.call('GET', '/session')).body).toMatchObject({ signed_in: true });
  const proxied = await client.call('GET', '/session', { headers: { 'x-forwarded-for': '127.0.0.1' } });
  expect(proxied.body).toMatchObject({ signed_in: false });
});

test('over TLS, the cookie is bound to this host, and one that was set without TLS is invalid', async () => {
  const { secret } = await keyStore().create({ tenant: 'secure' });
  const stranger = clientWith('');
  const headers = { 'x-forwarded-proto': 'https' };
  const opened = await stranger.call('POST', '/session', { body: { api_key: secret }, headers });
  const [cookie = ''] = opened.headers.getSetCookie();
  expect(cookie).toMatch(
    /^__Host-gateway-session=mgs_[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
  );
  expect(opened.body.gateway_url).toMatch(/^https:/);
  const [pair = ''] = cookie.split(';');
  const showOver = (sent: string) => clientWith(sent).call('GET', '/session', { headers });
  expect((await showOver(pair)).body).toMatchObject({ signed_in: true });
  expect((await showOver(pair.replace('__Host-', ''))).body).toMatchObject({ signed_in: false });
});

test('a token in the header Authorization is a session, too: for command lines', async () => {
  const { secret } = await keyStore().create({ tenant: 'line' });
  const { cookie } = await signInByKey(gateway(), secret);
  const headers = { authorization: `Bearer ${cookie.split('=')[1]}` };
  const stranger = clientWith('');
  expect((await stranger.call('GET', '/session', { headers })).body).toMatchObject({ tenant: 'line' });
  await stranger.call('DELETE', '/session', { headers });
  expect((await stranger.call('GET', '/session', { headers })).body).toMatchObject({ signed_in: false });
});

test('no token, and no key, is in the log, in an answer or in the database', async () => {
  const { secret } = await keyStore().create({ tenant: 'quiet' });
  const log = captureLog();
  const ticket = await sessionStore().makeTicket('ada');
  const started = await fetch(`${gateway().url}/dashboard/start?token=${ticket}`, { redirect: 'manual' });
  const [token = ''] = cookieOf(started).split('=').slice(1);
  const client = await signInByKey(gateway(), secret);
  const shown = await show(client.cookie);
  log.close();
  expect(log.lines.filter((line) => line.includes('admin-session'))).toHaveLength(3);
  const items = JSON.stringify(
    await openTable(createFoundation(createNodeClient(), gatewayEnvironment()).table('state')).scan(''),
  );
  const written = [...log.lines, JSON.stringify(shown.body), items].join('\n');
  for (const hidden of [ticket, token, secret, client.cookie.split('=')[1] ?? 'none'])
    expect(written).not.toContain(hidden);
});
