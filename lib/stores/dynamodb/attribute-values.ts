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

function fromAttributeValue(attribute: unknown): unknown {
  if (typeof attribute !== 'object' || attribute === null) return undefined;
  const [type = ''] = Object.keys(attribute);
  const content = (attribute as Readonly<Record<string, unknown>>)[type];
  switch (type) {
    case 'S':
    case 'BOOL':
      return content;
    case 'B':
      return Buffer.from(String(content), 'base64');
    case 'N':
      return Number(content);
    case 'NULL':
      return null;
    case 'L':
      return Array.isArray(content) ? content.map(fromAttributeValue) : [];
    case 'M':
      return fromItem(content);
    default:
      return undefined;
  }
}
