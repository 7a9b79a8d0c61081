/** Reads what a request says of cached answers: `extra.cache`, or a header, which clients can send that know no such field. */
import { type CacheWish, maxCacheTtl } from '../core/caching.ts';
import type { ReadHeader } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { invalid } from '../core/errors/invalid.ts';
import type { BodyOf } from '../core/formats/given-fields.ts';
import { given } from './read-request.ts';
import type { cacheField } from './request-schema.ts';

/** OpenRouter's names stand after the gateway's. Source: openrouter.ai/docs, "Response caching". */
const switches = ['x-gateway-cache', 'x-openrouter-cache'] as const;

/** Nothing where the request says nothing. Throws GatewayError `invalid_request`. */
export function readCache(
  extra: BodyOf<typeof cacheField> | null | undefined,
  header: ReadHeader = () => undefined,
): { readonly cache?: CacheWish } {
  const cache = extra?.cache;
  const isOn = switches.map((name) => readSwitch(name, header)).find((one) => one !== undefined);
  if (!cache && isOn === undefined) return {};
  const lifetime = readTtl('x-openrouter-cache-ttl', header);
  const isCleared = readSwitch('x-openrouter-cache-clear', header);
  const user = cache?.scope === 'user' ? readUser(header) : undefined;
  return {
    cache: {
      isOn: isOn ?? true,
      ...(lifetime !== undefined && { ttl: lifetime }),
      ...(isCleared && { refresh: true }),
      ...given(cache ?? {}, ['ttl', 'scope', 'refresh']),
      ...(user !== undefined && { user }),
    },
  };
}

function readSwitch(name: string, header: ReadHeader): boolean | undefined {
  const value = header(name)?.trim().toLowerCase();
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false') throw wrong(name, "must be 'true' or 'false'");
  return value === 'true';
}

function readTtl(name: string, header: ReadHeader): number | undefined {
  const value = header(name)?.trim();
  if (value === undefined) return undefined;
  const seconds = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (seconds >= 1 && seconds <= maxCacheTtl) return seconds;
  throw wrong(name, `must be a whole number of seconds from 1 to ${maxCacheTtl}`);
}

function readUser(header: ReadHeader): string {
  const user = header('x-gateway-user-id');
  if (user) return user;
  throw invalid('extra.cache.scope', "'user' requires the header 'x-gateway-user-id'");
}

const wrong = (name: string, problem: string) =>
  new GatewayError('invalid_request', `The header '${name}' ${problem}.`, { param: name });
