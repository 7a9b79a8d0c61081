/**
 * Gemini's prompt caching: the prefix up to a caller's marker becomes cached content, made once and found again by the
 * hash of all it holds. If anything fails, the request is sent as an ordinary one, and the change is reported.
 */
import { createHash } from 'node:crypto';
import { GatewayError } from '../../core/errors.ts';
import { cacheSeconds } from '../../core/generation/cache-lifetime.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { pathOf } from '../../core/generation/source.ts';
import type { Counted } from '../../core/generation/usage.ts';
import { parseJson } from '../../core/parse-json.ts';
import type { HttpResponse } from '../../core/ports/http.ts';
import { findMarkers, type Marker } from '../../normalization/caching.ts';
import type { Change } from '../../normalization/rule.ts';
import {
  type CutRequest,
  cutRequest,
  type PrefixEnd,
} from '../../protocols/google-generate-content/cached-prefix.ts';
import { asArray, asCount, asObject, asOptionalText, asText } from '../../protocols/json.ts';
import { beginsWith } from '../../protocols/own-words.ts';
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
  const asked = findMarkers(call.request).at(-1);
  if (!asked) return await callOnce(call);
  const { marker, changes } = capped(asked, call.maxCacheSeconds);
  const cut = cutRequest(call.request, call.target, endOf(marker), call.protocol.encode);
  if (!cut) return await callUncached(call, asked, 'There is no content before the marker to cache.');
  const key = keyOf(call, cut.cached);
  const name = (await call.sharedCache.find(key)) ?? (await create(call, key, cut, marker));
  if (!name) return await callUncached(call, asked, 'The provider did not cache the prefix.');
  const path = call.protocol.path(call.target.deployment.upstreamId, call.request.stream);
  const response = await call.post(path, { ...cut.sent, cachedContent: name });
  const answer = await readIfGone(response);
  if (answer !== 'gone') return { response: answer, changes };
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

/** How long a marked prefix is stored. */
function secondsOf({ cacheControl }: Marker, maxSeconds: number): number {
  return Math.min(maxSeconds, Math.max(1, Math.round(cacheSeconds(cacheControl) ?? usualSeconds)));
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
  marker: Marker,
): Promise<string | undefined> {
  const seconds = secondsOf(marker, call.maxCacheSeconds);
  const body = { model: modelOf(call), ...cached, ttl: `${seconds}s` };
  const answer = await ask(call, body).catch((error: unknown) => {
    // The caller has left: there is nothing to go on with.
    if (error instanceof GatewayError && error.recovery === 'none') throw error;
    return undefined;
  });
  if (answer?.status === 400) await call.sharedCache.set(key, refused, refusedMs);
  if (answer?.tokens) call.noteUse(useOf(answer.tokens, seconds, cached));
  if (answer?.name === undefined) return undefined;
  const margin = Math.min(marginSeconds, seconds / 4);
  await call.sharedCache.set(key, answer.name, (seconds - margin) * 1000);
  return answer.name;
}

async function ask({ post }: ReadyCall, body: JsonObject) {
  const response = await post('/cachedContents', body);
  const text = await readBody(response, largestAnswer);
  if (response.status !== 200) return { status: response.status };
  const { name, usageMetadata } = asObject(parseJson(text));
  return {
    status: response.status,
    name: asOptionalText(name),
    tokens: asCount(asObject(usageMetadata).totalTokenCount),
  };
}

/**
 * What cached content costs when it is made: its tokens as input, and their storage for its whole lifetime. Google counts them
 * all together, so where there is sound in it, all count as sound, which costs no less.
 */
function useOf(tokens: number, seconds: number, { contents }: JsonObject): Counted {
  const parts = asArray(contents).flatMap((content) => asArray(asObject(content).parts).map(asObject));
  const hasSound = parts.some(({ inlineData, fileData }) =>
    /^(audio|video)\//.test(asText(asObject(inlineData ?? fileData).mimeType)),
  );
  const usage = {
    promptTokens: tokens,
    cachedTokens: 0,
    cacheWriteTokens: tokens,
    completionTokens: 0,
    reasoningTokens: 0,
    ...(hasSound && { inputAudioTokens: tokens }),
    cacheStorage: { tokens, seconds },
  };
  return { usage, raw: { cachedContent: { totalTokenCount: tokens, seconds } } };
}

const aboutCached = /^[\w ,.()-]{0,80}\bcached? ?content/i;

/** The answer; `gone` where it says that the cached content does not exist: a 403 or 404, or a 400 with such a message. */
async function readIfGone(response: HttpResponse): Promise<HttpResponse | 'gone'> {
  const { status } = response;
  if (status !== 400 && status !== 403 && status !== 404) return response;
  const text = await readBody(response, largestAnswer);
  const { message } = asObject(asObject(parseJson(text)).error);
  if (status !== 400 || beginsWith(asText(message), aboutCached)) return 'gone';
  return { ...response, body: replay(text) };
}

async function* replay(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
