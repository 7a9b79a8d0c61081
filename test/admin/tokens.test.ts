/** Who a user is by an ID token: forged, foreign and old tokens, roles and tenants. */
import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { callWith, useSignInGateway } from '../harness/cognito/sign-in.ts';
import {
  accessTokenClaims,
  idTokenClaims,
  newSigningKey,
  publicJwk,
  signingKeys,
  writeToken,
} from '../harness/cognito/tokens.ts';

const both = useSignInGateway();

afterEach(() => {
  const { cognito } = both();
  const { id, access } = signingKeys();
  cognito.keys = [publicJwk(id), publicJwk(access)];
});

const request = () => ({ issuer: both().cognito.issuer, scope: 'openid', family: 'f' });
const operator = () => {
  const { pool } = both().cognito;
  return pool.find('ada@example.com') ?? pool.add('ada@example.com', { groups: ['operator'] });
};
const claims = (): Readonly<Record<string, unknown>> =>
  idTokenClaims(both().cognito.pool, operator(), request());
const show = async (token: string) => await callWith(both(), token)('GET', '/session');
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function refusal(token: string): Promise<string> {
  const { status, body, headers } = await show(token);
  expect({ status, code: body.error?.code }).toEqual({ status: 401, code: 'signed_out' });
  expect(headers.get('www-authenticate')).toBe('Bearer');
  expect(headers.get('x-should-retry')).toBe('false');
  expect(JSON.stringify(body)).not.toContain(token.slice(0, 40));
  return body.error.message;
}

test('a token of the issuer counts', async () => {
  const { body } = await show(writeToken(signingKeys().id, claims()));
  expect(body).toMatchObject({ signed_in: true, role: 'operator', tenant: null, way: 'oidc' });
});

describe('a token is invalid', () => {
  test('without a signature', async () => {
    const none = `${encoded({ alg: 'none', kid: signingKeys().id.kid })}.${encoded(claims())}.`;
    expect(await refusal(none)).toContain('its signature algorithm is not allowed');
  });

  test('with the public key as the secret of an HMAC', async () => {
    const { id } = signingKeys();
    const head = `${encoded({ alg: 'HS256', kid: id.kid })}.${encoded(claims())}`;
    for (const secret of [
      id.publicKey.export({ type: 'spki', format: 'pem' }),
      id.publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(publicJwk(id)),
    ]) {
      const signature = createHmac('sha256', secret).update(head).digest('base64url');
      expect(await refusal(`${head}.${signature}`)).toContain('its signature algorithm is not allowed');
    }
  });

  test('signed by another key under a known id', async () => {
    const forged = { ...newSigningKey(), kid: signingKeys().id.kid };
    expect(await refusal(writeToken(forged, claims()))).toContain('its signature is wrong');
  });

  test('with changed claims', async () => {
    const [head, , signature] = writeToken(signingKeys().id, claims()).split('.');
    const changed = encoded({ ...claims(), 'cognito:groups': ['operator'], sub: 'other' });
    expect(await refusal(`${head}.${changed}.${signature}`)).toContain('its signature is wrong');
  });

  test('with a key of its own in its header', async () => {
    const own = newSigningKey();
    const { kid: _, ...jwk } = publicJwk(own);
    const header = { jwk, jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/x' };
    expect(await refusal(writeToken(own, claims(), header))).toContain('no key of the issuer fits it');
  });

  test.each(['../../../../dev/null', 'http://127.0.0.1:9/key', '__proto__', 'constructor', ''])(
    'with the key id %j',
    async (kid) => {
      expect(await refusal(writeToken(newSigningKey(), claims(), { kid }))).toMatch(
        /no key of the issuer fits it|signature is wrong/,
      );
    },
  );

  test.each([
    [
      'of another issuer',
      { iss: 'https://evil.example' },
      'it is of another issuer than GATEWAY_ADMIN_ISSUER',
    ],
    ['of a longer issuer', { iss: 'https://evil.example/?' }, 'another issuer'],
    ['for another client', { aud: 'other' }, 'it is for another client than GATEWAY_ADMIN_CLIENT_ID'],
    [
      'for several clients that another asked for',
      { aud: ['client0123456789', 'other'], azp: 'other' },
      'another client asked for it',
    ],
    [
      'for several clients, none of which asked for it',
      { aud: ['client0123456789', 'other'] },
      'another client asked for it',
    ],
    ['without a client', { aud: undefined }, 'another client'],
    [
      'that has expired',
      { exp: Math.floor(Date.now() / 1000) - 60 },
      'Your sign-in has expired. Sign in again.',
    ],
    ['issued in the future', { iat: Math.floor(Date.now() / 1000) + 3_600 }, 'it was issued in the future'],
    ['without an end', { exp: undefined }, 'it is not valid'],
    ['of one audience that another client asked for', { azp: 'another' }, 'another client'],
    ['for access', { token_use: 'access' }, 'it is no ID token'],
    ['for access at Keycloak', { typ: 'Bearer' }, 'it is no ID token'],
    ['without a user', { sub: '' }, 'it has no subject'],
    ['with an id of two lines', { sub: 'ada\nbob' }, 'it has no subject'],
    ['with an endless id', { sub: 'x'.repeat(200) }, 'it has no subject'],
  ])('%s', async (_, change, text) => {
    expect(await refusal(writeToken(signingKeys().id, { ...claims(), ...change }))).toContain(text);
  });

  test('that is the access token of the same sign-in, whatever key signed it', async () => {
    const { pool } = both().cognito;
    const access = accessTokenClaims(pool, operator(), request());
    expect(await refusal(writeToken(signingKeys().access, access))).toContain('another client');
    const renamed = { ...access, aud: pool.client.id };
    expect(await refusal(writeToken(signingKeys().id, renamed))).toContain('it is no ID token');
    for (const typ of ['at+jwt', 'application/at+jwt', 'logout+jwt']) {
      const typed = writeToken(signingKeys().id, claims(), { typ });
      expect(await refusal(typed)).toContain('it is no ID token');
    }
  });

  test('longer than fifteen minutes, even if its issuer lets it live for hours', async () => {
    const now = Math.floor(Date.now() / 1000);
    const old = { ...claims(), iat: now - 1_000, exp: now + 36_000 };
    expect(await refusal(writeToken(signingKeys().id, old))).toBe('Your sign-in has expired. Sign in again.');
    const young = await show(writeToken(signingKeys().id, { ...claims(), exp: now + 36_000 }));
    expect(young.body.expires_at).toBeLessThanOrEqual(now + 901);
  });

  test.each(['x', 'a.b.c', `${'a'.repeat(4_000)}.b.c`, '....'])('that is no token: %s', async (text) => {
    expect(await refusal(text)).toMatch(/no JSON Web Token|is not valid|longer than/);
  });
});

describe('a key of the issuer', () => {
  test('that is new is read once, and unknown ones cost no more requests than one a minute', async () => {
    const { cognito } = both();
    await show(writeToken(signingKeys().id, claims()));
    cognito.requests.length = 0;
    const stranger = newSigningKey();
    await Promise.all(Array.from({ length: 10 }, () => show(writeToken(stranger, claims()))));
    expect(cognito.requests.length).toBeLessThanOrEqual(1);
  });
});

describe('roles and tenants', () => {
  const personWith = async (change: object) => {
    const { body } = await show(writeToken(signingKeys().id, { ...claims(), ...change }));
    return body.error ? body.error : { role: body.role, tenant: body.tenant };
  };

  test.each([
    ['an operator has no tenant', ['operator'], 'acme', { role: 'operator', tenant: null }],
    [
      'of several roles the highest counts',
      ['viewer', 'tenant-admin', 'staff'],
      'acme',
      { role: 'tenant_admin', tenant: 'acme' },
    ],
    ['a role as a text', 'viewer', 'acme', { role: 'viewer', tenant: 'acme' }],
    ['a list as Cognito copies it', '[staff, member]', 'acme', { role: 'member', tenant: 'acme' }],
  ])('%s', async (_, groups, tenant, expected) => {
    expect(await personWith({ 'cognito:groups': groups, 'custom:tenant': tenant })).toEqual(expected);
  });

  test.each([
    ['no group', undefined, 'acme', 'cognito:groups'],
    [
      'a group like a role',
      ['Operator', 'operators', 'tenant_admin', 'tenant.acme'],
      'acme',
      'cognito:groups',
    ],
    ['a text with a role in it', 'x,operator', 'acme', 'cognito:groups'],
    ['no tenant', ['tenant-admin'], undefined, 'custom:tenant'],
    ['two tenants', ['tenant-admin'], ['acme', 'other'], 'custom:tenant'],
    ['a tenant that is no name', ['viewer'], '../acme', 'custom:tenant'],
    ['a tenant that is a record', ['viewer'], { name: 'acme' }, 'custom:tenant'],
  ])('%s is refused with what an operator repairs', async (_, groups, tenant, claim) => {
    const error = await personWith({ 'cognito:groups': groups, 'custom:tenant': tenant });
    expect(error).toMatchObject({ code: 'role_not_allowed', type: 'permission_denied_error' });
    expect(error.message).toContain(claim);
    expect(error.message).toContain('Ask an operator');
  });

  test('a group alone makes no one a member of a tenant', async () => {
    const error = await personWith({
      'cognito:groups': ['viewer', 'tenant.acme'],
      'custom:tenant': undefined,
    });
    expect(error.code).toBe('role_not_allowed');
  });
});
