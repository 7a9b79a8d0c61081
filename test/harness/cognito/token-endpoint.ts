/**
 * The token and revocation endpoints. Sources: Cognito developer guide, "The token issuer endpoint" (its errors; a code counts once, for
 * five minutes), "Refresh tokens" (rotation; the new token lives as long as the first would have), "The token revocation endpoint".
 */
import { createHash, randomUUID } from 'node:crypto';
import { type FakeUser, type IssuedRefreshToken, newToken, type Pool } from './pool.ts';
import { issueTokens } from './tokens.ts';

export interface FormAnswer {
  readonly status: number;
  readonly body: object | undefined;
}

const refused = (error: string, status = 400): FormAnswer => ({ status, body: { error } });

export function answerToken(pool: Pool, issuer: string, form: URLSearchParams): FormAnswer {
  if (form.get('client_id') !== pool.client.id) return refused('invalid_client');
  const grant = form.get('grant_type');
  if (grant === 'authorization_code') return redeemCode(pool, issuer, form);
  if (grant === 'refresh_token') return refreshTokens(pool, issuer, form);
  return refused('unsupported_grant_type');
}

function redeemCode(pool: Pool, issuer: string, form: URLSearchParams): FormAnswer {
  const code = form.get('code');
  const redirectUri = form.get('redirect_uri');
  if (!code || !redirectUri) return refused('invalid_request');
  const issued = pool.codes.get(code);
  // A code that was shown is used up, whatever comes of it.
  pool.codes.delete(code);
  if (!issued || issued.expiresAt <= pool.now() || issued.redirectUri !== redirectUri)
    return refused('invalid_grant');
  if (issued.challenge !== challengeOf(form.get('code_verifier'))) return refused('invalid_grant');
  const user = activeUser(pool, issued.username);
  if (!user) return refused('invalid_grant');
  const family = randomUUID();
  const request = { issuer, scope: issued.scope, nonce: issued.nonce, family };
  const expiresAt = pool.now() + pool.client.refreshTokenSeconds * 1000;
  return given(pool, {
    ...issueTokens(pool, user, request),
    refresh_token: addRefreshToken(pool, user, { scope: issued.scope, family, expiresAt }),
  });
}

const challengeOf = (verifier: string | null): string | undefined =>
  verifier === null ? undefined : createHash('sha256').update(verifier).digest('base64url');

function refreshTokens(pool: Pool, issuer: string, form: URLSearchParams): FormAnswer {
  const text = form.get('refresh_token');
  if (!text) return refused('invalid_request');
  const known = pool.refreshTokens.get(text);
  const user = known && activeUser(pool, known.username);
  if (!known || !user || !counts(pool, known, user)) return refused('invalid_grant');
  known.replacedAt ??= pool.now();
  const { scope, family, expiresAt } = known;
  return given(pool, {
    ...issueTokens(pool, user, { issuer, scope, family }),
    refresh_token: addRefreshToken(pool, user, { scope, family, expiresAt }),
  });
}

function counts(pool: Pool, token: IssuedRefreshToken, user: FakeUser): boolean {
  const { expiresAt, replacedAt, issuedAt, family } = token;
  const graceEnds =
    replacedAt === undefined ? Number.POSITIVE_INFINITY : replacedAt + pool.client.graceSeconds * 1000;
  const isIn = pool.now() < expiresAt && pool.now() < graceEnds;
  return isIn && issuedAt >= user.signedOutAt && !pool.revokedFamilies.has(family);
}

function addRefreshToken(
  pool: Pool,
  { username }: FakeUser,
  { scope, family, expiresAt }: Pick<IssuedRefreshToken, 'scope' | 'family' | 'expiresAt'>,
): string {
  const text = newToken();
  pool.refreshTokens.set(text, {
    username,
    scope,
    family,
    expiresAt,
    issuedAt: pool.now(),
    replacedAt: undefined,
  });
  return text;
}

const given = (pool: Pool, tokens: object): FormAnswer => ({
  status: 200,
  body: { ...tokens, expires_in: pool.client.idTokenSeconds, token_type: 'Bearer' },
});

function activeUser(pool: Pool, username: string): FakeUser | undefined {
  const user = pool.users.get(username);
  return user?.enabled ? user : undefined;
}

/** Revokes all tokens of the sign-in. An unknown token is no error; a token that is none of refresh is one. */
export function answerRevoke(pool: Pool, form: URLSearchParams): FormAnswer {
  if (form.get('client_id') !== pool.client.id) return refused('invalid_client');
  const token = form.get('token');
  if (!token) return refused('invalid_request');
  if (token.split('.').length === 3) return refused('unsupported_token_type');
  const known = pool.refreshTokens.get(token);
  if (known) pool.revokedFamilies.add(known.family);
  return { status: 200, body: undefined };
}
