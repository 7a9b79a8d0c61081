/**
 * Recently read values, so that a request seldom waits for the database and never fails because it is down.
 *
 * Fresh values are given at once, found or not. When a read fails or hangs, a value that was found lately keeps serving for a
 * bounded time: the gateway's own store must not become its outage. Something not found is not kept that way, since it
 * may have been made in the meantime.
 */

import { withTimeout } from '../async/with-timeout.ts';
import { GatewayError } from '../core/errors.ts';

export interface CachedReaderOptions<Value> {
  /** Reads a value; undefined: there is none. `last` is what is remembered of it so far. */
  readonly load: (key: string, last: Value | undefined) => Promise<Value | undefined>;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** How long a value is given without a read. */
  readonly freshMs: number;
  /** How long after its read a found value still serves while reads fail. */
  readonly graceMs: number;
  /** How many keys are remembered; the ones read longest ago go first. */
  readonly size: number;
}

interface Entry<Value> {
  readonly value: Value | undefined;
  readonly readAt: number;
  readonly freshUntil: number;
}

/** How long a failed read is not tried again for a value that can serve meanwhile. */
const pauseMs = 5_000;

/** How long a read may take while there is a value that can serve. A later answer is still remembered. */
const timeoutMs = 1_000;

/**
 * A reader that remembers. Callers that ask for one key at the same time share one read. Rejects with GatewayError
 * `internal` when the read fails and nothing recent can stand in.
 */
export function createCachedReader<Value>(
  options: CachedReaderOptions<Value>,
): (key: string) => Promise<Value | undefined> {
  const { now, freshMs, graceMs, size } = options;
  const entries = new Map<string, Entry<Value>>();
  const reading = new Map<string, Promise<Value | undefined>>();

  function remember(key: string, entry: Entry<Value>): void {
    entries.delete(key);
    entries.set(key, entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= size) break;
      entries.delete(oldest);
    }
  }

  async function load(key: string): Promise<Value | undefined> {
    const readAt = now();
    const value = await options.load(key, entries.get(key)?.value);
    // A read that hung may answer after a later one.
    if (readAt >= (entries.get(key)?.readAt ?? readAt)) {
      remember(key, { value, readAt, freshUntil: readAt + freshMs });
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
      return await withTimeout(load(key), timeoutMs, tooLong);
    } catch {
      remember(key, { ...last, freshUntil: now() + Math.min(freshMs, pauseMs) });
      return last.value;
    }
  }

  return async (key) => {
    const entry = entries.get(key);
    if (entry && now() < entry.freshUntil) return entry.value;
    const shared = reading.get(key) ?? read(key, entry).finally(() => reading.delete(key));
    reading.set(key, shared);
    return await shared;
  };
}

function tooLong(): Promise<never> {
  return Promise.reject(new Error('The read takes too long.'));
}
