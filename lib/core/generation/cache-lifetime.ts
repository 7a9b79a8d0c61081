/** How long a caching marker wants its prefix kept. */
import type { CacheControl } from './request.ts';

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** In seconds; undefined where the marker names no time, or a text that is none. */
export function cacheSeconds({ ttl }: CacheControl): number | undefined {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)([smh])?$/.exec(ttl ?? '') ?? [];
  return amount === undefined ? undefined : Number(amount) * (secondsOf[unit] ?? 1);
}
