/** What a target may generate for a request, and what of it nobody sees, for the case that it is never counted. */
import type { AttemptOutput } from '../../../core/accounting/ledger.ts';
import type { Target } from '../../../core/catalog/model.ts';
import { isJsonObject } from '../../../core/formats/json-object.ts';
import type { GenerationRequest } from '../../../core/generation/request.ts';
import { toolsIn } from '../../../core/generation/tools/hosted-calls.ts';
import { willReason } from '../../../normalization/effort.ts';
import { linkedParts } from '../../use/seen-use.ts';
import { reservedOutput } from './token-bounds.ts';

/** `granted`: the output tokens that limits leave to it; absent: there are no limits. */
export const attemptOutput = (
  request: GenerationRequest,
  target: Target,
  granted = reservedOutput(request, target),
): AttemptOutput => ({
  reserved: granted,
  isHidden: mayReason(request, target),
  isInputUnknown: linkedParts(request) > 0 || usesTools(request),
});

/** Fields of a protocol may ask for it, too. */
function mayReason(request: GenerationRequest, target: Target): boolean {
  const { original, nativeFields, parameters } = request;
  const { thinking } = original?.body ?? {};
  const isAsked = nativeFields !== undefined || (isJsonObject(thinking) && thinking.type !== 'disabled');
  return willReason(parameters, target) || (isAsked && target.model.traits.reasoning !== undefined);
}

/** Of the provider: it counts what they read as input. */
const usesTools = (request: GenerationRequest): boolean =>
  request.webSearch !== undefined ||
  toolsIn(request).length > 0 ||
  (request.original?.cost?.tools ?? []).length > 0;
