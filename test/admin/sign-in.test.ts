/** Sign-in at an issuer over HTTP: the local gateway and a fake Cognito user pool. */
import { expect, test } from 'vitest';
import { firstPage, returnPathOf } from '../../lib/admin/sign-in/browser-state.ts';
import {
  Browser,
  callWith,
  locationOf,
  signInByIssuer,
  useSignInGateway,
  walkToCallback,
} from '../harness/cognito/sign-in.ts';

const both = useSignInGateway();

const session = () => `${both().gateway.url}/admin/v1/session`;
const open = (browser: Browser) => browser.call(session(), 'POST', { body: {} });
const problemAt = (response: Response) => locationOf(response).searchParams.get('sign_in_problem');

test('a stranger learns the ways in and what a public client needs', async () => {
  const { body } = await new Browser().call(session(), 'GET');
  expect(body).toEqual({
    object: 'session',
    signed_in: false,
    ways: ['oidc', 'address', 'key'],
    oidc: {
      issuer: both().cognito.issuer,
      client_id: both().cognito.pool.client.id,
      scopes: 'openid email profile',
    },
  });
});

test('an operator signs in with PKCE, state and nonce, comes back to the page and gets a short ID token', async () => {
  const { cognito, gateway } = both();
  const user = cognito.pool.add('Ada@example.com', { groups: ['operator'] });
  const browser = new Browser();
  const begun = await browser.open(
    `${gateway.url}/admin/v1/sign-in?return=${encodeURIComponent('/dashboard/keys?tenant=a')}`,
  );
  expect(begun.status).toBe(303);
  expect(begun.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^gateway-sign-in=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
  ]);
  const asked = locationOf(begun);
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    client_id: cognito.pool.client.id,
    response_type: 'code',
    redirect_uri: `${gateway.url}/admin/v1/sign-in/callback`,
    scope: 'openid email profile',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  const login = locationOf(await browser.open(asked.href), cognito.url);
  await browser.post(login.href, { email: 'ada@example.com' });
  const code = cognito.pool.mailedCodes.get('ada@example.com') ?? '';
  const callback = locationOf(await browser.post(login.href, { email: 'ada@example.com', code }));

  const done = await browser.open(callback.href);
  expect(done.status).toBe(303);
  expect(done.headers.get('location')).toBe(`${gateway.url}/dashboard/keys?tenant=a`);
  expect(done.headers.get('cache-control')).toBe('no-store');
  expect(done.headers.get('referrer-policy')).toBe('no-referrer');
  expect(done.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^gateway-refresh=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/),
    'gateway-sign-in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    'gateway-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
  ]);

  const { body, headers } = await open(browser);
  expect(body).toMatchObject({
    signed_in: true,
    way: 'oidc',
    user: { id: user.username, name: 'ada@example.com' },
    role: 'operator',
    tenant: null,
    api_url: '/admin/v1',
  });
  expect(body.expires_at).toBeLessThanOrEqual(Date.now() / 1000 + 600);
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^gateway-refresh=[\w-]{43};.*HttpOnly; SameSite=Strict$/),
  ]);
  const known = await callWith(both(), body.access_token)('GET', '/session');
  expect(known.body).toMatchObject({ signed_in: true, role: 'operator', access_token: null });
});

test('the usual check of a token takes no request to the issuer', async () => {
  const { cognito } = both();
  cognito.pool.add('quiet@example.com', { groups: ['operator'] });
  const { call } = await signInByIssuer(both(), 'quiet@example.com');
  await call('GET', '/session');
  cognito.requests.length = 0;
  for (let count = 0; count < 5; count += 1)
    expect((await call('GET', '/session')).body.signed_in).toBe(true);
  expect(cognito.requests).toEqual([]);
});

test('a refresh gives another refresh token; the one before counts for a minute and never again', async () => {
  const { cognito } = both();
  cognito.pool.add('grace@example.com', { groups: ['operator'] });
  const { browser } = await signInByIssuer(both(), 'grace@example.com');
  const old = new Browser();
  old.cookies.set('gateway-refresh', browser.cookies.get('gateway-refresh') ?? '');
  const before = browser.cookie;
  expect((await open(browser)).status).toBe(200);
  expect(browser.cookie).not.toBe(before);
  // A second tab at the same time.
  expect((await open(old)).status).toBe(200);
  const stolen = new Browser();
  stolen.cookies.set('gateway-refresh', before.split('=')[1] ?? '');
  cognito.pool.now = () => Date.now() + 61_000;
  try {
    const reused = await open(stolen);
    expect(reused.status).toBe(401);
    expect(reused.body.error).toMatchObject({
      code: 'signed_out',
      message: 'Your session has ended. Sign in again.',
    });
  } finally {
    cognito.pool.now = Date.now;
  }
});

test('signing out takes the refresh token back and names where the session of the issuer ends', async () => {
  const { cognito, gateway } = both();
  cognito.pool.add('out@example.com', { groups: ['operator'] });
  const { browser } = await signInByIssuer(both(), 'out@example.com');
  const kept = browser.cookies.get('gateway-refresh') ?? '';
  const ended = await browser.call(session(), 'DELETE');
  expect(ended.body).toMatchObject({ object: 'session', signed_in: false });
  expect(browser.cookies.has('gateway-refresh')).toBe(false);
  const stolen = new Browser();
  stolen.cookies.set('gateway-refresh', kept);
  expect((await open(stolen)).status).toBe(401);
  // Without this step the issuer would let the browser in again without a question.
  const back = await browser.open(ended.body.sign_out_url);
  expect(back.headers.get('location')).toBe(`${gateway.url}${firstPage}`);
  const asked = locationOf(await browser.open(`${gateway.url}/admin/v1/sign-in`));
  asked.searchParams.set('prompt', 'none');
  expect(locationOf(await browser.open(asked.href)).searchParams.get('error')).toBe('login_required');
});

test.each([
  ['a state of another sign-in', (url: URL) => url.searchParams.set('state', 'other')],
  ['no state', (url: URL) => url.searchParams.delete('state')],
  ['two states', (url: URL) => url.searchParams.append('state', 'other')],
])('%s opens no session', async (_, change) => {
  const { cognito } = both();
  const email = `state-${cognito.pool.users.size}@example.com`;
  cognito.pool.add(email, { groups: ['operator'] });
  const browser = new Browser();
  const callback = await walkToCallback(both(), browser, email);
  change(callback);
  const done = await browser.open(callback.href);
  expect(problemAt(done)).toBe('not_started');
  expect(browser.cookies.has('gateway-refresh')).toBe(false);
});

test('a callback in a browser that did not begin the sign-in opens no session', async () => {
  const { cognito } = both();
  cognito.pool.add('foreign@example.com', { groups: ['operator'] });
  const callback = await walkToCallback(both(), new Browser(), 'foreign@example.com');
  const victim = new Browser();
  expect(problemAt(await victim.open(callback.href))).toBe('not_started');
  expect(victim.cookies.size).toBe(0);
});

test('a code counts once, and only with the verifier of its sign-in', async () => {
  const { cognito, gateway } = both();
  cognito.pool.add('code@example.com', { groups: ['operator'] });
  const browser = new Browser();
  const callback = await walkToCallback(both(), browser, 'code@example.com');
  const started = browser.cookies.get('gateway-sign-in') ?? '';
  await browser.open(callback.href);
  const again = new Browser();
  again.cookies.set('gateway-sign-in', started);
  expect(problemAt(await again.open(callback.href))).toBe('failed');

  // Someone puts a code of the own account into a sign-in that the victim began.
  const attacker = new Browser();
  const own = await walkToCallback(both(), attacker, 'code@example.com');
  const victim = new Browser();
  const begun = locationOf(await victim.open(`${gateway.url}/admin/v1/sign-in`));
  own.searchParams.set('state', begun.searchParams.get('state') ?? '');
  expect(problemAt(await victim.open(own.href))).toBe('failed');
  expect(victim.cookies.has('gateway-refresh')).toBe(false);
});

test('an ID token with the nonce of another sign-in opens no session', async () => {
  const { cognito } = both();
  cognito.pool.add('nonce@example.com', { groups: ['operator'] });
  const browser = new Browser();
  const callback = await walkToCallback(both(), browser, 'nonce@example.com');
  const code = callback.searchParams.get('code') ?? '';
  const issued = cognito.pool.codes.get(code);
  if (issued) cognito.pool.codes.set(code, { ...issued, nonce: 'another' });
  expect(problemAt(await browser.open(callback.href))).toBe('failed');
});

test.each([-1, 660])('a sign-in that ends %d seconds from now has to begin again', async (seconds) => {
  const { gateway } = both();
  const late = {
    state: 's',
    nonce: 'n',
    verifier: 'v',
    returnPath: firstPage,
    endsAt: Math.floor(Date.now() / 1000) + seconds,
  };
  const browser = new Browser();
  browser.cookies.set('gateway-sign-in', Buffer.from(JSON.stringify(late)).toString('base64url'));
  expect(problemAt(await browser.open(`${gateway.url}/admin/v1/sign-in/callback?code=c&state=s`))).toBe(
    'not_started',
  );
});

test('a return path that was put into the cookie leads to the first page', async () => {
  const { cognito, gateway } = both();
  cognito.pool.add('planted@example.com', { groups: ['operator'] });
  const browser = new Browser();
  const callback = await walkToCallback(both(), browser, 'planted@example.com');
  const kept = JSON.parse(Buffer.from(browser.cookies.get('gateway-sign-in') ?? '', 'base64url').toString());
  const planted = { ...kept, returnPath: '@evil.example/' };
  browser.cookies.set('gateway-sign-in', Buffer.from(JSON.stringify(planted)).toString('base64url'));
  const done = await browser.open(callback.href);
  expect(done.headers.get('location')).toBe(`${gateway.url}${firstPage}`);
});

test('a refusal of the issuer is shown by name, and none of its texts', async () => {
  const { gateway } = both();
  const browser = new Browser();
  const begun = locationOf(await browser.open(`${gateway.url}/admin/v1/sign-in`));
  const query = new URLSearchParams({
    error: 'access_denied',
    error_description: '<script>alert(1)</script>',
    state: begun.searchParams.get('state') ?? '',
  });
  const done = await browser.open(`${gateway.url}/admin/v1/sign-in/callback?${query}`);
  expect(done.headers.get('location')).toBe(`${gateway.url}${firstPage}?sign_in_problem=refused`);
});

test.each([
  'https://evil.example/dashboard/',
  '//evil.example/dashboard/',
  '/\\evil.example',
  '/dashboard\\..\\..\\evil',
  '/dashboard/../admin/v1/session',
  '/dashboard/%2e%2e/admin/v1/session',
  '/dashboardx',
  '/dashboard\t/../x',
  'javascript:alert(1)',
  `/dashboard/${'a'.repeat(1_001)}`,
  '',
])('the return path %j leads to the first page', (returnPath) => {
  expect(returnPathOf(returnPath)).toBe(firstPage);
});

test.each(['sign-in', 'sign-in/callback?code=c&state=s'])('HEAD begins and ends none: %s', async (path) => {
  const address = `${both().gateway.url}/admin/v1/${path}`;
  const { status, headers } = await fetch(address, { method: 'HEAD', redirect: 'manual' });
  expect([status, headers.getSetCookie()]).toEqual([405, []]);
});

test('the cookie of the issuer counts only for the own page', async () => {
  const { cognito } = both();
  cognito.pool.add('csrf@example.com', { groups: ['operator'] });
  const { browser } = await signInByIssuer(both(), 'csrf@example.com');
  const foreign = await browser.call(session(), 'POST', {
    body: {},
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  expect(foreign).toMatchObject({ status: 403, body: { error: { code: 'cross_site' } } });
  const unmarked = await browser.call(session(), 'DELETE', { headers: { 'x-dashboard': '0' } });
  expect(unmarked).toMatchObject({ status: 403, body: { error: { code: 'cross_site' } } });
  expect((await open(browser)).status).toBe(200);
});

test('an issuer that does not answer is named with its setting, and only the sign-in needs it', async () => {
  const { cognito, gateway } = both();
  cognito.pool.add('down@example.com', { groups: ['operator'] });
  const { browser, call } = await signInByIssuer(both(), 'down@example.com');
  cognito.isDown = true;
  try {
    expect((await call('GET', '/session')).body.signed_in).toBe(true);
    const refused = await open(browser);
    expect(refused.status).toBe(503);
    expect(refused.body.error).toMatchObject({ code: 'sign_in_unavailable' });
    expect(refused.body.error.message).toContain('GATEWAY_ADMIN_ISSUER did not answer');
    expect(browser.cookies.has('gateway-refresh')).toBe(true);
    // Where the code cannot be exchanged, the page shows why.
    const other = new Browser();
    const begun = locationOf(await other.open(`${gateway.url}/admin/v1/sign-in`));
    const query = new URLSearchParams({ code: 'c', state: begun.searchParams.get('state') ?? '' });
    const done = await other.open(`${gateway.url}/admin/v1/sign-in/callback?${query}`);
    expect(problemAt(done)).toBe('unavailable');
  } finally {
    cognito.isDown = false;
  }
});
