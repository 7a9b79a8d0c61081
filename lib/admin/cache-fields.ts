/** What tenants and keys set of cached answers, in the fields of the admin API. */
import * as z from 'zod/mini';
import { type CacheSettings, maxCacheTtl } from '../core/caching.ts';

const seconds = () => z.optional(z.int().check(z.gte(1), z.lte(maxCacheTtl)));

/** It replaces the settings before it as a whole; null removes them. */
export const cacheInput = () =>
  z.nullable(
    z.strictObject({
      /** Whether answers are cached where a request does not say. */
      default: z.optional(z.boolean()),
      /** How long, in seconds, where a request does not say. */
      ttl: seconds(),
      /** The longest that a request may ask for, in seconds. */
      max_ttl: seconds(),
      /** Nothing is cached, whatever a request says. */
      off: z.optional(z.boolean()),
    }),
  );

/** Null: no settings of its own. */
export const cacheSchema = z.nullable(
  z.object({
    default: z.nullable(z.boolean()),
    ttl: z.nullable(z.int()),
    max_ttl: z.nullable(z.int()),
    off: z.boolean(),
  }),
);

export type CacheAnswer = z.infer<typeof cacheSchema>;
export type CacheInput = z.infer<ReturnType<typeof cacheInput>>;

/** Null: none are left. */
export function readCacheSettings(input: CacheInput): CacheSettings | null {
  const { default: isDefault, ttl, max_ttl: maxTtl, off } = input ?? {};
  const settings: CacheSettings = {
    ...(isDefault !== undefined && { default: isDefault }),
    ...(ttl !== undefined && { ttl }),
    ...(maxTtl !== undefined && { maxTtl }),
    ...(off && { off }),
  };
  return Object.keys(settings).length > 0 ? settings : null;
}

export function cacheRow(settings: CacheSettings | undefined): CacheAnswer {
  if (!settings) return null;
  const { default: isDefault = null, ttl = null, maxTtl = null, off = false } = settings;
  return { default: isDefault, ttl, max_ttl: maxTtl, off };
}
