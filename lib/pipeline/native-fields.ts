/**
 * A caller's `native_fields`: fields of the provider's own protocol, merged over what the encoder wrote. Only the provider
 * validates them.
 */

import type { GenerationProtocol } from '../core/generation/protocol.ts';
import type { JsonObject } from '../core/generation/request.ts';
import { mergeFields } from '../protocols/native-fields.ts';

/** The same protocol, with these fields in its requests. */
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
