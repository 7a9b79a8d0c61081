/** The session of the dashboard as its operations answer with it: by which sign-in, and what this gateway can do for the user. */
import { expect, test } from 'vitest';
import {
  endEndpoint,
  openEndpoint,
  type SessionParts,
  showEndpoint,
} from '../../lib/admin/sessions/endpoints.ts';
import { refreshCookie } from '../../lib/core/admin/session-cookie.ts';
import type { User } from '../../lib/core/admin/user.ts';

const operator: User = { id: 'olga', name: 'Olga', role: 'operator', via: 'oidc' };
const admin: User = { ...operator, role: 'tenant_admin', tenant: 'acme' };

const oidc = {
  client: { issuer: 'https://issuer.example', client_id: 'client', scopes: 'openid' },
  isSecure: true,
  ended: [] as string[],
  refresh: async () => ({ user: operator, idToken: 'id-token', expiresAt: 9, refreshToken: 'next' }),
  async end(token: string) {
    oidc.ended.push(token);
  },
  signOutUrl: async () => 'https://issuer.example/logout',
};

const partsOf = (changes: object = {}, user?: User) =>
  ({
    sessions: { end: async () => {} },
    findSession: async () => user && { user, expiresAt: 7 },
    findApiKey: async () => undefined,
    oidc: undefined,
    now: () => 1,
    ways: ['oidc', 'key'],
    addresses: { playgroundUrl: 'https://gateway.example/play' },
    features: { members: true, providers: true },
    ...changes,
  }) as unknown as SessionParts;

const kept = refreshCookie.set('token', 60, true);

const call = (headers: Readonly<Record<string, string>> = {}, isSecure = true) => ({
  parameters: {},
  body: {},
  shown: { isLocal: false, isSecure },
  header: (name: string) => ({ host: 'gateway.example', ...headers })[name],
  requestId: 'one',
  signal: AbortSignal.timeout(60_000),
});

test('one who is not signed in learns how to', async () => {
  const signedOut = { object: 'session', signed_in: false, ways: ['oidc', 'key'] };
  expect(await showEndpoint(partsOf()).answer(call())).toEqual({
    type: 'json',
    body: { ...signedOut, oidc: null },
  });
  expect(await showEndpoint(partsOf({ oidc })).answer(call())).toMatchObject({
    body: { ...signedOut, oidc: oidc.client },
  });
});

test('one who is signed in learns who it is, and where the gateway is', async () => {
  const shown = async (user: User, changes: object = {}, isSecure = true) =>
    (await showEndpoint(partsOf(changes, user)).answer(call({}, isSecure))) as { readonly body: object };
  expect((await shown(operator)).body).toEqual({
    object: 'session',
    signed_in: true,
    way: 'oidc',
    user: { id: 'olga', name: 'Olga' },
    role: 'operator',
    tenant: null,
    expires_at: 7,
    access_token: null,
    api_url: '/admin/v1',
    gateway_url: 'https://gateway.example/v1',
    playground_url: 'https://gateway.example/play',
    features: { members: true, providers: true },
  });
  expect((await shown(operator, {}, false)).body).toMatchObject({ gateway_url: 'http://gateway.example/v1' });
  const addresses = { gatewayUrl: 'https://other.example/v1', playgroundUrl: '' };
  expect((await shown(operator, { addresses })).body).toMatchObject({
    gateway_url: 'https://other.example/v1',
  });
  expect((await shown({ ...admin, via: 'key' })).body).toMatchObject({
    api_url: '/account/v1',
    tenant: 'acme',
  });
});

test.each([
  [operator, { members: true, providers: true }, { members: true, providers: true }],
  [operator, { members: false, providers: false }, { members: false, providers: false }],
  [admin, { members: true, providers: true }, { members: true, providers: false }],
  [
    { ...admin, role: 'member' as const },
    { members: true, providers: true },
    { members: false, providers: false },
  ],
])('of %j, what the gateway can do for it', async (user, features, expected) => {
  expect(await showEndpoint(partsOf({ features }, user)).answer(call())).toMatchObject({
    body: { features: expected },
  });
});

test('the refresh token of a cookie gives an ID token and the next one', async () => {
  const open = (changes: object, headers = {}, user?: User) =>
    openEndpoint(partsOf(changes, user)).answer(call(headers));
  const opened = await open({ oidc }, { cookie: kept });
  expect(opened).toMatchObject({
    body: { signed_in: true, access_token: 'id-token', expires_at: 9 },
    cookies: [expect.stringMatching(/^__Host-session=next; /)],
  });
  const known = await open({ oidc }, { cookie: kept }, admin);
  expect(known).toMatchObject({ body: { tenant: 'acme', access_token: null } });
  expect(known).not.toHaveProperty('cookies');
  const same = { ...oidc, refresh: async () => ({ user: operator, idToken: 'id-token', expiresAt: 9 }) };
  expect(await open({ oidc: same }, { cookie: kept })).toMatchObject({
    cookies: [expect.stringMatching(/^__Host-session=token; /)],
  });
  for (const [changes, headers] of [
    [{ oidc }, {}],
    [{}, { cookie: kept }],
  ])
    await expect(open(changes ?? {}, headers)).rejects.toMatchObject({ code: 'signed_out' });
});

test('signing out takes the refresh token back, and names where the session of the issuer ends', async () => {
  const end = (changes: object, headers = {}) => endEndpoint(partsOf(changes)).answer(call(headers));
  expect(await end({ oidc }, { cookie: kept })).toMatchObject({
    body: { signed_in: false, sign_out_url: 'https://issuer.example/logout' },
    cookies: [expect.stringContaining('gateway-session=;'), expect.stringContaining('__Host-session=;')],
  });
  expect(oidc.ended).toEqual(['token']);
  const without = await end({ oidc: { ...oidc, signOutUrl: async () => undefined } }, { cookie: kept });
  expect(without).toMatchObject({ body: { signed_in: false } });
  expect(JSON.stringify(without)).not.toContain('sign_out_url');
  for (const answer of [await end({ oidc }), await end({}, { cookie: kept })])
    expect(answer).toMatchObject({
      body: { signed_in: false },
      cookies: [expect.stringContaining('gateway-session=;')],
    });
});
