/** The output limit of a request for which the limits of its tenant leave less than it may write. */
import type { GenerationRequest } from '../../core/generation/request.ts';
import { renamePath } from '../../core/generation/source.ts';
import type { Target } from '../../core/model.ts';
import { withParameter } from '../../normalization/parameter-rules.ts';
import type { Normalized } from '../../normalization/rule.ts';
import { maxWritten } from './token-bounds.ts';

/** The request with a limit of so many tokens for each of its answers, if it could write more. */
export function withinGrant(request: GenerationRequest, { model }: Target, tokens: number): Normalized {
  const { parameters, parameterPaths } = request;
  const name =
    parameters.max_completion_tokens == null && parameters.max_tokens != null ? 'max_tokens' : newName;
  const before = parameters[name] ?? null;
  const most = Math.min(before ?? Number.POSITIVE_INFINITY, model.limits.output ?? maxWritten);
  if (tokens >= most) return { request, changes: [] };
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
