/** `login` at an issuer: by a code with PKCE, which the browser brings to a port of this machine (RFC 8252). */
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runGateway } from '../../cli/gateway.ts';
import type { IssuerSignIn } from '../../cli/url/sign-in-file.ts';
import { loopbackCallbacks } from '../../lib/core/admin/loopback-callbacks.ts';
import { Browser, useSignInGateway, walkThroughPages } from '../harness/cognito/sign-in.ts';
import { signingKeys, writeToken } from '../harness/cognito/tokens.ts';

const both = useSignInGateway();
const email = 'ada@example.com';
const directory = await mkdtemp(join(tmpdir(), 'gateway-login-'));
const file = join(directory, 'model-gateway', 'sign-in.json');

const refused = () =>
  `Error: You are not signed in, or no longer. Sign in with: login --url ${both().gateway.url}`;
const textOf = async () => await readFile(file, 'utf8').catch(() => '{}');
const stored = async (): Promise<IssuerSignIn | undefined> => JSON.parse(await textOf())[both().gateway.url];

/** `browse`: what the user's browser does with the address of the issuer that is printed. */
async function run(
  typed: string,
  { variables = {}, browse }: { variables?: object; browse?: (url: string) => Promise<unknown> } = {},
) {
  const output: string[] = [];
  const stderr: string[] = [];
  const browsed: Promise<unknown>[] = [];
  const code = await runGateway([...typed.split(' '), '--url', both().gateway.url], {
    variables: { XDG_CONFIG_HOME: directory, ...variables },
    terminal: {
      write: (line) => output.push(line),
      writeError: (line) => {
        stderr.push(line);
        const url = /^http:\S+\/oauth2\/authorize\?\S+$/m.exec(line)?.[0];
        if (url && browse) browsed.push(browse(url));
      },
      readValue: async () => '',
    },
  });
  await Promise.all(browsed);
  return { code, output: output.join('\n'), stderr: stderr.join('\n') };
}

const callbackOf = (url: string, user = email) => walkThroughPages(both().cognito, new Browser(), url, user);

/** Brings the code to the command line. */
const signIn = async (url: string) => {
  const returned = await fetch(await callbackOf(url));
  expect([returned.status, await returned.text()]).toEqual([200, expect.stringContaining('terminal')]);
};

beforeAll(() => {
  both().cognito.pool.add(email, { groups: ['operator'] });
  both().cognito.pool.add('guest@example.com');
});

test('a wrong state is refused, and nothing is kept', async () => {
  const { code, output, stderr } = await run('login', {
    async browse(url) {
      const callback = await callbackOf(url);
      callback.searchParams.set('state', 'another');
      await fetch(callback);
    },
  });
  expect([code, output, stderr]).toEqual([
    1,
    '',
    expect.stringContaining('Error: The answer of the sign-in is not for this command'),
  ]);
  expect(await textOf()).toBe('{}');
});

test('what the issuer refuses is refused here', async () => {
  const { code, stderr } = await run('login', {
    async browse(url) {
      const { redirect_uri: callback, state } = Object.fromEntries(new URL(url).searchParams);
      await fetch(`${callback}?${new URLSearchParams({ error: 'access_denied', state: `${state}` })}`);
    },
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('Error: The issuer refused it: access_denied')]);
});

test('a user without a role is not signed in', async () => {
  const { code } = await run('login', {
    browse: async (url) => await fetch(await callbackOf(url, 'guest@example.com')),
  });
  expect([code, await textOf()]).toEqual([1, '{}']);
});

test('login keeps what it got where only its owner can read, and calls are made with it', async () => {
  const { code, output, stderr } = await run('login', { browse: signIn });
  expect([code, output]).toEqual([0, `Signed in to ${both().gateway.url} as ${email} (operator).`]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { id_token: token, refresh_token: refresh } = (await stored()) ?? {};
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  for (const secret of [token, refresh]) expect(output + stderr).not.toContain(secret);
  expect(await run('tenants create acme --json')).toMatchObject({ code: 0 });
});

test('the address for the browser has a challenge of PKCE, and a registered callback', async () => {
  let asked: Record<string, string> = {};
  await run('login', {
    async browse(url) {
      asked = Object.fromEntries(new URL(url).searchParams);
      await signIn(url);
    },
  });
  expect(asked).toMatchObject({ response_type: 'code', code_challenge_method: 'S256' });
  expect(loopbackCallbacks).toContain(asked.redirect_uri);
  // The issuer compares callbacks whole: other ports, names and paths of this machine are refused.
  for (const other of [
    'http://localhost:8999/signed-in',
    `${asked.redirect_uri}/more`,
    `${asked.redirect_uri}`.replace('localhost', '127.0.0.1'),
  ]) {
    const query = new URLSearchParams({ ...asked, redirect_uri: other });
    const response = await fetch(`${both().cognito.url}/oauth2/authorize?${query}`, { redirect: 'manual' });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('redirect_mismatch'),
    ]);
  }
});

test('where a port is in use, the next one is taken', async () => {
  const [first = ''] = loopbackCallbacks;
  const server = createServer();
  // Whoever listens there already: it is in use either way.
  await new Promise((resolve) =>
    server.once('error', resolve).listen(Number(new URL(first).port), '127.0.0.1', () => resolve(undefined)),
  );
  try {
    let callback = first;
    const { code } = await run('login', {
      async browse(url) {
        callback = new URL(url).searchParams.get('redirect_uri') ?? '';
        await signIn(url);
      },
    });
    expect([code, loopbackCallbacks.indexOf(callback)]).toEqual([0, expect.toSatisfy((at) => at > 0)]);
  } finally {
    server.close();
  }
});

test('an ID token that has ended is exchanged for a new one', async () => {
  const known = await stored();
  if (!known) throw new Error('Not signed in.');
  const claims = JSON.parse(Buffer.from(known.id_token.split('.')[1] ?? '', 'base64url').toString());
  const ended = Math.floor(Date.now() / 1_000) - 600;
  const token = writeToken(signingKeys().id, { ...claims, iat: ended - 600, exp: ended });
  const variables = { GATEWAY_ADMIN_TOKEN: token };
  expect(await run('tenants list', { variables })).toMatchObject({ code: 1, stderr: refused() });
  const old = { ...known, id_token: token, expires_at: ended };
  await writeFile(file, JSON.stringify({ [both().gateway.url]: old }));

  expect(await run('tenants list')).toMatchObject({ code: 0, output: expect.stringContaining('acme') });
  const next = await stored();
  expect(next?.expires_at).toBeGreaterThan(Date.now() / 1_000);
  expect(next?.refresh_token).not.toBe(known.refresh_token);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('logout takes the refresh token back at the issuer, and forgets it', async () => {
  const { refresh_token: refresh = '' } = (await stored()) ?? {};
  const { pool, requests } = both().cognito;
  const family = pool.refreshTokens.get(refresh)?.family ?? '';
  expect(pool.revokedFamilies.has(family)).toBe(false);
  expect(await run('logout')).toMatchObject({ code: 0, stderr: '' });
  expect([requests.includes('/oauth2/revoke'), pool.revokedFamilies.has(family)]).toEqual([true, true]);
  expect(await stored()).toBeUndefined();
  expect(await run('tenants list')).toMatchObject({ code: 1, stderr: refused() });
});

test('a sign-in that the issuer has ended is not continued', async () => {
  await run('login', { browse: signIn });
  const known = await stored();
  const family = both().cognito.pool.refreshTokens.get(known?.refresh_token ?? '')?.family ?? '';
  both().cognito.pool.revokedFamilies.add(family);
  await writeFile(file, JSON.stringify({ [both().gateway.url]: { ...known, expires_at: 1 } }));
  expect(await run('tenants list')).toMatchObject({ code: 1, stderr: refused() });
});
