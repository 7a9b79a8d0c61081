/**
 * A cache that all processes share: items of the state table, with a memory cache in front. Items: `note#<key>`.
 */
import type { SharedCache } from '../core/ports/shared-cache.ts';
import { expiryAttribute } from '../core/tables.ts';
import { openTable, type TableOptions } from './dynamodb/table.ts';
import { createLru } from './lru.ts';

interface SharedCacheOptions extends TableOptions {
  readonly now: () => number;
  /** Called when a read or write fails. The request continues without it. */
  readonly warn: (cause: unknown) => void;
  /** The maximum number of entries in memory. */
  readonly size?: number;
}

interface CacheEntry {
  readonly text: string;
  readonly untilMs: number;
}

/** Entries that a process remembers. */
const maxSharedNotes = 1_000;

export function createSharedCache(options: SharedCacheOptions): SharedCache {
  const { call, table, now, warn, size = maxSharedNotes } = options;
  const items = openTable({ call, table });
  const memory = createLru<CacheEntry>(size);

  const read = async (key: string, consistent: boolean) => {
    const item = await items.get(`note#${key}`, { consistent }).catch((cause: unknown) => void warn(cause));
    return readEntry(item ?? undefined);
  };

  const write = async (key: string, entry: CacheEntry) => {
    await items.put(`note#${key}`, fieldsOf(entry)).catch(warn);
  };

  return {
    async find(key, { isFresh } = { isFresh: false }) {
      const entry = (isFresh ? undefined : memory.get(key)) ?? (await read(key, isFresh));
      // DynamoDB deletes expired items late.
      if (!entry || entry.untilMs <= now()) return undefined;
      memory.set(key, entry);
      return entry.text;
    },
    async set(key, text, lifetimeMs) {
      const entry = { text, untilMs: now() + lifetimeMs };
      memory.set(key, entry);
      await write(key, entry);
    },
    async delete(key) {
      memory.delete(key);
      await write(key, { text: '', untilMs: now() });
    },
    async claim(key, lifetimeMs) {
      const time = now();
      const fields = fieldsOf({ text: '', untilMs: time + lifetimeMs });
      const isFree = {
        expression: 'attribute_not_exists(#until) OR #until <= :now',
        names: { '#until': 'until_ms' },
        values: { ':now': time },
      };
      return await items.put(`note#${key}`, fields, isFree).catch((cause: unknown) => {
        warn(cause);
        return false;
      });
    },
  };
}

const fieldsOf = ({ text, untilMs }: CacheEntry): object => ({
  text,
  until_ms: untilMs,
  [expiryAttribute]: Math.floor(untilMs / 1000),
});

function readEntry(item: Readonly<Record<string, unknown>> | undefined): CacheEntry | undefined {
  const { text, until_ms: untilMs } = item ?? {};
  return typeof text === 'string' && typeof untilMs === 'number' ? { text, untilMs } : undefined;
}
