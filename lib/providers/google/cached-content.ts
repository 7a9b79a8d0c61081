/**
 * Gemini's prompt caching: the prefix up to a caller's marker becomes cached content, made once and found again by the
 * hash of all it holds. If anything fails, the request is sent as an ordinary one, and the change is reported.
 */
import { createHash } from 'node:crypto';
import { GatewayError } from '../../core/errors.ts';
import { cacheSeconds } from '../../core/generation/cache-lifetime.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { pathOf } from '../../core/generation/source.ts';
import { parseJson } from '../../core/parse-json.ts';
import type { HttpResponse } from '../../core/ports/http.ts';
import { findMarkers, type Marker } from '../../normalization/caching.ts';
import type { Change } from '../../normalization/rule.ts';
import {
  type CutRequest,
  cutRequest,
  type PrefixEnd,
} from '../../protocols/google-generate-content/cached-prefix.ts';
import { asObject, asOptionalText } from '../../protocols/json.ts';
import { readBody } from '../../transport/read-body.ts';
import { type Called, callOnce, type ReadyCall } from '../provider.ts';

/** What a marker means that names no time. */
const usualSeconds = 600;

/** Cached content with less time left than this is not used: it could be gone on arrival. */
const marginSeconds = 30;

/** How long a prefix that Google would not keep is not offered again. */
const refusedMs = 300_000;

/** Stands for a name where Google would not keep the prefix. */
const refused = '';

const largestAnswer = 256 * 1024;

/** Calls the target, with cached content where the caller marked a prefix. */
export async function callWithCache(call: ReadyCall): Promise<Called> {
  const marker = findMarkers(call.request).at(-1);
  if (!marker) return await callOnce(call);
  const cut = cutRequest(call.request, call.target, endOf(marker), call.protocol.encode);
  if (!cut) return await callUncached(call, marker, 'There is no content before the marker to cache.');
  const key = keyOf(call, cut.cached);
  const name = (await call.sharedCache.find(key)) ?? (await create(call, key, cut, marker));
  if (!name) return await callUncached(call, marker, 'The provider did not cache the prefix.');
  const path = call.protocol.path(call.target.deployment.upstreamId, call.request.stream);
  const response = await call.post(path, { ...cut.sent, cachedContent: name });
  const answer = await readIfGone(response);
  if (answer !== 'gone') return { response: answer, changes: [] };
  await call.sharedCache.delete(key);
  return await callUncached(call, marker, 'The cached content has expired at the provider.');
}

async function callUncached(
  call: ReadyCall,
  { item, cacheControl }: Marker,
  reason: string,
): Promise<Called> {
  const { response } = await callOnce(call);
  const param = pathOf(item, 'cacheControl');
  const change: Change = { param, action: 'strip', before: cacheControl, after: null, reason };
  return { response, changes: [change] };
}

/** Instructions and tools belong to every prefix: a marker on them needs no end. */
function endOf({ section, message, part }: Marker): PrefixEnd | undefined {
  return section === 'messages' && message !== undefined ? { message, part } : undefined;
}

function keyOf({ account, ...call }: ReadyCall, cached: JsonObject): string {
  const identity = JSON.stringify([account, modelOf(call), cached]);
  return `google-cached-content#${createHash('sha256').update(identity).digest('hex')}`;
}

/** The model as the resource that the call addresses. */
function modelOf({ scope, protocol, target }: Pick<ReadyCall, 'scope' | 'protocol' | 'target'>): string {
  const path = `${scope}${protocol.path(target.deployment.upstreamId, false)}`;
  return path.replace(/^\//, '').replace(/:[^:/]*$/, '');
}

/** Undefined where the provider did not keep the prefix. */
async function create(
  call: ReadyCall,
  key: string,
  { cached }: CutRequest,
  { cacheControl }: Marker,
): Promise<string | undefined> {
  const seconds = Math.max(1, Math.round(cacheSeconds(cacheControl) ?? usualSeconds));
  const body = { model: modelOf(call), ...cached, ttl: `${seconds}s` };
  const answer = await ask(call, body).catch((error: unknown) => {
    // The caller has left: there is nothing to go on with.
    if (error instanceof GatewayError && error.recovery === 'none') throw error;
    return undefined;
  });
  if (answer?.status === 400) await call.sharedCache.set(key, refused, refusedMs);
  if (answer?.name === undefined) return undefined;
  const margin = Math.min(marginSeconds, seconds / 4);
  await call.sharedCache.set(key, answer.name, (seconds - margin) * 1000);
  return answer.name;
}

async function ask({ post }: ReadyCall, body: JsonObject) {
  const response = await post('/cachedContents', body);
  const text = await readBody(response, largestAnswer);
  const name = asOptionalText(asObject(parseJson(text)).name);
  return { status: response.status, name: response.status === 200 ? name : undefined };
}

/** The answer; `gone` where it says that the cached content does not exist: a 403 or 404, or a 400 with such a message. */
async function readIfGone(response: HttpResponse): Promise<HttpResponse | 'gone'> {
  const { status } = response;
  if (status !== 400 && status !== 403 && status !== 404) return response;
  const text = await readBody(response, largestAnswer);
  if (status !== 400 || /cached? ?content/i.test(text)) return 'gone';
  return { ...response, body: replay(text) };
}

async function* replay(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
