/** Strict tools, where a target has no strict mode for them. */
import type { Target } from '../../core/model.ts';
import type { Change, RequestRule } from '../rule.ts';

/** Takes `strict` away from tools where the target cannot hold the model to their schemas. */
export function strictToolsWhere(taken: (target: Target) => boolean): RequestRule {
  return (request, target) => {
    if (taken(target) || !request.tools.some(({ strict }) => strict)) return undefined;
    const changes = request.tools.flatMap(({ strict }, index) => (strict ? [change(index)] : []));
    const tools = request.tools.map(({ strict: _, ...tool }) => tool);
    return { request: { ...request, tools }, changes };
  };
}

function change(index: number): Change {
  const param = `tools.${index}.function.strict`;
  const reason = 'The model has no strict mode for tools.';
  return { param, action: 'strip', before: true, after: null, reason };
}
