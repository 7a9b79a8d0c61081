/**
 * A caller's `native_fields`: fields of the provider's own wire, put over what the encoder wrote. The provider judges
 * them, nobody before it.
 */
import type { JsonObject } from '../core/generation.ts';
import { isJsonObject } from '../core/json-object.ts';
import type { GenerationProtocol } from '../core/protocol.ts';

/** The same wire, whose requests hold these fields. */
export function withNativeFields(
  protocol: GenerationProtocol,
  fields: JsonObject | undefined,
): GenerationProtocol {
  if (!fields) return protocol;
  const { addNativeFields = mergeFields } = protocol;
  return {
    ...protocol,
    encode: (request, target) => addNativeFields(protocol.encode(request, target), fields),
  };
}

/** Objects are merged field by field; of anything else the second counts. */
function mergeFields(body: JsonObject, fields: JsonObject): JsonObject {
  const merged = Object.entries(fields).map(([name, value]) => {
    const own = body[name];
    return [name, isJsonObject(own) && isJsonObject(value) ? mergeFields(own, value) : value] as const;
  });
  return { ...body, ...Object.fromEntries(merged) };
}
