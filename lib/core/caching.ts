/** Cached answers, as they are asked for, allowed, and shown. */
/** What a tenant or a key has set. An absent member leaves it to the other. */
export interface CacheSettings {
  /** Whether answers are cached where the request does not say. */
  readonly default?: boolean;
  /** How long they are kept where the request does not say, in seconds. */
  readonly ttl?: number;
  /** The longest time that a request may ask for, in seconds. */
  readonly maxTtl?: number;
  /** Nothing is cached, whatever a request says. */
  readonly off?: true;
}

/** Who gets the answer of whom: those with the same key, all of the tenant, or the same user of the caller's. */
export const cacheScopes = ['key', 'tenant', 'user'] as const;
type CacheScope = (typeof cacheScopes)[number];

/** The longest time, and that of who sets none, in seconds. */
export const maxCacheTtl = 86_400;
export const defaultCacheTtl = 300;

/** What a request says of the cache. */
export interface CacheWish {
  /** Absent: as the settings of its key and tenant have it. */
  readonly isOn?: boolean;
  readonly ttl?: number;
  readonly scope?: CacheScope;
  /** True: a new answer takes the place of the cached one. */
  readonly refresh?: boolean;
  /** The caller's id of its own user, of the scope `user`. */
  readonly user?: string;
}

/** Why no answer was looked up, or none could be. */
export type CacheBypass =
  | 'off'
  | 'request'
  | 'stored_conversation'
  | 'background'
  | 'hosted_tools'
  | 'media'
  | 'zero_retention'
  | 'no_store'
  | 'too_large'
  | 'timeout'
  | 'unavailable';

/** How a request fared, in the public names. */
export interface CacheVerdict {
  readonly status: 'hit' | 'miss' | 'bypass';
  /** Of a bypass. */
  readonly reason?: CacheBypass;
  /** In seconds: how old the answer is, and how long answers are kept for the request. */
  readonly age?: number;
  readonly ttl?: number;
  /** The request that the answer was made for. */
  readonly source?: string;
}

interface WithCacheSettings {
  readonly keyPolicy?: { readonly cache?: CacheSettings };
  readonly tenantPolicy?: { readonly cache?: CacheSettings };
}

/** Whether a request must be looked at for the cache: few are, and what does it is loaded for them. */
export const concernsCache = (
  { keyPolicy, tenantPolicy }: WithCacheSettings = {},
  wish: CacheWish | undefined,
): boolean => (wish ?? keyPolicy?.cache ?? tenantPolicy?.cache) !== undefined;

/** The settings of a key and of its tenant together: each may only narrow the other's. The order does not matter. */
export function mergedSettings(one: CacheSettings = {}, other: CacheSettings = {}): CacheSettings {
  const defaults = [one.default, other.default].filter((value) => value !== undefined);
  const ttl = lowest(one.ttl, other.ttl);
  const maxTtl = lowest(one.maxTtl, other.maxTtl);
  return {
    ...(defaults.length > 0 && { default: defaults.every(Boolean) }),
    ...(ttl !== undefined && { ttl }),
    ...(maxTtl !== undefined && { maxTtl }),
    ...((one.off || other.off) && { off: true }),
  };
}

const lowest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
