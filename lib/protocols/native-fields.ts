/** Merges a caller's `native_fields` into an encoded body. */

import { isJsonObject } from '../core/formats/json-object.ts';
import type { JsonObject } from '../core/generation/request.ts';

/**
 * Objects are merged field by field; for other values the caller's one is used. An object with a `type` replaces the other
 * one, because fields of one type do not belong to another.
 */
export function mergeFields(body: JsonObject, fields: JsonObject): JsonObject {
  const merged = Object.entries(fields).map(([name, value]) => {
    const own = body[name];
    const isMerged = isJsonObject(own) && isJsonObject(value) && value.type === undefined;
    return [name, isMerged ? mergeFields(own, value) : value] as const;
  });
  return { ...body, ...Object.fromEntries(merged) };
}
