/** The tokens of the fake user pool. ID tokens and access tokens are signed with different keys, as Cognito does. */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { FakeUser, Pool } from './pool.ts';

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

let made: Readonly<Record<'id' | 'access', SigningKey>> | undefined;

/** Made once: it takes a while. */
export function signingKeys(): Readonly<Record<'id' | 'access', SigningKey>> {
  made ??= { id: newSigningKey(), access: newSigningKey() };
  return made;
}

export const newSigningKey = (): SigningKey => ({
  kid: Buffer.from(randomUUID()).toString('base64'),
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
});

export const publicJwk = ({ kid, publicKey }: SigningKey) => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  alg: 'RS256',
  use: 'sig',
});

export function writeToken(key: SigningKey, claims: object, header: object = {}): string {
  const parts = [{ kid: key.kid, alg: 'RS256', ...header }, claims];
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${input}.${sign('sha256', Buffer.from(input), key.privateKey).toString('base64url')}`;
}

interface TokenRequest {
  readonly issuer: string;
  readonly scope: string;
  readonly nonce?: string | undefined;
  readonly family: string;
}

export function idTokenClaims(pool: Pool, user: FakeUser, { issuer, nonce, family }: TokenRequest) {
  const now = Math.floor(pool.now() / 1000);
  const shown = [...user.attributes].filter(([name]) => pool.client.readAttributes.includes(name));
  return {
    ...Object.fromEntries(shown),
    sub: user.username,
    email_verified: true,
    ...(user.groups.size > 0 && { 'cognito:groups': [...user.groups] }),
    iss: issuer,
    'cognito:username': user.username,
    ...(nonce !== undefined && { nonce }),
    origin_jti: family,
    aud: pool.client.id,
    event_id: randomUUID(),
    token_use: 'id',
    auth_time: now,
    exp: now + pool.client.idTokenSeconds,
    iat: now,
    jti: randomUUID(),
  };
}

export function accessTokenClaims(pool: Pool, user: FakeUser, { issuer, scope, family }: TokenRequest) {
  const now = Math.floor(pool.now() / 1000);
  return {
    sub: user.username,
    ...(user.groups.size > 0 && { 'cognito:groups': [...user.groups] }),
    iss: issuer,
    version: 2,
    client_id: pool.client.id,
    origin_jti: family,
    token_use: 'access',
    scope,
    auth_time: now,
    exp: now + pool.client.idTokenSeconds,
    iat: now,
    jti: randomUUID(),
    username: user.username,
  };
}

export function issueTokens(pool: Pool, user: FakeUser, request: TokenRequest) {
  const { id, access } = signingKeys();
  const accessToken = writeToken(access, accessTokenClaims(pool, user, request));
  const claims = { ...idTokenClaims(pool, user, request), at_hash: halfHash(accessToken) };
  return { id_token: writeToken(id, claims), access_token: accessToken };
}

/** Source: OpenID Connect Core 1.0, section 3.1.3.6. */
const halfHash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
