/** The lifetime that a cache marker requests. */
import type { CacheControl } from './request.ts';

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** In seconds; undefined if the marker has no lifetime, or an invalid one. */
export function cacheSeconds({ ttl }: CacheControl): number | undefined {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)([smh])?$/.exec(ttl ?? '') ?? [];
  return amount === undefined ? undefined : Number(amount) * (secondsOf[unit] ?? 1);
}
