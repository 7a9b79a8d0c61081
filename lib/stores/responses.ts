/**
 * Stored responses, in the state table until they expire. Items: `response#<tenant>#<id>`, the head, and
 * `response#<tenant>#<id>#<digest>#<n>`, the parts of a response that is too large for one item.
 *
 * The head is written after the parts and deleted before them, and it refers to them by the digest of the whole data. So a
 * response that is only partly written, partly deleted or damaged is never found.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { mapConcurrently } from '../async/map-concurrently.ts';
import { isJsonObject } from '../core/json-object.ts';
import type { ResponseStore, StoredResponse } from '../core/stored-response.ts';
import { expiryAttribute } from '../core/tables.ts';
import { openTable, type StoredItem, type Table, type TableOptions } from './dynamodb/table.ts';

export interface ResponseStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly lifetimeMs?: number;
}

/** The head holds the first piece of the data, and how to find and verify the others. */
interface Head {
  readonly digest: string;
  readonly pieces: number;
  readonly data: Uint8Array;
  /** Unix seconds. */
  readonly expiresAt: number;
}

const thirtyDaysMs = 30 * 24 * 3_600_000;

/** Bytes. DynamoDB allows 400 KB for an item. */
const pieceSize = 300 * 1024;

/** Bytes of JSON. A function's memory holds several copies of this size. */
const maxBytes = 64 * 1024 * 1024;

/** How many pieces are read or written at the same time. */
const concurrency = 4;

/** Allows no `#`, so that an id cannot be mistaken for the key of a part. */
const idPattern = /^[A-Za-z0-9_-]{1,128}$/;

const consistent = { consistent: true };

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

export function createResponseStore(options: ResponseStoreOptions): ResponseStore {
  const { now, lifetimeMs = thirtyDaysMs } = options;
  const table = openTable(options);
  const isExpired = ({ expiresAt }: Head) => expiresAt * 1000 <= now();

  return {
    async find(tenant, id) {
      if (!idPattern.test(id)) return undefined;
      // Strongly consistent, because the next turn may follow immediately.
      const head = readHead(await table.get(keyOf(tenant, id), consistent));
      // DynamoDB deletes expired items late.
      if (!head || isExpired(head)) return undefined;
      const data = await readPieces(table, keyOf(tenant, id), head);
      return data && (await unpack(data));
    },
    async put(tenant, id, stored) {
      if (!idPattern.test(id)) throw new RangeError('Not a valid response id.');
      const [data = new Uint8Array(), ...parts] = split(await pack(stored));
      const digest = digestOf([data, ...parts]);
      const expiry = { [expiryAttribute]: Math.floor((now() + lifetimeMs) / 1000) };
      const key = keyOf(tenant, id);
      const keyed = parts.map((part, index) => ({ part, key: partKey(key, digest, index + 1) }));
      await mapConcurrently(keyed, concurrency, (one) => table.put(one.key, { data: one.part, ...expiry }));
      await table.put(key, { digest, pieces: parts.length + 1, data, ...expiry });
    },
    async delete(tenant, id) {
      if (!idPattern.test(id)) return false;
      const key = keyOf(tenant, id);
      const head = readHead(await table.remove(key));
      if (!head) return false;
      await mapConcurrently(partKeys(key, head), concurrency, (part) => table.remove(part));
      return !isExpired(head);
    },
  };
}

const keyOf = (tenant: string, id: string) => `response#${encodeURIComponent(tenant)}#${id}`;

const partKey = (key: string, digest: string, index: number) => `${key}#${digest}#${index}`;

const partKeys = (key: string, { digest, pieces }: Head) =>
  Array.from({ length: pieces - 1 }, (_, index) => partKey(key, digest, index + 1));

function readHead(item: StoredItem | undefined): Head | undefined {
  const { digest, pieces, data, [expiryAttribute]: expiresAt } = item ?? {};
  if (typeof digest !== 'string' || typeof pieces !== 'number' || typeof expiresAt !== 'number')
    return undefined;
  return data instanceof Uint8Array ? { digest, pieces, data, expiresAt } : undefined;
}

/** The whole data, or undefined if a piece is missing or damaged. */
async function readPieces(table: Table, key: string, head: Head): Promise<Uint8Array | undefined> {
  const parts = await mapConcurrently(
    partKeys(key, head),
    concurrency,
    async (part) => (await table.get(part, consistent))?.data,
  );
  const pieces = [head.data, ...parts].filter((piece) => piece instanceof Uint8Array);
  return digestOf(pieces) === head.digest ? Buffer.concat(pieces) : undefined;
}

function digestOf(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

const split = (data: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(data.length / pieceSize) }, (_, index) =>
    data.subarray(index * pieceSize, (index + 1) * pieceSize),
  );

async function pack({ response, input }: StoredResponse): Promise<Uint8Array> {
  const json = Buffer.from(JSON.stringify({ response, input }));
  if (json.length > maxBytes) throw new RangeError('The response and its input are too large to store.');
  // Low qualities compress a conversation nearly as well as the default one, in a fraction of the time.
  return await compress(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });
}

async function unpack(data: Uint8Array): Promise<StoredResponse | undefined> {
  const json = await decompress(data, { maxOutputLength: maxBytes });
  const { response, input }: { response?: unknown; input?: unknown } = JSON.parse(json.toString());
  if (!isJsonObject(response) || !Array.isArray(input)) return undefined;
  return { response, input: input.filter(isJsonObject) };
}
