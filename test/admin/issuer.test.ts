/** What an issuer publishes, and who a user is by its claims: what is unusable is refused with what an operator repairs. */
import { describe, expect, test } from 'vitest';
import { cookieValueOf, readStarted, writeStarted } from '../../lib/admin/sign-in/browser-state.ts';
import { maxGroups, userOf } from '../../lib/admin/sign-in/claims.ts';
import { createIssuer } from '../../lib/admin/sign-in/issuer.ts';
import { readIssuerSettings } from '../../lib/admin/sign-in/settings.ts';

const issuer = 'https://issuer.example/pool';
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
};

const settings = readIssuerSettings({
  GATEWAY_ADMIN_ISSUER: issuer,
  GATEWAY_ADMIN_CLIENT_ID: 'client',
  GATEWAY_DASHBOARD_URL: 'https://gateway.example/',
});
if (!settings) throw new Error('There is an issuer.');

const json = (body: unknown, status = 200) => ({ status, headers: {}, text: JSON.stringify(body) });

type Answers = Readonly<Record<string, ReturnType<typeof json>>>;

function issuerWith(answers: Answers, { at = settings?.issuer ?? '' } = {}) {
  const asked: string[] = [];
  const sendForText = async ({ url }: { readonly url: string }) => {
    asked.push(url);
    const answer = answers[url];
    if (!answer) throw new Error('down');
    return answer;
  };
  const made = createIssuer({ ...settings, issuer: at } as NonNullable<typeof settings>, {
    sendForText,
    now: () => 1_000,
  });
  return { ...made, asked };
}

const discovery = `${issuer}/.well-known/openid-configuration`;

test('endpoints and keys are read once', async () => {
  const { keys, asked } = issuerWith({
    [discovery]: json(metadata),
    [`${issuer}/keys`]: json({ keys: [{ kid: 'a' }] }),
  });
  expect(await keys.get()).toEqual({ keys: [{ kid: 'a' }] });
  expect(await keys.get()).toEqual({ keys: [{ kid: 'a' }] });
  expect(asked).toEqual([discovery, `${issuer}/keys`]);
});

test('an issuer whose name ends with a slash publishes at the same place', async () => {
  const named = `${issuer}/`;
  const found = issuerWith({ [discovery]: json({ ...metadata, issuer: named }) }, { at: named });
  expect(await found.metadata.get()).toMatchObject({ issuer: named });
});

test('optional endpoints that cannot be used are left out', async () => {
  const given = {
    ...metadata,
    revocation_endpoint: 'http://issuer.example/r',
    end_session_endpoint: `${issuer}/end`,
  };
  const found = await issuerWith({ [discovery]: json(given) }).metadata.get();
  expect(found).toEqual({ ...metadata, end_session_endpoint: `${issuer}/end` });
});

test.each<[string, Answers]>([
  ['did not answer', {}],
  ['with status 404', { [discovery]: json(metadata, 404) }],
  ['with status 200', { [discovery]: json([]) }],
  ['by another address', { [discovery]: json({ ...metadata, issuer: `${issuer}/other` }) }],
  ['authorization_endpoint', { [discovery]: json({ ...metadata, authorization_endpoint: undefined }) }],
  ['token_endpoint', { [discovery]: json({ ...metadata, token_endpoint: 'http://issuer.example/token' }) }],
  ['jwks_uri', { [discovery]: json({ ...metadata, jwks_uri: 'keys' }) }],
  ['no keys', { [discovery]: json(metadata), [`${issuer}/keys`]: json({ keys: [] }) }],
])('an issuer is unavailable: %s', async (problem, answers) => {
  await expect(issuerWith(answers).keys.get()).rejects.toMatchObject({
    kind: 'sign_in_unavailable',
    message: expect.stringContaining(problem),
  });
});

test('fifty keys are read', async () => {
  const many = { keys: Array.from({ length: 51 }, (_, index) => ({ kid: `${index}` })) };
  const { keys } = issuerWith({ [discovery]: json(metadata), [`${issuer}/keys`]: json(many) });
  expect((await keys.get()).keys).toHaveLength(50);
});

describe('a user', () => {
  const claims = { sub: 's', exp: 2, iat: 1, 'cognito:groups': ['viewer'], 'custom:tenant': 'acme' };
  const user = (change: object) => userOf({ ...claims, ...change }, settings);

  test.each([
    [{ email: 'a@b.example', name: 'Ada' }, 'a@b.example'],
    [{ email: ' ', name: 'Ada', preferred_username: 'ada' }, 'Ada'],
    [{ email: 1, preferred_username: 'ada' }, 'ada'],
    [{}, 's'],
    [{ name: ' Ada\n\u0000Lovelace ' }, 'Ada Lovelace'],
    [{ name: 'x'.repeat(129) }, 'x'.repeat(128)],
  ])('of %j has the name %s', (given, name) => {
    expect(user(given)).toEqual({ id: 's', name, role: 'viewer', via: 'oidc', tenant: 'acme' });
  });

  test('has an id of at most 128 characters', () => {
    expect(user({ sub: 'x'.repeat(128) }).id).toHaveLength(128);
    for (const sub of ['x'.repeat(129), '', 5, 'a\u0000'])
      expect(() => user({ sub })).toThrow(expect.objectContaining({ code: 'signed_out' }));
  });

  test.each([
    [[...Array(maxGroups - 1).fill('other'), 'member'], 'member'],
    [[5, 'member'], 'member'],
    ['[ member , staff]', 'member'],
    ['member', 'member'],
  ])('has the role of its groups %#', (groups, role) => {
    expect(user({ 'cognito:groups': groups }).role).toBe(role);
  });

  test.each([
    [[...Array(maxGroups).fill('other'), 'member']],
    [''],
    ['[[member]]'],
    ['x[member]'],
    [{ member: true }],
    [undefined],
  ])('has no role by the groups %#', (groups) => {
    expect(() => user({ 'cognito:groups': groups })).toThrow(
      expect.objectContaining({ code: 'role_not_allowed', status: 403 }),
    );
  });

  test.each([[undefined], [''], [['acme', 'other']], ['a b'], [5]])('has no tenant by %j', (tenant) => {
    expect(() => user({ 'custom:tenant': tenant })).toThrow(/belong to no tenant/);
  });

  test('may have its claims below others', () => {
    const paths = { roleClaim: 'realm.roles', tenantClaim: 'realm.tenant' };
    const found = userOf({ ...claims, realm: { roles: ['member'], tenant: 'other' } }, paths);
    expect(found).toMatchObject({ role: 'member', tenant: 'other' });
    const withDots = {
      ...claims,
      'realm.roles': ['viewer'],
      'realm.tenant': 'own',
      realm: { roles: ['operator'] },
    };
    expect(userOf(withDots, paths)).toMatchObject({ role: 'viewer', tenant: 'own' });
    expect(() => userOf({ ...claims, realm: 'roles' }, paths)).toThrow(/no role/);
    expect(() => userOf(claims, { ...paths, roleClaim: 'constructor.name' })).toThrow(/no role/);
  });
});

describe('a sign-in that has begun', () => {
  const started = { state: 's', nonce: 'n', verifier: 'v', returnPath: '/dashboard/keys', endsAt: 700 };

  test('is read until ten minutes have passed', () => {
    expect(readStarted(writeStarted(started), 100_000)).toEqual(started);
    expect(readStarted(writeStarted(started), 699_999)).toEqual(started);
    expect(readStarted(writeStarted(started), 700_000)).toBeUndefined();
    // One that ends later was not begun here.
    expect(readStarted(writeStarted(started), 99_999)).toBeUndefined();
  });

  test.each([undefined, '', 'x', writeStarted({ ...started, more: 1 } as typeof started)])(
    'is no %s',
    (text) => {
      expect(readStarted(text, 200_000)).toBeUndefined();
    },
  );

  test('leads to no other page than the dashboard’s', () => {
    const elsewhere = writeStarted({ ...started, returnPath: 'https://evil.example' });
    expect(readStarted(elsewhere, 200_000)?.returnPath).toBe('/dashboard/overview');
  });
});

test('a cookie holds a refresh token of plain characters', () => {
  expect(cookieValueOf('a-b.c_d')).toBe('a-b.c_d');
  for (const token of [undefined, '', 'a;b', 'a b', 'x'.repeat(5_000)])
    expect(() => cookieValueOf(token)).toThrow(expect.objectContaining({ kind: 'sign_in_unavailable' }));
});
