/** The output limit of a request for which the limits of its tenant leave less than it may write. */

import type { Target } from '../../../core/catalog/model.ts';
import { isJsonObject } from '../../../core/formats/json-object.ts';
import { renamePath } from '../../../core/generation/original/source.ts';
import type { GenerationRequest, JsonObject } from '../../../core/generation/request.ts';
import { withParameter } from '../../../normalization/parameter-rules.ts';
import { type Change, type Normalized, overridden } from '../../../normalization/rule.ts';
import { maxWritten, minThinking } from './token-bounds.ts';

/** The request with a limit of so many tokens for each of its answers, if it could write more. */
export function withinGrant(request: GenerationRequest, { model }: Target, tokens: number): Normalized {
  const { parameters, parameterPaths } = request;
  const name =
    parameters.max_completion_tokens == null && parameters.max_tokens != null ? 'max_tokens' : newName;
  const before = parameters[name] ?? null;
  const max = Math.min(before ?? Number.POSITIVE_INFINITY, model.limits.output ?? maxWritten);
  if (tokens >= max) return { request, changes: [] };
  return {
    request: { ...request, parameters: withParameter(parameters, name, tokens) },
    changes: [
      {
        param: renamePath(name, parameterPaths),
        action: before === null ? 'add' : 'override',
        before,
        after: tokens,
        reason: 'The limits of the API key, its tenant or its user leave no more for this request.',
      },
    ],
  };
}

const newName = 'max_completion_tokens';

/** The same for a request in its caller's own protocol: its own fields are lowered. */
export function originalWithinGrant(request: GenerationRequest, target: Target, tokens: number): Normalized {
  const { original } = request;
  const within = withinGrant(request, target, tokens);
  if (!original || within.changes.length === 0) return within;
  const thinking = withinTokens(original.body, tokens);
  const body = { ...original.body, ...(thinking && { thinking: thinking.after }), max_tokens: tokens };
  return {
    request: { ...within.request, original: { ...original, body } },
    changes: [...within.changes, ...(thinking ? [thinking.change] : [])],
  };
}

/** The thinking of a body whose budget was within its limit before, and is not any more. */
function withinTokens({ thinking, max_tokens: limit }: JsonObject, tokens: number) {
  if (!isJsonObject(thinking) || thinking.type !== 'enabled') return undefined;
  const { budget_tokens: before } = thinking;
  if (typeof before !== 'number' || before < tokens || before >= Number(limit)) return undefined;
  const after = Math.max(minThinking, tokens - minThinking);
  const reason = 'A thinking budget is smaller than the limit of output, which was lowered.';
  const change: Change = overridden('thinking.budget_tokens', before, after, reason);
  return { after: { ...thinking, budget_tokens: after }, change };
}
