/** What is left of a caller's `native_fields` once they have been read: fields of the protocol, merged over what was encoded. */

import type { GenerationProtocol } from '../core/generation/original/protocol.ts';
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
