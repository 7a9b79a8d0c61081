/** Strict tools, where a target has no strict mode for them. */
import type { Tool } from '../../core/generation/request.ts';
import { pathOf } from '../../core/generation/source.ts';
import type { Target } from '../../core/model.ts';
import type { Change, RequestRule } from '../rule.ts';

/** Takes `strict` away from tools where the target cannot hold the model to their schemas. */
export function strictToolsWhere(taken: (target: Target) => boolean): RequestRule {
  return (request, target) => {
    if (taken(target) || !request.tools.some(({ strict }) => strict)) return undefined;
    const changes = request.tools.flatMap((tool) => (tool.strict ? [change(tool)] : []));
    const tools = request.tools.map(({ strict: _, ...tool }) => tool);
    return { request: { ...request, tools }, changes };
  };
}

function change(tool: Tool): Change {
  const param = pathOf(tool, 'strict');
  const reason = 'The model has no strict mode for tools.';
  return { param, action: 'strip', before: true, after: null, reason };
}
