/** The requests to an issuer’s token endpoint, and why its answers are refused. */
import { describe, expect, test } from 'vitest';
import { redeem, refresh, revoke } from '../../lib/admin/sign-in/exchange.ts';
import type { IssuerSettings } from '../../lib/admin/sign-in/settings.ts';
import type { Claims } from '../../lib/admin/sign-in/verify.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import type { HttpRequest } from '../../lib/core/ports/http.ts';

const issuer = 'https://issuer.example';
const settings: IssuerSettings = {
  issuer,
  clientId: 'client',
  scopes: 'openid',
  roleClaim: 'roles',
  tenantClaim: 'tenant',
  dashboardUrl: 'https://gateway.example',
};

const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
};

const claims: Claims = { sub: 's', exp: 2_000, iat: 1_000, roles: ['operator'] };

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Its signature is checked by `verify`. */
function idToken(more: object = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const given = { iss: issuer, aud: 'client', sub: 's', iat: now, exp: now + 300, ...more };
  return `${encoded({ alg: 'RS256' })}.${encoded(given)}.c2ln`;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** With an issuer that answers so. `sent` is what it was asked. */
function partsWith({ status, body }: Answer, more: object = {}) {
  const sent: HttpRequest[] = [];
  const remembered = <Value>(value: Value) => ({ get: async () => value, renewed: async () => value });
  const parts = {
    issuer: { metadata: remembered({ ...metadata, ...more }), keys: remembered({ keys: [] }) },
    async sendForText(request: HttpRequest) {
      sent.push(request);
      if (status === 0) throw new Error('down');
      return {
        status,
        headers: { 'content-type': 'application/json' },
        text: body === undefined ? '' : JSON.stringify(body),
      };
    },
    verify: async () => claims,
  };
  return { sent, parts: parts as unknown as Parameters<typeof refresh>[1] };
}

const bodyOf = (request: HttpRequest | undefined) =>
  Object.fromEntries(new URLSearchParams(String(request?.body ?? '')));

const tokens = (more: object = {}) => ({
  access_token: 'a',
  token_type: 'bearer',
  id_token: idToken(),
  ...more,
});

describe('a refresh', () => {
  test('gives the user and the tokens', async () => {
    const { sent, parts } = partsWith({ status: 200, body: tokens({ refresh_token: 'next' }) });
    expect(await refresh(settings, parts, 'token')).toEqual({
      user: { id: 's', name: 's', role: 'operator', via: 'oidc' },
      idToken: expect.any(String),
      expiresAt: 1_900,
      refreshToken: 'next',
    });
    expect(sent).toMatchObject([{ method: 'POST', url: `${issuer}/token` }]);
    expect(bodyOf(sent[0])).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'token',
      client_id: 'client',
    });
    expect(
      await refresh(settings, partsWith({ status: 200, body: tokens() }).parts, 'token'),
    ).not.toHaveProperty('refreshToken');
  });

  test('has the secret of a client that has one', async () => {
    const { sent, parts } = partsWith({ status: 200, body: tokens() });
    await refresh({ ...settings, clientSecret: 'hidden' }, parts, 'token');
    expect(bodyOf(sent[0])).toMatchObject({ client_id: 'client', client_secret: 'hidden' });
  });

  test.each<[Answer, string, string]>([
    [{ status: 400, body: { error: 'invalid_grant' } }, 'signed_out', 'Your session has ended.'],
    [{ status: 400, body: { error: 'invalid_client' } }, 'signed_out', 'refused it (invalid_client)'],
    [{ status: 400, body: { error: 'Secret text!' } }, 'signed_out', 'refused it (OAUTH_'],
    [{ status: 200, body: { id_token: 'x' } }, 'signed_out', 'refused it (OAUTH_'],
    [{ status: 200, body: tokens({ id_token: undefined }) }, 'signed_out', 'gave no ID token'],
    [{ status: 500, body: { error: 'invalid_grant' } }, 'sign_in_unavailable', 'answered with status 500'],
    [{ status: 0 }, 'sign_in_unavailable', 'did not answer'],
  ])('that is answered with %j is refused', async (answer, code, message) => {
    const refused = await refresh(settings, partsWith(answer).parts, 'token').catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(GatewayError);
    expect(refused).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(String(refused)).not.toContain('Secret');
  });
});

describe('a sign-in', () => {
  const given = {
    parameters: new URLSearchParams({ code: 'c', state: 'state' }),
    redirectUri: 'https://gateway.example/callback',
    state: 'state',
    nonce: 'nonce',
    verifier: 'v'.repeat(43),
  };

  test('exchanges its code', async () => {
    const { sent, parts } = partsWith({
      status: 200,
      body: tokens({ id_token: idToken({ nonce: 'nonce' }) }),
    });
    expect((await redeem(settings, parts, given)).user.id).toBe('s');
    expect(bodyOf(sent[0])).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      code_verifier: given.verifier,
      redirect_uri: given.redirectUri,
      client_id: 'client',
    });
  });

  test.each([
    ['another nonce', { nonce: 'other' }],
    ['no nonce', {}],
    ['another client', { nonce: 'nonce', aud: 'other' }],
    ['another issuer', { nonce: 'nonce', iss: 'https://evil.example' }],
  ])('with a token of %s is refused', async (_, more) => {
    const { parts } = partsWith({ status: 200, body: tokens({ id_token: idToken(more) }) });
    await expect(redeem(settings, parts, given)).rejects.toMatchObject({ code: 'signed_out' });
  });

  test('with another state is refused before the issuer is asked', async () => {
    const { sent, parts } = partsWith({ status: 200, body: tokens() });
    await expect(redeem(settings, parts, { ...given, state: 'other' })).rejects.toMatchObject({
      code: 'signed_out',
    });
    expect(sent).toEqual([]);
  });
});

test('a refresh token is taken back where the issuer can do that', async () => {
  const able = partsWith({ status: 200 }, { revocation_endpoint: `${issuer}/revoke` });
  await revoke(settings, able.parts, 'token');
  expect(able.sent).toMatchObject([{ method: 'POST', url: `${issuer}/revoke` }]);
  expect(bodyOf(able.sent[0])).toMatchObject({ token: 'token', token_type_hint: 'refresh_token' });
  const unable = partsWith({ status: 500 });
  await revoke(settings, unable.parts, 'token');
  expect(unable.sent).toEqual([]);
});
