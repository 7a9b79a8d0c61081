/** Cached content on the Gemini handle: it is made, and requests that name it go on from there. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { newId } from '../exchange.ts';
import { checkKeys, isObject, listOf, objectOf, textOf, wordSet } from '../json.ts';
import { countTokens } from '../script.ts';
import { refuse, refuseUnknown } from './refuse.ts';

interface CachedContent {
  readonly body: JsonObject;
  readonly tokens: number;
  readonly createdAt: number;
  expiresAt: number;
  updatedAt: number;
}

const known = wordSet('model contents systemInstruction tools toolConfig ttl displayName');

/** Refused below it, with the provider's own message. */
const leastTokens = 1_024;

const stored = new Map<string, CachedContent>();

export function createCachedContent(body: unknown): JsonObject {
  if (!isObject(body)) refuse('Invalid JSON payload received.');
  checkKeys(body, known, (unknown) => refuseUnknown(unknown, 'cached_content'));
  const { model, ttl, ...content } = body;
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textOf(ttl))?.[1];
  if (!textOf(model).startsWith('models/')) refuse('* CachedContent.model: unexpected model name format');
  if (seconds === undefined) refuse("Invalid value at 'cached_content.ttl' (Duration).");
  const tokens = countTokens(JSON.stringify(content));
  if (tokens < leastTokens) {
    refuse(`Cached content is too small. total_token_count=${tokens}, min_total_token_count=${leastTokens}`);
  }
  const name = `cachedContents/${newId('')}`;
  const now = Date.now();
  const expiresAt = now + Number(seconds) * 1000;
  stored.set(name, { body, tokens, createdAt: now, updatedAt: now, expiresAt });
  return readCachedContent(name);
}

/** Without what is in it, which Google does not give back. */
export function readCachedContent(name: string): JsonObject {
  const { body, tokens, createdAt, updatedAt, expiresAt } = find(name);
  return {
    name,
    model: body.model,
    createTime: new Date(createdAt).toISOString(),
    updateTime: new Date(updatedAt).toISOString(),
    expireTime: new Date(expiresAt).toISOString(),
    usageMetadata: { totalTokenCount: tokens },
  };
}

/** Only the end of its lifetime can be changed. */
export function changeCachedContent(name: string, body: unknown): JsonObject {
  const content = find(name);
  if (!isObject(body)) refuse('Invalid JSON payload received.');
  checkKeys(body, new Set(['ttl', 'expireTime']), () =>
    refuse('Only expiration can be updated in CachedContent.'),
  );
  if ((body.ttl === undefined) === (body.expireTime === undefined)) {
    refuse('Exactly one of ttl and expire_time must be set.');
  }
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textOf(body.ttl))?.[1];
  const end =
    seconds === undefined ? Date.parse(textOf(body.expireTime)) : Date.now() + Number(seconds) * 1000;
  if (!(end > Date.now())) refuse('expire_time must be in the future.');
  content.expiresAt = end;
  content.updatedAt = Date.now();
  return readCachedContent(name);
}

export function deleteCachedContent(name: string): void {
  find(name);
  stored.delete(name);
}

function find(name: string): CachedContent {
  const found = stored.get(name);
  if (!found || found.expiresAt <= Date.now()) {
    refuse('CachedContent not found (or permission denied)', 403, 'PERMISSION_DENIED');
  }
  return found;
}

/** The whole request where it goes on from cached content, and how much of it that was. */
export function withCachedContent(body: unknown, model: string): { body: unknown; cached: number } {
  if (!isObject(body) || body.cachedContent === undefined) return { body, cached: 0 };
  const { cachedContent, ...request } = body;
  const found = find(textOf(cachedContent));
  const { model: owner, ttl: _, contents, ...before } = found.body;
  if (owner !== `models/${model}`)
    refuse('Model used by GenerateContent request and CachedContent has to be the same.');
  if ('systemInstruction' in body || 'tools' in body || 'toolConfig' in body) {
    refuse(
      'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.',
    );
  }
  if (listOf(body.contents).length === 0)
    refuse('* GenerateContentRequest.contents: contents is not specified');
  const whole = {
    ...objectOf(before),
    ...request,
    contents: [...listOf(contents), ...listOf(body.contents)],
  };
  return { body: whole, cached: found.tokens };
}
