/**
 * Checks an ID token: its signature by a key of the issuer, who it is from and for, and its time. It takes no request while the key is
 * known. Sources: OpenID Connect Core 1.0, section 3.1.3.7; RFC 8725 (one kind of key, no choice of the algorithm by the token);
 * Cognito developer guide, "Verifying JSON web tokens".
 */
import type { CryptoKey, FlattenedJWSInput, JWTHeaderParameters, JWTVerifyGetKey } from 'jose';
import { signedOut } from '../../core/admin/signed-out.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/formats/json-object.ts';
import type { Issuer, KeySet } from './issuer.ts';
import { type IssuerSettings, settingNames } from './settings.ts';

/** What a token may say of its user. */
export type Claims = JsonObject & {
  readonly sub: string;
  /** Unix seconds. */
  readonly exp: number;
  readonly iat: number;
};

/** Longer texts are no ID token. */
const maxTokenText = 12 * 1024;
/** A token counts no longer than this after it was issued, in seconds, even if its issuer lets it live for hours: so long does one who was removed keep access. */
const maxTokenAge = 900;
/** How far the time of an issuer may be from ours, in seconds. */
export const timeLeeway = 30;

/** Signatures by a private key only: a public key must never count as the secret of an HMAC. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Rejects with GatewayError: `signed_out` for an invalid token, `sign_in_unavailable` if the keys cannot be read. */
export type VerifyToken = (token: string) => Promise<Claims>;

interface VerifyParts {
  readonly issuer: Issuer;
  /** The time in milliseconds. */
  readonly now: () => number;
}

export function createVerifyToken(settings: IssuerSettings, { issuer, now }: VerifyParts): VerifyToken {
  const findKey = createFindKey(issuer);
  return async (token) => {
    if (token.length > maxTokenText) throw invalid(`it is longer than ${maxTokenText} characters`);
    const { jwtVerify } = await load();
    const options = {
      algorithms,
      issuer: settings.issuer,
      audience: settings.clientId,
      requiredClaims: ['sub', 'exp', 'iat'],
      maxTokenAge,
      clockTolerance: timeLeeway,
      currentDate: new Date(now()),
    };
    const { payload, protectedHeader } = await jwtVerify(token, findKey, options).catch((error: unknown) => {
      throw refusalOf(error);
    });
    checkPurpose(payload, protectedHeader.typ);
    checkParty(payload, settings.clientId);
    return payload as Claims;
  };
}

/** Until when a token counts, in Unix seconds. */
export const endOf = ({ exp, iat }: Claims): number => Math.min(exp, iat + maxTokenAge);

const load = async () => (await import('./token-library.ts')).tokenLibrary;

type FindKey = (header: JWTHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

/** The key of a token's header, among the issuer's alone. Nothing else of the token takes part in finding it. */
function createFindKey({ keys }: Issuer): JWTVerifyGetKey {
  const finders = new WeakMap<KeySet, FindKey>();
  const findIn = async (set: KeySet): Promise<FindKey> => {
    const { createLocalJWKSet } = await load();
    const known = finders.get(set);
    const find = known ?? createLocalJWKSet({ keys: set.keys as { kty: string }[] });
    finders.set(set, find as FindKey);
    return find as FindKey;
  };
  return async (header, token) => {
    const set = await keys.get();
    try {
      return await (await findIn(set))(header, token);
    } catch (error) {
      const { errors } = await load();
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const renewed = await keys.renewed();
      if (renewed === set) throw error;
      return await (await findIn(renewed))(header, token);
    }
  };
}

/** An access token of the same user is for other services. Cognito marks it with `token_use`, Keycloak with `typ`, others as RFC 9068 has it. */
function checkPurpose(claims: JsonObject, headerType: string | undefined): void {
  const { token_use: use, typ } = claims;
  const isOther = (use !== undefined && use !== 'id') || (typ !== undefined && typ !== 'ID');
  // Explicitly typed tokens are of another kind, such as `at+jwt` and `logout+jwt` (RFC 8725, section 3.11).
  if (isOther || /\+jwt$/i.test(headerType ?? '')) {
    throw invalid('it is no ID token, but one for other services');
  }
}

/** A token for several parties names the one that asked for it (OpenID Connect Core, section 3.1.3.7, rules 4 and 5). */
function checkParty({ aud, azp }: JsonObject, clientId: string): void {
  const hasSeveral = Array.isArray(aud) && aud.length > 1;
  if ((hasSeveral || azp !== undefined) && azp !== clientId) throw invalid('another client asked for it');
}

/** The library's errors have the claims in them: only the kind of one is used. */
function refusalOf(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const { code, claim } = isJsonObject(error) ? error : {};
  if (code === 'ERR_JWT_EXPIRED') {
    return signedOut('Your sign-in has expired. Sign in again.');
  }
  return invalid(claimProblems[String(claim)] ?? problems[String(code)] ?? 'it is not valid');
}

const claimProblems: Readonly<Record<string, string>> = {
  iss: `it is of another issuer than ${settingNames.issuer}`,
  aud: `it is for another client than ${settingNames.clientId}`,
  iat: 'it was issued in the future, or has no time',
  nbf: 'it is not valid yet',
};

const problems: Readonly<Record<string, string>> = {
  ERR_JWS_INVALID: 'it is no JSON Web Token',
  ERR_JWT_INVALID: 'it is no JSON Web Token',
  ERR_JWKS_NO_MATCHING_KEY: 'no key of the issuer fits it',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'its signature is wrong',
  ERR_JOSE_ALG_NOT_ALLOWED: 'its signature algorithm is not allowed',
};

const invalid = (problem: string): GatewayError =>
  signedOut(`The token is invalid: ${problem}. Sign in again.`);
