/**
 * Gemini's prompt caching: the prefix up to a caller's marker becomes cached content, made once for each tenant and found again by
 * the hash of all it holds. It is kept for a short time first, and for the time that was asked for from its second use on. If
 * anything fails, the request is sent as an ordinary one, and the change is reported.
 */
import { createHash } from 'node:crypto';
import { GatewayError } from '../../core/errors/errors.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { cacheSeconds } from '../../core/generation/content.ts';
import { pathOf } from '../../core/generation/original/source.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { HttpResponse } from '../../core/ports/http.ts';
import { findMarkers, type Marker } from '../../normalization/caching.ts';
import type { Change } from '../../normalization/rule.ts';
import { beginsWith } from '../../protocols/failure.ts';
import {
  type CutRequest,
  cutRequest,
  type PrefixEnd,
} from '../../protocols/google-generate-content/cached-prefix.ts';
import { asText } from '../../protocols/json.ts';
import { readBody, withBody } from '../../transport/read-body.ts';
import { type Called, callOnce, type ReadyCall } from '../provider.ts';
import {
  creationOf,
  extend,
  firstCacheSeconds,
  isNamed,
  keep,
  largestAnswer,
  readCreated,
  readStored,
  type StoredContent,
} from './stored-content.ts';

/** What a marker means that names no time. */
const defaultSeconds = 600;

/** How long a prefix that Google would not keep is not offered again. */
const refusedMs = 300_000;

/** Stands for a name where Google would not keep the prefix. */
const refused = '';

/** Calls the target, with cached content where the caller marked a prefix. */
export async function callWithCache(call: ReadyCall): Promise<Called> {
  const asked = findMarkers(call.request).at(-1);
  if (!asked) return await callOnce(call);
  if (call.maxCacheSeconds === 0)
    return await callUncached(call, asked, 'Nothing may be kept at the provider.');
  const { marker, changes } = capped(asked, call.maxCacheSeconds);
  const cut = cutRequest(call.request, call.target, endOf(marker), call.protocol.encode);
  if (!cut) return await callUncached(call, asked, 'There is no content before the marker to cache.');
  const key = keyOf(call, cut.cached);
  const found = await call.sharedCache.find(key);
  const isNew = found === undefined;
  const content = isNew ? await create(call, key, cut, marker) : readStored(found);
  if (!content) return await callUncached(call, asked, 'The provider did not cache the prefix.');
  const extending = isNew ? undefined : extend(call, key, content, secondsOf(marker, call.maxCacheSeconds));
  const path = call.protocol.path(call.target.deployment.upstreamId, call.request.stream);
  const body = { ...cut.sent, cachedContent: content.name };
  const response = await call.post(path, body).finally(() => extending);
  const answer = await readIfGone(response);
  if (answer !== 'gone') {
    const shorter = isNew ? keptShorter(marker, content) : [];
    return { response: answer, changes: [...changes, ...shorter] };
  }
  await call.sharedCache.delete(key);
  return await callUncached(call, asked, 'The cached content has expired at the provider.');
}

/** Google charges for storage by the lifetime that is set, and knows no longest one. */
function capped(marker: Marker, maxSeconds: number): { marker: Marker; changes: readonly Change[] } {
  const { item, cacheControl } = marker;
  if (secondsOf(marker, Number.POSITIVE_INFINITY) <= maxSeconds) return { marker, changes: [] };
  const after = { ...cacheControl, ttl: `${maxSeconds}s` };
  const reason = `The gateway is set up to cache content for at most ${maxSeconds} seconds.`;
  const isAsked = cacheSeconds(cacheControl) !== undefined;
  const change: Change = {
    param: pathOf(item, 'cacheControl'),
    action: 'override',
    before: cacheControl,
    after,
    reason,
  };
  return { marker: { ...marker, cacheControl: after }, changes: isAsked ? [change] : [] };
}

/** What is used only once is not kept for as long as was asked for. */
function keptShorter({ item, cacheControl }: Marker, { seconds }: StoredContent): readonly Change[] {
  if (Math.round(cacheSeconds(cacheControl) ?? defaultSeconds) <= seconds) return [];
  const reason =
    'Content is kept for the time of its marker (10 minutes without one) once it is used a second time.';
  const param = pathOf(item, 'cacheControl');
  const after = { ...cacheControl, ttl: `${seconds}s` };
  return [{ param, action: 'override', before: cacheControl, after, reason }];
}

/** How long a marked prefix is stored, if it is used again. */
function secondsOf({ cacheControl }: Marker, maxSeconds: number): number {
  return Math.min(maxSeconds, Math.max(1, Math.round(cacheSeconds(cacheControl) ?? defaultSeconds)));
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

function keyOf({ account, tenant, ...call }: ReadyCall, cached: JsonObject): string {
  const identity = JSON.stringify([account, tenant, modelOf(call), cached]);
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
  marker: Marker,
): Promise<StoredContent | undefined> {
  const seconds = Math.min(firstCacheSeconds, secondsOf(marker, call.maxCacheSeconds));
  const body = { model: modelOf(call), ...cached, ttl: `${seconds}s` };
  const answer = await ask(call, body).catch((error: unknown) => {
    // The caller has left: there is nothing to go on with.
    if (error instanceof GatewayError && error.recovery === 'none') throw error;
    return undefined;
  });
  if (answer?.status === 400) await call.sharedCache.set(key, refused, refusedMs);
  const content = readCreated(answer?.body, seconds);
  if (content.tokens > 0) call.noteUse(creationOf(content.tokens, seconds, cached));
  if (!isNamed(content)) return undefined;
  await keep(call.sharedCache, key, content, seconds);
  return content;
}

async function ask({ post }: ReadyCall, body: JsonObject) {
  const response = await post('/cachedContents', body);
  const text = await readBody(response, largestAnswer);
  return { status: response.status, body: response.status === 200 ? asObject(parseJson(text)) : {} };
}

const aboutCached = /^[\w ,.()-]{0,80}\bcached? ?content/i;

/** The answer; `gone` where it says that the cached content does not exist: a 403 or 404, or a 400 with such a message. */
async function readIfGone(response: HttpResponse): Promise<HttpResponse | 'gone'> {
  const { status } = response;
  if (status !== 400 && status !== 403 && status !== 404) return response;
  const text = await readBody(response, largestAnswer);
  const { message } = asObject(asObject(parseJson(text)).error);
  if (status !== 400 || beginsWith(asText(message), aboutCached)) return 'gone';
  return withBody(response, text);
}
