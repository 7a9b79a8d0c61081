/**
 * Responses that were stored before conversations shared their parts: each is whole, a head with the first piece of the data and
 * `response#<tenant>#<id>#<digest>#<n>` with the others. They are read and deleted, and no longer written; the last of them
 * expires thirty days after the deployment that wrote it was replaced.
 */
import { createHash } from 'node:crypto';
import { mapConcurrently } from '../../async/map-concurrently.ts';
import { isJsonObject, objectsIn } from '../../core/formats/json-object.ts';
import type { FoundResponse } from '../../core/stored-response.ts';
import { expiryAttribute } from '../../core/tables.ts';
import type { StoredItem, Table } from '../dynamodb/table.ts';
import { decompress } from './compression.ts';

/** The head holds the first piece of the data, and how to find and verify the others. */
interface EarlierHead {
  readonly digest: string;
  readonly pieces: number;
  readonly data: Uint8Array;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** Bytes of JSON. */
const maxBytes = 64 * 1024 * 1024;

const concurrency = 4;

const consistent = { consistent: true };

export function readEarlierHead(item: StoredItem): EarlierHead | undefined {
  const { digest, pieces, data, [expiryAttribute]: expiresAt } = item;
  if (typeof digest !== 'string' || typeof pieces !== 'number' || typeof expiresAt !== 'number')
    return undefined;
  return data instanceof Uint8Array ? { digest, pieces, data, expiresAt } : undefined;
}

/** `key`: of the head. Undefined where a piece is missing or damaged. */
export async function readEarlier(
  table: Table,
  key: string,
  head: EarlierHead,
): Promise<FoundResponse | undefined> {
  const parts = await mapConcurrently(
    partKeys(key, head),
    concurrency,
    async (part) => (await table.get(part, consistent))?.data,
  );
  const pieces = [head.data, ...parts].filter((piece) => piece instanceof Uint8Array);
  if (digestOf(pieces) !== head.digest) return undefined;
  const json = await decompress(Buffer.concat(pieces), maxBytes);
  const { response, input }: { response?: unknown; input?: unknown } = JSON.parse(json.toString());
  if (!isJsonObject(response) || !Array.isArray(input)) return undefined;
  return {
    bytes: json.length,
    shared: [],
    input: objectsIn(input),
    readResponse: async () => response,
    readPart: async () => undefined,
  };
}

/** The head is removed already. */
export async function removeEarlier(table: Table, key: string, head: EarlierHead): Promise<void> {
  await mapConcurrently(partKeys(key, head), concurrency, (part) => table.remove(part));
}

const partKeys = (key: string, { digest, pieces }: EarlierHead) =>
  Array.from({ length: pieces - 1 }, (_, index) => `${key}#${digest}#${index + 1}`);

function digestOf(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}
