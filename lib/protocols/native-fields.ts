/** A caller's `native_fields` put over what an encoder wrote. */
import type { JsonObject } from '../core/generation/request.ts';
import { isJsonObject } from '../core/json-object.ts';

/**
 * Objects are merged field by field; of anything else the second counts. So it does of an object that names its `type`:
 * what belongs to one type is no part of another.
 */
export function mergeFields(body: JsonObject, fields: JsonObject): JsonObject {
  const merged = Object.entries(fields).map(([name, value]) => {
    const own = body[name];
    const isMerged = isJsonObject(own) && isJsonObject(value) && value.type === undefined;
    return [name, isMerged ? mergeFields(own, value) : value] as const;
  });
  return { ...body, ...Object.fromEntries(merged) };
}
