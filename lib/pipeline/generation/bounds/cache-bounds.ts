/** What a request may pay for in a provider's cache beside reading it: a longer lifetime, or stored content. */

import { isJsonObject, type JsonObject } from '../../../core/formats/json-object.ts';
import { cacheSeconds } from '../../../core/generation/content.ts';
import { blocksOf } from '../../../core/generation/original/original-blocks.ts';
import type { CacheControl, GenerationRequest } from '../../../core/generation/request.ts';
import type { MaxTokens } from '../../../metering/limits/highest-cost.ts';
import { findMarkers } from '../../../normalization/caching.ts';

/** How long a prompt is kept by default, where markers have lifetimes, in seconds. */
const defaultLifetime = 300;

/** How long Google's cached content is stored if its marker names no time. */
const defaultStorage = 600;

/** `maxSeconds`: how long content may be stored, at a provider that charges for it by time; absent at others. */
export function withCacheBounds(
  max: MaxTokens,
  request: GenerationRequest,
  maxSeconds: number | undefined,
): MaxTokens {
  const markers = findMarkers(request);
  const own = request.original ? ownMarkers(request.original.body) : [];
  const lifetimes = [...markers.map(({ cacheControl }) => cacheControl), ...own].map(
    (marker) => cacheSeconds(marker) ?? defaultLifetime,
  );
  const isLong = lifetimes.some((seconds) => seconds > defaultLifetime);
  const { prompt_cache_retention: retention } = request.parameters;
  return {
    ...max,
    ...((isLong || retention === '24h') && { keptLonger: true }),
    ...(maxSeconds !== undefined &&
      markers.length > 0 && {
        cacheStorage: {
          tokens: max.input,
          seconds: Math.min(maxSeconds, Math.ceil(Math.max(defaultStorage, ...lifetimes))),
        },
      }),
  };
}

/** The markers of an original, on whatever they are, and the automatic one. */
const ownMarkers = (body: JsonObject): readonly CacheControl[] =>
  [body, ...blocksOf(body).map(({ block }) => block)].flatMap(({ cache_control: marker }) =>
    isJsonObject(marker) && typeof marker.ttl === 'string' ? [{ type: 'ephemeral', ttl: marker.ttl }] : [],
  );
