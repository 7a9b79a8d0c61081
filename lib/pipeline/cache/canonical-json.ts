/** One text for all values that mean the same: members of objects are in the order of their names. */
import { isJsonObject, type JsonObject, setOwn } from '../../core/formats/json-object.ts';

/** Numbers that `exactJson` has kept as they are written. Newer than the types of the language. */
const { isRawJSON } = JSON as unknown as { isRawJSON(value: unknown): boolean };

export const canonicalJson = (value: JsonObject): string => JSON.stringify(value, inOrder);

function inOrder(_name: string, value: unknown): unknown {
  if (!isJsonObject(value) || isRawJSON(value)) return value;
  const sorted: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) setOwn(sorted, name, value[name]);
  return sorted;
}
