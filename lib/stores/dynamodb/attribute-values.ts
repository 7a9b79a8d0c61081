/**
 * Converts between DynamoDB's attribute values and plain JavaScript values.
 *
 * JSON values and bytes are supported. Sets, which the gateway never writes, are read as undefined.
 */

import { setOwn } from '../../core/formats/json-object.ts';

type AttributeValue =
  | { readonly S: string }
  /** Base64. */
  | { readonly B: string }
  | { readonly N: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly L: readonly AttributeValue[] }
  | { readonly M: Item };

export interface Item {
  readonly [name: string]: AttributeValue;
}

/**
 * Converts an object to an item, without undefined members. Throws TypeError for values that are neither JSON nor bytes. Each request
 * writes two items, so nothing is made on the way that is not in the item.
 */
export function toItem(fields: object): Item {
  const source = fields as Readonly<Record<string, unknown>>;
  const item: Record<string, AttributeValue> = {};
  for (const name of Object.keys(source)) {
    const value = source[name];
    if (value !== undefined) setOwn(item, name, toAttributeValue(value));
  }
  return item;
}

export function toAttributeValue(value: unknown): AttributeValue {
  if (value === null) return { NULL: true };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (typeof value === 'number' && Number.isFinite(value)) return { N: String(value) };
  if (value instanceof Uint8Array)
    return { B: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  if (Array.isArray(value)) return { L: value.map(toAttributeValue) };
  if (typeof value === 'object') return { M: toItem(value) };
  throw new TypeError(`A value of type ${typeof value} cannot be stored.`);
}

/** Converts an item to an object. Returns an empty object for anything else. */
export function fromItem(item: unknown): Readonly<Record<string, unknown>> {
  if (typeof item !== 'object' || item === null) return {};
  const source = item as Readonly<Record<string, unknown>>;
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(source)) setOwn(fields, name, fromAttributeValue(source[name]));
  return fields;
}

/** As DynamoDB sends it: exactly one of them is there. */
interface Received {
  readonly S?: unknown;
  readonly N?: unknown;
  readonly M?: unknown;
  readonly L?: unknown;
  readonly BOOL?: unknown;
  readonly NULL?: unknown;
  readonly B?: unknown;
}

/** The list of models reads ten thousand values at the start of a function: the most frequent types are asked for first. */
function fromAttributeValue(attribute: unknown): unknown {
  if (typeof attribute !== 'object' || attribute === null) return undefined;
  const { S, N, M, L, BOOL, NULL, B } = attribute as Received;
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (M !== undefined) return fromItem(M);
  if (L !== undefined) return Array.isArray(L) ? L.map(fromAttributeValue) : [];
  if (BOOL !== undefined) return BOOL;
  if (NULL !== undefined) return null;
  return B === undefined ? undefined : Buffer.from(String(B), 'base64');
}
