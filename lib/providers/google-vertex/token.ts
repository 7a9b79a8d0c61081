/**
 * Bearer tokens of Google service accounts: a signed claim is exchanged for a token, which is cached until shortly before
 * it expires. Requests that come at the same time share one exchange.
 */
import { GatewayError } from '../../core/errors/errors.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { Send } from '../../core/ports/http.ts';
import type { FindToken } from '../../core/ports/provider-access.ts';
import { asOptionalText } from '../../protocols/json.ts';
import { readBody } from '../../transport/read-body.ts';

/** What is read of a service account's credentials. */
interface ServiceAccount {
  readonly email: string;
  readonly privateKey: string;
  readonly keyId: string | undefined;
  readonly tokenUrl: string;
}

interface Token {
  readonly text: string;
  readonly expiresAt: number;
}

interface Entry {
  readonly token: Promise<Token>;
  /** Milliseconds since 1970; infinite while the exchange runs. */
  expiresAt: number;
}

interface TokenOptions {
  /** Asked in place of what the credentials name. */
  readonly url?: string | undefined;
  readonly send: Send;
  readonly now: () => number;
}

const defaultTokenUrl = 'https://oauth2.googleapis.com/token';
const scope = 'https://www.googleapis.com/auth/cloud-platform';
const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A token with less time left than this is not used for a new request. */
const earlyMs = 300_000;
const lifetimeSeconds = 3_600;
const timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 10_000 };
/** Credentials whose token a process remembers: those that were replaced are of no use. */
const maxTokens = 100;
const largestToken = 64 * 1024;

export function createFindToken(options: TokenOptions): FindToken {
  const entries = new Map<string, Entry>();
  return async (credentials) => {
    const known = entries.get(credentials);
    if (known && known.expiresAt - options.now() > earlyMs) return (await known.token).text;
    const entry: Entry = { token: exchange(credentials, options), expiresAt: Number.POSITIVE_INFINITY };
    if (entries.size >= maxTokens && !known) entries.clear();
    entries.set(credentials, entry);
    try {
      const { text, expiresAt } = await entry.token;
      entry.expiresAt = expiresAt;
      return text;
    } catch (error) {
      entries.delete(credentials);
      throw error;
    }
  };
}

async function exchange(credentials: string, { url, send, now }: TokenOptions): Promise<Token> {
  const account = readServiceAccount(credentials);
  const assertion = await signClaim(account, Math.floor(now() / 1000));
  const response = await send(
    {
      method: 'POST',
      url: url ?? account.tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: grant, assertion }).toString(),
    },
    { timeouts },
  ).catch((cause) => {
    throw refused(cause);
  });
  const answer = asObject(parseJson(await readBody(response, largestToken).catch(() => '')));
  const text = asOptionalText(answer.access_token);
  if (response.status !== 200 || text === undefined) throw refused();
  const seconds = typeof answer.expires_in === 'number' ? answer.expires_in : lifetimeSeconds;
  return { text, expiresAt: now() + seconds * 1000 };
}

/** Whether a text is the JSON key of a service account. Its private key is checked only when it signs. */
export function isServiceAccount(credentials: string): boolean {
  try {
    return readServiceAccount(credentials).email !== '';
  } catch {
    return false;
  }
}

/** The cause of a failure to read is dropped: it may quote the private key. */
function readServiceAccount(credentials: string): ServiceAccount {
  const fields = asObject(parseJson(credentials));
  const email = asOptionalText(fields.client_email);
  const privateKey = asOptionalText(fields.private_key);
  if (email === undefined || privateKey === undefined) throw unusable();
  return {
    email,
    privateKey,
    keyId: asOptionalText(fields.private_key_id),
    tokenUrl: asOptionalText(fields.token_uri) ?? defaultTokenUrl,
  };
}

async function signClaim(account: ServiceAccount, nowSeconds: number): Promise<string> {
  // Loaded where it is needed: most gateways call no Vertex.
  const { importPKCS8, SignJWT } = await import('jose');
  const { email, privateKey, keyId, tokenUrl } = account;
  const key = await importPKCS8(privateKey, 'RS256').catch(() => {
    throw unusable();
  });
  return await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(email)
    .setAudience(tokenUrl)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + lifetimeSeconds)
    .sign(key);
}

function unusable(): GatewayError {
  const message = "The gateway's credentials for the provider are not a valid service account key.";
  return new GatewayError('upstream_credentials', message);
}

function refused(cause?: unknown): GatewayError {
  const message = 'The gateway could not get an access token for the provider.';
  return new GatewayError('upstream_credentials', message, { cause });
}
