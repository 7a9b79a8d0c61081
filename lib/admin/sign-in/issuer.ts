/**
 * What an issuer publishes: where its endpoints are, and the keys that it signs with. Both are read when they are first needed and
 * kept, so that checking a token takes no request. Sources: OpenID Connect Discovery 1.0, sections 3 and 4; RFC 7517, section 5.
 */
import { type Remembered, remember } from '../../async/remember.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { asArray, asObject, isJsonObject, type JsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { SendForText } from '../../core/ports/http.ts';
import { type IssuerSettings, isProtected, settingNames } from './settings.ts';

/** How long an issuer may take, in milliseconds. */
export const issuerTimeouts = { connectMs: 3_000, firstByteMs: 5_000, idleMs: 5_000 };
export const maxIssuerBytes = 256 * 1024;
/** Further keys of an issuer are ignored. */
const maxIssuerKeys = 50;
/** After this time, keys and endpoints are read again: a key that the issuer took back is not used for longer. */
const issuerKeptMs = 3_600_000;
/** A token with an unknown key makes the keys be read again, at most this often. */
const keysPauseMs = 60_000;
/** An issuer that did not answer is asked again after this time. */
const issuerFailurePauseMs = 5_000;

/** Endpoints of an issuer. */
interface IssuerMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly revocation_endpoint?: string;
  readonly end_session_endpoint?: string;
  readonly [more: string]: unknown;
}

export interface KeySet {
  readonly keys: readonly JsonObject[];
}

export interface Issuer {
  readonly metadata: Remembered<IssuerMetadata>;
  readonly keys: Remembered<KeySet>;
}

interface IssuerParts {
  readonly sendForText: SendForText;
  /** The time in milliseconds. */
  readonly now: () => number;
}

export function createIssuer({ issuer }: IssuerSettings, { sendForText, now }: IssuerParts): Issuer {
  const times = { now, keptMs: issuerKeptMs, pauseMs: keysPauseMs, failurePauseMs: issuerFailurePauseMs };
  const read = (url: string) => readJson(sendForText, url);
  const metadata = remember(async () => {
    const found = await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    return checkMetadata(found, issuer);
  }, times);
  const keys = remember(async () => checkKeys(await read((await metadata.get()).jwks_uri)), times);
  return { metadata, keys };
}

async function readJson(sendForText: SendForText, url: string): Promise<JsonObject> {
  const request = { method: 'GET' as const, url: new URL(url).href, headers: { accept: 'application/json' } };
  const sent = sendForText(request, { timeouts: issuerTimeouts, maxBytes: maxIssuerBytes });
  const { status, text } = await sent.catch((cause: unknown) => {
    throw unavailable('did not answer', cause);
  });
  const body = status === 200 ? parseJson(text) : undefined;
  if (!isJsonObject(body)) throw unavailable(`did not answer with JSON, but with status ${status}`);
  return body;
}

const required = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'];
const optional = ['revocation_endpoint', 'end_session_endpoint'];

/** An issuer that names another one would let that one sign for it (OpenID Connect Discovery, section 4.3). */
function checkMetadata(found: JsonObject, issuer: string): IssuerMetadata {
  if (found.issuer !== issuer) throw unavailable('names itself by another address than the setting');
  for (const name of required) {
    if (!isEndpoint(found[name])) throw unavailable(`has no usable ${name} in its metadata`);
  }
  const usable = optional.filter((name) => isEndpoint(found[name]));
  const unusable = optional.filter((name) => !usable.includes(name));
  return Object.fromEntries(
    Object.entries(found).filter(([name]) => !unusable.includes(name)),
  ) as unknown as IssuerMetadata;
}

function isEndpoint(value: unknown): boolean {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && isProtected(url);
}

function checkKeys(found: JsonObject): KeySet {
  const keys = asArray(found.keys).slice(0, maxIssuerKeys).map(asObject);
  if (keys.length === 0) throw unavailable('has no keys at its jwks_uri');
  return { keys };
}

export function unavailable(problem: string, cause?: unknown): GatewayError {
  const message = `Signing in is not possible at the moment: the issuer of ${settingNames.issuer} ${problem}.`;
  return new GatewayError('sign_in_unavailable', message, { cause });
}
