/**
 * Fields of the provider's own protocol, as callers of chat and Responses give them: bounds that need no knowledge of the
 * protocol. Which fields it takes is looked up once the target is known (`generation/native`).
 */

import { invalid } from '../core/errors/invalid.ts';
import { isOwnField } from '../core/generation/original/native-fields.ts';
import type { FieldPaths } from '../core/generation/original/source.ts';
import type { JsonObject } from '../core/generation/request.ts';

/** No field of a protocol needs more: the largest are JSON Schemas. */
export const maxNativeBytes = 65_536;
export const maxNativeDepth = 32;
export const maxNativeValues = 4_096;

const root = 'native_fields';

/** @throws GatewayError `invalid_request` for a field that only the gateway may set, and for too many or too deep ones. */
export function checkNativeFields(fields: JsonObject): void {
  const own = Object.keys(fields).find(isOwnField);
  if (own !== undefined)
    throw invalid(`${root}.${own}`, 'is not supported: the gateway sets this field itself');
  const counted = { values: 0 };
  countValues(fields, 1, counted);
  if (Buffer.byteLength(JSON.stringify(fields)) > maxNativeBytes) {
    throw invalid(root, `must be at most ${maxNativeBytes} bytes of JSON`);
  }
}

function countValues(value: unknown, depth: number, counted: { values: number }): void {
  counted.values += 1;
  if (counted.values > maxNativeValues) throw invalid(root, `must have at most ${maxNativeValues} values`);
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxNativeDepth) throw invalid(root, `must be at most ${maxNativeDepth} levels deep`);
  for (const inner of Object.values(value)) countValues(inner, depth + 1, counted);
}

/** Where the caller finds them. A field of both is the caller's own parameter. */
export function nativePaths(body: { readonly native_fields?: JsonObject | null | undefined }): FieldPaths {
  const names = Object.keys(body.native_fields ?? {}).filter((name) => !Object.hasOwn(body, name));
  return Object.fromEntries(names.map((name) => [name, `${root}.${name}`]));
}
