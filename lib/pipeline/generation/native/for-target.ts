/** A caller's `native_fields` at one target: read by the list of the protocol that the request takes there. */

import type { Target } from '../../../core/catalog/model.ts';
import type { ModelEndpoint } from '../../../core/catalog/model-endpoints.ts';
import type { GenerationRequest } from '../../../core/generation/request.ts';
import type { Normalized } from '../../../normalization/rule.ts';
import type { Providers } from '../../../providers/provider.ts';
import { findGeneration } from '../prepare.ts';
import { readNative, withoutNative } from './read-native.ts';

interface Place {
  readonly providers: Providers;
  readonly endpoint: ModelEndpoint;
  readonly target: Target;
  /** The target that is asked first: the fields are those of its protocol. */
  readonly primary: Target;
}

/**
 * @throws GatewayError `invalid_request` for a field that the first target does not take, `upstream_model_missing` for a target
 * that cannot serve the request.
 */
export function readForTarget(request: GenerationRequest, place: Place): Normalized {
  const { protocol } = findGeneration(place, place.target, request).generation;
  const primary = findGeneration(place, place.primary, request).generation.protocol;
  if (protocol.name !== primary.name) return withoutNative(request);
  const isPrimary = place.target === place.primary;
  const readBy = ({ name, nativeFields }: typeof protocol) =>
    readNative(request, { fields: nativeFields(place.target), protocol: name, isPrimary });
  const read = readBy(protocol);
  // What was read may lead the request over another protocol of the same provider.
  const after = findGeneration(place, place.target, read.request).generation.protocol;
  return after.name === protocol.name ? read : readBy(after);
}
