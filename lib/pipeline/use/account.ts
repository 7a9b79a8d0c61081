/**
 * The gateway's account with a provider: authorized calls with a target's timeouts, and the checks of every response. What a
 * call contains is the protocol's.
 */

import { hash } from 'node:crypto';
import type { Target } from '../../core/catalog/model.ts';
import type { AttemptFacts } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { isShortName } from '../../core/errors/failure-fields.ts';
import { exactJson } from '../../core/formats/exact-json.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import type { HttpRequest, HttpResponse, Send, Timeouts } from '../../core/ports/http.ts';
import type { FetchMedia } from '../../core/ports/media.ts';
import type { RequestMemory } from '../../core/ports/memory.ts';
import type { OwnCredentials } from '../../core/ports/own-credentials.ts';
import type { FindProviderAccess, ProviderAccess } from '../../core/ports/provider-access.ts';
import type { SharedCache } from '../../core/ports/shared-cache.ts';
import { variableOf } from '../../core/provider-settings.ts';
import {
  type Account,
  type PostOptions,
  type Provider,
  rootOf,
  settingsOf,
} from '../../providers/provider.ts';
import { isRefusal } from '../../routing/refusals.ts';
import { closedByCaller } from '../../transport/http-client/exchange-errors.ts';
import { type HeldMedia, jsonBody } from '../../transport/json-body.ts';
import { readBody, readBytesInTime } from '../../transport/read-body.ts';
import { maxFailureBytes, maxFailureMs } from '../answer-bounds.ts';
import { secretsOf, withoutSecrets } from '../secrets.ts';
import { noting } from './attempt-use.ts';

/** What calls of providers need from the outer world. */
export interface Connections {
  readonly send: Send;
  /** Opens a connection for a call that is likely to follow. Never throws. Absent: connections open with their first call. */
  readonly preconnect?: (url: string) => void;
  readonly findAccess: FindProviderAccess;
  /** The credentials of tenants; loaded with the first one. Absent: there are none. */
  readonly loadOwn?: () => Promise<OwnCredentials>;
  readonly fetchMedia: FetchMedia;
  readonly sharedCache: SharedCache;
  /** The longest that content may be cached at a provider that charges for it by time. */
  readonly maxCacheSeconds: number;
  /** The names of the providers whose calls name the trace of their request, or `all`. Absent: none. */
  readonly tracedProviders?: readonly string[];
  /** Timeouts of the whole deployment; where set, they replace the catalog's. */
  readonly timeouts: Partial<Timeouts>;
}

/** How long a call beside the one for the answer may take to its first byte. */
const maxBriefMs = 5_000;

interface AccountOptions {
  /** No call begins after it. */
  readonly signal: AbortSignal;
  /** Ends the calls for the answer. Absent: that is the same. */
  readonly lasting?: AbortSignal;
  readonly attempt: AttemptFacts;
  /** Media that the gateway has fetched, by the texts that stand for them in bodies. */
  readonly held?: HeldMedia;
  readonly memory?: RequestMemory | undefined;
}

/** `form`: the first byte of a body comes when the model has finished, that of a stream long before. */
export async function openAccount(
  provider: Provider,
  target: Target,
  form: 'stream' | 'body',
  { findAccess, timeouts: overrides, send }: Connections,
  { signal, lasting = signal, attempt, held, memory }: AccountOptions,
): Promise<Account> {
  const { region } = target.deployment;
  const access = await findAccess(provider.name, target.credential);
  if (!provider.isConfigured(access)) throw notConfigured(provider);
  const root = rootOf(provider, region, access);
  const timeouts = chooseTimeouts(target, form, overrides);
  const json = { 'content-type': 'application/json' };
  const { secrets, account } = factsOf(access, root);
  const authorized = async (
    method: HttpRequest['method'],
    path: string,
    body?: object,
    { headers: own, inBase64, files, listName }: PostOptions = {},
  ) => {
    const encoded =
      body &&
      (files
        ? (await import('../../transport/multipart.ts')).formBody(body, files, listName)
        : { headers: json, body: jsonBody(body, held, inBase64) });
    const request: HttpRequest = encoded
      ? { method, url: `${root}${path}`, headers: { ...own, ...encoded.headers }, body: encoded.body }
      : { method, url: `${root}${path}`, headers: { ...own } };
    return await provider.authorize(request, access, region);
  };
  const brief = { ...timeouts, firstByteMs: Math.min(timeouts.firstByteMs, maxBriefMs) };
  return {
    scope: provider.scope?.(region, access) ?? '',
    account,
    async post(path, body, options = {}) {
      const { free } = options;
      const request = await authorized('POST', path, body, options);
      if (signal.aborted) throw closedByCaller();
      const sent = free ? send : noting(attempt, send);
      const response = await sent(request, { timeouts, signal: free ? signal : lasting });
      return { secrets: withToken(secrets, request), ...(memory && { memory }), ...response };
    },
    async patch(path, body) {
      const options = { timeouts: brief, signal };
      return await noting(attempt, send)(await authorized('PATCH', path, body), options);
    },
    async read(path, { free } = {}) {
      const sent = free ? send : noting(attempt, send);
      const request = await authorized('GET', path);
      const response = await sent(request, { timeouts, signal: lasting });
      return { secrets: withToken(secrets, request), ...(memory && { memory }), ...response };
    },
    async beside(method, path) {
      return await send(await authorized(method, path), { timeouts: brief });
    },
  };
}

/** A token that credentials were exchanged for is no setting. Without secrets, as of the sandbox, there is none. */
function withToken(secrets: readonly string[], { headers }: HttpRequest): readonly string[] {
  const [, token] = secrets.length > 0 ? (/^bearer (.+)$/i.exec(headers.authorization ?? '') ?? []) : [];
  return token === undefined || secrets.includes(token) ? secrets : [...secrets, token];
}

interface AccountFacts {
  readonly root: string;
  readonly secrets: readonly string[];
  readonly account: string;
}

/** Of each account as it was last asked. Other credentials are another object, so that none of their facts stay. */
const lastFacts = new WeakMap<ProviderAccess, AccountFacts>();

function factsOf(access: ProviderAccess, root: string): AccountFacts {
  const last = lastFacts.get(access);
  if (last?.root === root) return last;
  const account = hash('sha256', JSON.stringify([root, access.apiKey, access.settings]));
  const facts = { root, secrets: secretsOf(access), account };
  lastFacts.set(access, facts);
  return facts;
}

/** Names what an operator has to set. */
function notConfigured(provider: Provider): GatewayError {
  const { account, settings: all } = settingsOf(provider);
  const settings = all.filter((setting) => !setting.startsWith('batch-'));
  const noun = settings.length === 1 ? 'API key is' : 'credentials are';
  const variables = settings.map((setting) => variableOf(account, setting)).join(', ');
  const message = `No ${noun} configured for provider '${provider.name}' (set ${variables}).`;
  return new GatewayError('upstream_credentials', message);
}

function chooseTimeouts(target: Target, form: 'stream' | 'body', overrides: Partial<Timeouts>): Timeouts {
  const { connectMs, firstByteMs, bodyMs, idleMs } = target.model.timeouts;
  return { connectMs, idleMs, firstByteMs: form === 'stream' ? firstByteMs : bodyMs, ...overrides };
}

export const isSuccess = ({ status }: Pick<HttpResponse, 'status'>): boolean =>
  status >= 200 && status <= 299;

/** Throws GatewayError for an error status, as the protocol reads the error body. */
export async function expectSuccess(
  response: HttpResponse,
  protocol: { readonly readFailure: (failure: UpstreamFailure) => GatewayError },
): Promise<void> {
  const { status, headers } = response;
  if (isSuccess(response)) return;
  // The status counts even if the body is too long, or too slow, to be read.
  const bytes = await readBytesInTime(response, maxFailureBytes, maxFailureMs);
  const failure = { status, headers, body: new TextDecoder().decode(bytes) };
  const read = withUpstreamCode(protocol.readFailure(failure), failure);
  const error = withoutSecrets(read, response.secrets);
  const advice = headers['x-should-retry'];
  throw advice === 'true' || advice === 'false' ? error.with({ mayRetry: advice === 'true' }) : error;
}

/** Whether the local sandbox answered in the provider's place. */
export function isSandbox({ headers }: HttpResponse): boolean {
  return headers['x-gateway-sandbox'] === 'true';
}

/** The parsed body. Rejects with GatewayError `upstream_invalid_answer` where it is no JSON. */
export const readJson = (response: HttpResponse, largest: number): Promise<unknown> =>
  readBody(response, largest).then(parseAnswer);

/** The same, with its numbers as they are written; see `exactJson`. */
export async function readExactJson(response: HttpResponse, largest: number): Promise<unknown> {
  const text = await readBody(response, largest);
  return exactJson(text, parseAnswer(text));
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(cause);
  }
}

export function unreadable(cause: unknown): GatewayError {
  return new GatewayError(
    'upstream_invalid_answer',
    'The provider returned a response that could not be read.',
    { cause },
  );
}

/**
 * The error with the provider's own code, if that is a plain name: AWS has it in a header, Google as `status`, others as `code` or `type`.
 * The refusal of a request may name what the caller wrote, so it has none.
 */
function withUpstreamCode(error: GatewayError, failure: UpstreamFailure): GatewayError {
  if (isRefusal(error)) return error;
  const upstreamCode = namesOf(failure).map(bareName).find(isShortName);
  return upstreamCode === undefined ? error : error.with({ upstreamCode });
}

function namesOf({ headers, body }: UpstreamFailure): readonly unknown[] {
  const answer = asObject(parseJson(body));
  const error = asObject(answer.error);
  const nested = [error.code, error.status, error.type];
  return [headers['x-amzn-errortype'], ...nested, answer.code, answer.type, answer.__type, answer.error];
}

/** AWS writes a namespace before the name (`…#Name`), and an address behind it (`Name:…`). */
const bareName = (name: unknown): unknown =>
  typeof name === 'string' ? name.replace(/^.*#/, '').replace(/:.*$/, '') : undefined;
