/**
 * The head of a stored response, the one item of the table that makes it exist (`response#<tenant>#<id>`): the response itself,
 * its latest input items, and which parts hold the earlier ones. A response too large for one item is a part of its own.
 */
import { createHash } from 'node:crypto';
import { isJsonObject, objectsIn } from '../../core/formats/json-object.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { SharedPart } from '../../core/stored-response.ts';
import { expiryAttribute } from '../../core/tables.ts';
import type { StoredItem } from '../dynamodb/table.ts';
import { compress, decompress } from './compression.ts';

export interface Head {
  /** The response, or the part that holds it. */
  readonly response: JsonObject | undefined;
  readonly own: SharedPart | undefined;
  readonly input: readonly JsonObject[];
  readonly shared: readonly SharedPart[];
  /** Bytes of JSON of the whole. */
  readonly bytes: number;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** JSON bytes of the input items in a head: a later turn writes them again. */
export const maxHeadInput = 128 * 1024;

/** JSON bytes of a response in a head. Both together, compressed, are less than the 400 KB of an item. */
export const maxHeadResponse = 192 * 1024;

/** JSON bytes of a head: besides these two, what refers to the parts. Each of those has more than `maxHeadInput`. */
const maxHeadBytes = 512 * 1024;

const format = 2;

/** `response` and `input` are JSON texts. */
export interface HeadToPack extends Pick<Head, 'shared' | 'bytes' | 'expiresAt'> {
  /** Absent: it is in `own`. */
  readonly response?: string;
  readonly own?: SharedPart;
  readonly input: string;
}

export async function packHead({ expiresAt, response, input, ...others }: HeadToPack): Promise<object> {
  const texts = `{"input":${input}${response === undefined ? '' : `,"response":${response}`}`;
  const data = await compress(Buffer.from(`${texts},${JSON.stringify(others).slice(1)}`));
  return { format, digest: digestOf(data), data, [expiryAttribute]: expiresAt };
}

/** When the item expires, in Unix seconds; undefined where it is no head of this form. */
export function expiryOf(item: StoredItem): number | undefined {
  const expiresAt = item[expiryAttribute];
  return item.format === format && typeof expiresAt === 'number' ? expiresAt : undefined;
}

/** Undefined for what is damaged. */
export async function unpackHead(item: StoredItem): Promise<Head | undefined> {
  const { digest, data } = item;
  const expiresAt = expiryOf(item);
  if (!(data instanceof Uint8Array) || expiresAt === undefined || digestOf(data) !== digest) return undefined;
  const head: unknown = JSON.parse((await decompress(data, maxHeadBytes)).toString());
  if (!isJsonObject(head) || typeof head.bytes !== 'number') return undefined;
  return {
    response: isJsonObject(head.response) ? head.response : undefined,
    own: isPart(head.own) ? head.own : undefined,
    input: objectsIn(head.input),
    shared: Array.isArray(head.shared) ? head.shared.filter(isPart) : [],
    bytes: head.bytes,
    expiresAt,
  };
}

const digestOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** The digest says that it is what `packHead` wrote. */
const isPart = (value: unknown): value is SharedPart => isJsonObject(value) && typeof value.key === 'string';
