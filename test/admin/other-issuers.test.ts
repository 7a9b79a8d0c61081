/** Issuers with other claims, scopes and keys than Cognito. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { readIssuerSettings } from '../../lib/admin/sign-in/settings.ts';
import {
  Browser,
  callWith,
  locationOf,
  signInByIssuer,
  useSignInGateway,
} from '../harness/cognito/sign-in.ts';

const both = useSignInGateway(({ url }) => ({
  GATEWAY_ADMIN_ROLE_CLAIM: 'realm_access.roles',
  GATEWAY_ADMIN_TENANT_CLAIM: 'https://gateway.example.com/tenant',
  GATEWAY_ADMIN_SCOPES: 'openid email offline_access',
  GATEWAY_ADMIN_SIGN_OUT_URL: `${url}/logout`,
}));

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('claims by a path or by a name with dots, and a key on an elliptic curve', async () => {
  const { cognito } = both();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  cognito.keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'curve', alg: 'ES256' }];
  const now = Math.floor(Date.now() / 1000);
  const head = encoded({ alg: 'ES256', kid: 'curve' });
  const write = (claims: object) => {
    const body = encoded({
      iss: cognito.issuer,
      aud: cognito.pool.client.id,
      sub: 's',
      iat: now,
      exp: now + 300,
      ...claims,
    });
    const signature = sign('sha256', Buffer.from(`${head}.${body}`), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    return `${head}.${body}.${signature.toString('base64url')}`;
  };
  const mine = {
    typ: 'ID',
    name: 'Ada\u202e Lovelace',
    realm_access: { roles: ['offline_access', 'tenant-admin'] },
    'https://gateway.example.com/tenant': 'acme',
  };
  const { body } = await callWith(both(), write(mine))('GET', '/session');
  expect(body).toMatchObject({
    role: 'tenant_admin',
    tenant: 'acme',
    user: { id: 's', name: 'Ada  Lovelace' },
  });
  const cognitos = write({ 'cognito:groups': ['operator'], realm_access: { roles: [] } });
  const refused = await callWith(both(), cognitos)('GET', '/session');
  expect(refused.body.error).toMatchObject({ code: 'role_not_allowed' });
  expect(refused.body.error.message).toContain('realm_access.roles');
});

test('the scopes of the setting are asked for', async () => {
  const begun = locationOf(await new Browser().open(`${both().gateway.url}/admin/v1/sign-in`));
  expect(begun.searchParams.get('scope')).toBe('openid email offline_access');
});

test('a user without a role is sent back with that reason and without a session', async () => {
  const { cognito } = both();
  Object.assign(cognito.pool.client, { scopes: ['openid', 'email', 'offline_access'] });
  cognito.pool.add('nobody@example.com', { groups: ['operator'] });
  const { browser, token } = await signInByIssuer(both(), 'nobody@example.com');
  expect(token).toBe('undefined');
  expect(browser.cookies.has('gateway-refresh')).toBe(false);
});

const required = {
  GATEWAY_ADMIN_ISSUER: 'https://issuer.example',
  GATEWAY_ADMIN_CLIENT_ID: 'c',
  GATEWAY_DASHBOARD_URL: 'https://gateway.example.com/',
};

test.each([
  [{}, undefined],
  [{ GATEWAY_ADMIN_ISSUER: '' }, undefined],
  [required, 'https://gateway.example.com'],
  [{ ...required, GATEWAY_ADMIN_ISSUER: 'http://127.0.0.1:9/pool' }, 'https://gateway.example.com'],
])('settings %#', (given, url) => {
  expect(readIssuerSettings(given)?.dashboardUrl).toBe(url);
});

test.each([
  ['GATEWAY_ADMIN_CLIENT_ID', { ...required, GATEWAY_ADMIN_CLIENT_ID: undefined }],
  ['GATEWAY_DASHBOARD_URL', { ...required, GATEWAY_DASHBOARD_URL: undefined }],
  ['GATEWAY_ADMIN_ISSUER', { ...required, GATEWAY_ADMIN_ISSUER: 'http://issuer.example' }],
  ['GATEWAY_DASHBOARD_URL', { ...required, GATEWAY_DASHBOARD_URL: 'https://a:secret@gateway.example.com' }],
  ['GATEWAY_ADMIN_SIGN_OUT_URL', { ...required, GATEWAY_ADMIN_SIGN_OUT_URL: 'javascript:secret' }],
])('a missing or unprotected %s is named, and no value', (name, given) => {
  const read = () => readIssuerSettings(given);
  expect(read).toThrow(name);
  expect(read).not.toThrow(/secret|issuer\.example|gateway\.example/);
});
