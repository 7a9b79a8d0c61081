/**
 * A caller's `native_fields`: fields of the provider's own wire, put over what the encoder wrote. The provider judges
 * them, nobody before it.
 */

import type { GenerationProtocol } from '../core/generation/protocol.ts';
import type { JsonObject } from '../core/generation/request.ts';
import { mergeFields } from '../protocols/native-fields.ts';

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
