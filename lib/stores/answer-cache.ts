/**
 * Cached answers: items `cached#<id>` of the state table. The id and the key that encrypts an item are derived of its request with the
 * secret of the installation, so that the table alone shows neither who asked for what, nor the answers.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { withTimeout } from '../async/with-timeout.ts';
import { isJsonObject } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import type { AnswerCache, CachedAnswer, CachePlace, NotFound } from '../core/ports/answer-cache.ts';
import { openBytes, sealBytes } from '../core/sealed-bytes.ts';
import { expiryAttribute } from '../core/tables.ts';
import { openTable, type Table, type TableOptions } from './dynamodb/table.ts';
import { compress, decompress } from './responses/compression.ts';

interface AnswerCacheOptions extends TableOptions {
  /** 32 bytes, the same in all processes. */
  readonly secret: () => Promise<Uint8Array>;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Called when a read fails. The request continues without it. */
  readonly warn: (cause: unknown) => void;
  /** How long a request waits for a read of the table. */
  readonly timeoutMs?: number | undefined;
}

/** How many times as long the end of an answer waits for its write. */
const writesTimeouts = 10;

/** Of a stored answer, compressed and encrypted: a write costs as much as 64 small ones. */
const maxCachedBytes = 64 * 1024;

/** The same, as it is read. Answers compress to a tenth; more would be made of what no gateway wrote. */
const maxAnswerBytes = 4 * 1024 * 1024;

/** Answers of one process that others wait for. */
const maxFlights = 1_000;

const defaultTimeoutMs = 50;

export function createAnswerCache({
  secret,
  now,
  warn,
  timeoutMs = defaultTimeoutMs,
  ...options
}: AnswerCacheOptions): AnswerCache {
  const table = openTable(options);
  const flights = new Map<string, PromiseWithResolvers<CachedAnswer | undefined>>();
  return {
    async place(material) {
      const key = createHmac('sha256', await secret())
        .update(material)
        .digest();
      const id = derived(key, 'id').toString('hex');
      const content: Content = { id, key: derived(key, 'content') };
      return {
        find: () => withTimeout(find(table, content, { now, warn }), timeoutMs, () => 'timeout' as const),
        put: (cached) => withTimeout(put(table, content, cached), timeoutMs * writesTimeouts, () => false),
        ...flightOf(id, flights),
      };
    },
  };
}

interface Content {
  readonly id: string;
  readonly key: Buffer;
}

const derived = (key: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `cached ${purpose}`, 32));

async function find(
  table: Table,
  content: Content,
  { now, warn }: Pick<AnswerCacheOptions, 'now' | 'warn'>,
): Promise<CachedAnswer | NotFound> {
  try {
    const item = await table.get(`cached#${content.id}`);
    const cached = item?.data instanceof Uint8Array ? await opened(item.data, content) : undefined;
    // DynamoDB deletes expired items late, and the attribute with their expiry is not encrypted.
    return cached && cached.expiresAt > now() ? cached : 'none';
  } catch (cause) {
    warn(cause);
    return 'unavailable';
  }
}

async function put(table: Table, content: Content, cached: CachedAnswer): Promise<boolean> {
  const json = Buffer.from(JSON.stringify(cached));
  if (json.length > maxAnswerBytes) return false;
  const data = sealBytes(content.key, content.id, await compress(json));
  if (data.length > maxCachedBytes) return false;
  const expires = Math.ceil(cached.expiresAt / 1_000);
  return await table.put(`cached#${content.id}`, { data, [expiryAttribute]: expires });
}

/** Undefined for an item that was changed, or is not one of this version. */
async function opened(data: Uint8Array, { id, key }: Content): Promise<CachedAnswer | undefined> {
  try {
    const compressed = openBytes(key, id, data);
    const cached = parseJson((await decompress(compressed, maxAnswerBytes)).toString());
    return isCached(cached) ? cached : undefined;
  } catch {
    return undefined;
  }
}

const isCached = (value: unknown): value is CachedAnswer =>
  isJsonObject(value) &&
  typeof value.requestId === 'string' &&
  typeof value.storedAt === 'number' &&
  typeof value.expiresAt === 'number' &&
  isJsonObject(value.answer);

/** One request is first; those that come meanwhile get what it gets. */
function flightOf(
  id: string,
  flights: Map<string, PromiseWithResolvers<CachedAnswer | undefined>>,
): Pick<CachePlace, 'follow' | 'land'> {
  let own: PromiseWithResolvers<CachedAnswer | undefined> | undefined;
  return {
    follow() {
      const other = flights.get(id);
      if (other) return other.promise;
      own = Promise.withResolvers();
      if (flights.size < maxFlights) flights.set(id, own);
      return undefined;
    },
    land(cached, stored = Promise.resolve()) {
      if (!own) return;
      const landed = own;
      own = undefined;
      landed.resolve(cached);
      void stored.then(() => {
        if (flights.get(id) === landed) flights.delete(id);
      });
    },
  };
}
