/**
 * A read-through cache that serves stale values while the database is down ("stale if error").
 *
 * Fresh results are returned without a read, also when nothing was found. If a read fails or hangs, a recently found value
 * is served for a limited time, so that an outage of the database is not an outage of the gateway. A "not found" is not
 * served that way, because the item may have been created in the meantime.
 */

import { withTimeout } from '../async/with-timeout.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { createLru } from './lru.ts';

interface CachedReaderOptions<Value> {
  /** Reads a value; undefined if there is none. `last` is the cached value. */
  readonly load: (key: string, last: Value | undefined) => Promise<Value | undefined>;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** How long a value is served without a read. */
  readonly freshMs: number;
  /** How long after its read a found value is still served while reads fail. */
  readonly graceMs: number;
  /** The maximum number of cached keys. The least recently used are evicted. */
  readonly size: number;
  /** The same for keys without a value: anyone can ask for those, and they displace no others. Absent: `size`. */
  readonly missingSize?: number;
}

interface Entry<Value> {
  readonly value: Value | undefined;
  /** The same, as every reader gets it. */
  readonly read: Promise<Value | undefined>;
  readonly readAt: number;
  readonly freshUntil: number;
}

/** How long to wait before retrying a failed read, while a stale value is served. */
const pauseMs = 5_000;

/** The timeout of a read while a stale value can be served. A later result is still cached. */
const maxReadMs = 1_000;

/**
 * Concurrent calls for the same key share one read. Rejects with GatewayError `internal` if the read fails and there is
 * no stale value to serve.
 */
export function createCachedReader<Value>(
  options: CachedReaderOptions<Value>,
): (key: string) => Promise<Value | undefined> {
  const { now, freshMs, graceMs, size, missingSize = size } = options;
  const found = createLru<Entry<Value>>(size);
  const missing = createLru<Entry<Value>>(missingSize);
  const entryOf = (key: string) => found.get(key) ?? missing.get(key);
  const keep = (key: string, entry: Entry<Value>) => {
    const [to, from] = entry.value === undefined ? [missing, found] : [found, missing];
    from.delete(key);
    to.set(key, entry);
  };
  const reading = new Map<string, Promise<Value | undefined>>();

  async function load(key: string): Promise<Value | undefined> {
    const readAt = now();
    const value = await options.load(key, entryOf(key)?.value);
    // A read that hung may finish after a later one.
    if (readAt >= (entryOf(key)?.readAt ?? readAt)) {
      keep(key, { value, read: Promise.resolve(value), readAt, freshUntil: readAt + freshMs });
    }
    return value;
  }

  async function read(key: string, last: Entry<Value> | undefined): Promise<Value | undefined> {
    if (last?.value === undefined || now() - last.readAt >= graceMs) {
      return await load(key).catch((cause: unknown) => {
        throw new GatewayError('internal', 'The gateway could not read its own store.', { cause });
      });
    }
    try {
      return await withTimeout(load(key), maxReadMs, readTimedOut);
    } catch {
      keep(key, { ...last, freshUntil: now() + Math.min(freshMs, pauseMs) });
      return last.value;
    }
  }

  return (key) => {
    const entry = entryOf(key);
    if (entry && now() < entry.freshUntil) return entry.read;
    const shared = reading.get(key) ?? read(key, entry).finally(() => reading.delete(key));
    reading.set(key, shared);
    return shared;
  };
}

function readTimedOut(): Promise<never> {
  return Promise.reject(new Error('The read timed out.'));
}
