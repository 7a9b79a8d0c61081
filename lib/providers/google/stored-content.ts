/**
 * Cached content that Google keeps for a tenant: what is known of it, what it costs, and how it comes to be kept for longer.
 *
 * Google bills the storage for the lifetime that is set, also where content is deleted before. So it is set to a short time first:
 * what is never used again costs little, and is gone by itself. Sources: ai.google.dev, Gemini API, "Context caching" and
 * cachedContents.patch; Google's answer on billing in discuss.ai.google.dev/t/81267.
 */
import { asArray, asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { type Counted, inputOnly } from '../../core/generation/usage.ts';
import type { SharedCache } from '../../core/ports/shared-cache.ts';
import { asCount, asText } from '../../protocols/json.ts';
import { readBody } from '../../transport/read-body.ts';
import type { ReadyCall } from '../provider.ts';

/** How long content is kept that has been used once. */
export const firstCacheSeconds = 300;

/** Cached content with less time left than this is not used: it could be gone on arrival. */
const marginSeconds = 30;

export const largestAnswer = 256 * 1024;

export interface StoredContent {
  /** As Google names it; empty where it would not keep the prefix. */
  readonly name: string;
  /** 0: unknown. */
  readonly tokens: number;
  /** When it was made, in Unix milliseconds of Google's clock; 0: unknown. */
  readonly created: number;
  /** Its whole lifetime. */
  readonly seconds: number;
}

export const isNamed = ({ name }: StoredContent): boolean => name !== '';

/** What the shared cache has of it; undefined where Google would not keep the prefix. */
export function readStored(text: string): StoredContent | undefined {
  const { name, tokens, created, seconds } = asObject(parseJson(text));
  const content = {
    name: asText(name),
    tokens: asCount(tokens),
    created: Number(created) || 0,
    seconds: asCount(seconds),
  };
  return isNamed(content) ? content : undefined;
}

/** `body`: Google's answer; empty for a refusal. */
export function readCreated(body: JsonObject = {}, seconds: number): StoredContent {
  const { name, createTime, expireTime, usageMetadata } = body;
  return {
    name: asText(name),
    tokens: asCount(asObject(usageMetadata).totalTokenCount),
    created: timeOf(createTime) || Math.max(0, timeOf(expireTime) - seconds * 1000),
    seconds,
  };
}

/** In Unix milliseconds; 0 for what is no time. */
const timeOf = (value: unknown): number => Date.parse(asText(value)) || 0;

/** Remembers it for as long as it can be used. */
export async function keep(
  cache: SharedCache,
  key: string,
  content: StoredContent,
  leftSeconds: number,
): Promise<void> {
  const margin = Math.min(marginSeconds, leftSeconds / 4);
  await cache.set(key, JSON.stringify(content), (leftSeconds - margin) * 1000);
}

/** Longer than an extension takes. */
const extendingMs = 60_000;

/**
 * Keeps content that is used again for `seconds` since it was made, if that is longer. Never rejects: without it, the content is
 * gone sooner and made again. Of several requests that use it at once, one extends it: its cost counts once.
 */
export async function extend(
  call: ReadyCall,
  key: string,
  content: StoredContent,
  seconds: number,
): Promise<void> {
  const { sharedCache } = call;
  const { name, tokens, created } = content;
  if (tokens === 0 || created === 0 || seconds <= content.seconds) return;
  const claim = `${key}#extending`;
  if (!(await sharedCache.claim(claim, extendingMs))) return;
  // Another process may have extended it since this one remembers it.
  const stored = readStored((await sharedCache.find(key, { isFresh: true })) ?? '');
  if (stored?.name === name && stored.seconds < seconds) await extendTo(call, key, stored, seconds);
  await sharedCache.delete(claim);
}

async function extendTo(
  { patch, noteUse, sharedCache }: ReadyCall,
  key: string,
  content: StoredContent,
  seconds: number,
): Promise<void> {
  const { name, tokens, created } = content;
  // On Vertex the name is a whole path.
  const path = `/cachedContents/${name.split('/').at(-1)}`;
  const body = { expireTime: new Date(created + seconds * 1000).toISOString() };
  try {
    const response = await patch(path, body);
    const { updateTime } = asObject(parseJson(await readBody(response, largestAnswer)));
    if (response.status !== 200) return;
    noteUse(storageOf(tokens, seconds - content.seconds));
    const used = timeOf(updateTime) || created + content.seconds * 1000;
    await keep(sharedCache, key, { ...content, seconds }, seconds - (used - created) / 1000);
  } catch {
    // The content stays as it is.
  }
}

const storageOf = (tokens: number, seconds: number): Counted => ({
  usage: { ...inputOnly(0), cacheStorage: { tokens, seconds } },
  raw: { cachedContent: { totalTokenCount: tokens, seconds } },
});

/**
 * What cached content costs when it is made: its tokens as input, and their storage for its first lifetime. Google counts them all
 * together, so where there is audio in it, all count as audio, which costs no less.
 */
export function creationOf(tokens: number, seconds: number, { contents }: JsonObject): Counted {
  const parts = asArray(contents).flatMap((content) => asArray(asObject(content).parts).map(asObject));
  const hasAudio = parts.some(({ inlineData, fileData }) =>
    /^(audio|video)\//.test(asText(asObject(inlineData ?? fileData).mimeType)),
  );
  const stored = storageOf(tokens, seconds);
  const made = { promptTokens: tokens, cacheWriteTokens: tokens };
  return { ...stored, usage: { ...stored.usage, ...made, ...(hasAudio && { inputAudioTokens: tokens }) } };
}
