/**
 * Stored responses, in the state table until they expire. Each has a head (`head.ts`). A conversation that is too large for one
 * item has its earlier input in parts (`pieces.ts`), which all later responses share: a follow-up writes only what is new.
 *
 * The head is written after its parts and deleted before them, and only it has their keys. So a response that is only partly
 * written, partly deleted or damaged is never found, and what no response refers to can no longer be read.
 */
import { isJsonObject, objectsIn } from '../../core/formats/json-object.ts';
import {
  type FoundResponse,
  maxConversationBytes,
  type ResponseStore,
  type SharedPart,
  type StoredResponse,
} from '../../core/stored-response.ts';
import { openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { readEarlier, readEarlierHead, removeEarlier } from './earlier-format.ts';
import {
  expiryOf,
  type Head,
  type HeadToPack,
  maxHeadInput,
  maxHeadResponse,
  packHead,
  unpackHead,
} from './head.ts';
import { extendPart, maxPieceBytes, type Place, readPart, removePart, writePart } from './pieces.ts';

interface ResponseStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly lifetimeMs?: number;
  /** Smaller ones in tests. */
  readonly sizes?: Sizes;
}

/** In bytes. */
interface Sizes {
  readonly headInput: number;
  readonly headResponse: number;
  readonly piece: number;
}

const defaultSizes: Sizes = { headInput: maxHeadInput, headResponse: maxHeadResponse, piece: maxPieceBytes };

export const thirtyDaysMs = 30 * 24 * 3_600_000;

/** So much longer than a response lives what it shares, in seconds: then it is extended at most once a day. */
const maxExtraSeconds = 24 * 3_600;

/** So much longer it lives at least: two turns may extend it in either order, and a turn lasts less. */
const minExtraSeconds = 3_600;

const maxResponseId = 128;

/** Allows no `#`, so that an id cannot be mistaken for the key of a part. */
const idPattern = new RegExp(`^[A-Za-z0-9_-]{1,${maxResponseId}}$`);

export const isResponseId = (id: string): boolean => idPattern.test(id);

export function createResponseStore(options: ResponseStoreOptions): ResponseStore {
  const { now, lifetimeMs = thirtyDaysMs, sizes = defaultSizes } = options;
  const table = openTable(options);
  const placeOf = (tenant: string): Place => ({
    table,
    prefix: (id) => keyOf(tenant, id),
    pieceBytes: sizes.piece,
  });
  const isExpired = (expiresAt: number) => expiresAt * 1000 <= now();

  return {
    async find(tenant, id) {
      if (!isResponseId(id)) return undefined;
      const key = keyOf(tenant, id);
      // Strongly consistent, because the next turn may follow immediately.
      const item = await table.get(key, { consistent: true });
      // DynamoDB deletes expired items late.
      if (!item || isExpired(lifeOf(item))) return undefined;
      const earlier = readEarlierHead(item);
      if (earlier) return await readEarlier(table, key, earlier);
      const head = await unpackHead(item);
      return head && found(placeOf(tenant), head);
    },
    async put(tenant, id, stored) {
      if (!isResponseId(id)) throw new RangeError('Not a valid response id.');
      const place = placeOf(tenant);
      const expiresAt = Math.floor((now() + lifetimeMs) / 1000);
      const head = await writeParts(place, { id, expiresAt, sizes }, stored);
      await table.put(place.prefix(id), await packHead(head));
    },
    async delete(tenant, id) {
      if (!isResponseId(id)) return false;
      const key = keyOf(tenant, id);
      const item = await table.remove(key);
      if (!item) return false;
      const earlier = readEarlierHead(item);
      if (earlier) await removeEarlier(table, key, earlier);
      const own = (await unpackHead(item))?.own;
      if (own) await removePart(placeOf(tenant), own);
      return !isExpired(lifeOf(item));
    },
  };
}

export const keyOf = (tenant: string, id: string) => `response#${encodeURIComponent(tenant)}#${id}`;

/** What is neither form of a head has no life. */
const lifeOf = (item: StoredItem): number => readEarlierHead(item)?.expiresAt ?? expiryOf(item) ?? 0;

function found(place: Place, { response, own, input, shared, bytes }: Head): FoundResponse {
  const read = async (part: SharedPart): Promise<unknown> => {
    const json = await readPart(place, part);
    return json && JSON.parse(json.toString());
  };
  return {
    bytes,
    shared,
    input,
    async readResponse() {
      const stored = own ? await read(own) : response;
      return isJsonObject(stored) ? stored : undefined;
    },
    async readPart(part) {
      const items = await read(part);
      return items === undefined ? undefined : objectsIn(items);
    },
  };
}

interface Writing {
  readonly id: string;
  /** Unix seconds. */
  readonly expiresAt: number;
  readonly sizes: Sizes;
}

/** Writes everything but the head, and makes sure that what it shares lives as long. */
async function writeParts(
  place: Place,
  { id, expiresAt, sizes }: Writing,
  { response, input, shared: earlier = [] }: StoredResponse,
): Promise<HeadToPack> {
  const [newInput, whole] = [JSON.stringify(input), JSON.stringify(response)];
  const [inputBytes, wholeBytes] = [Buffer.byteLength(newInput), Buffer.byteLength(whole)];
  const bytes = sumOf(earlier) + inputBytes + wholeBytes;
  if (bytes > maxConversationBytes)
    throw new RangeError('The response and its input are too large to store.');
  const shared: SharedPart[] = [];
  for (const part of earlier) shared.push(await extended(place, part, expiresAt));
  const isPart = inputBytes > sizes.headInput;
  if (isPart) {
    const life = { owner: id, expiresAt: expiresAt + maxExtraSeconds };
    shared.push(await writePart(place, Buffer.from(newInput), life));
  }
  const head = { input: isPart ? '[]' : newInput, shared, bytes, expiresAt };
  if (wholeBytes <= sizes.headResponse) return { ...head, response: whole };
  return { ...head, own: await writePart(place, Buffer.from(whole), { owner: id, expiresAt }) };
}

async function extended(place: Place, part: SharedPart, expiresAt: number): Promise<SharedPart> {
  if (part.expiresAt >= expiresAt + minExtraSeconds) return part;
  return await extendPart(place, part, expiresAt + maxExtraSeconds);
}

const sumOf = (parts: readonly SharedPart[]): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);
