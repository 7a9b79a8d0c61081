/** Strict tools, for targets without a strict mode. */
import type { Target } from '../../core/catalog/model.ts';
import { pathOf } from '../../core/generation/original/source.ts';
import type { Tool } from '../../core/generation/request.ts';
import { type Change, type RequestRule, stripped } from '../rule.ts';

/** Strips `strict` from tools if the target has no strict mode. */
export function strictToolsWhere(supported: (target: Target) => boolean): RequestRule {
  return (request, target) => {
    if (supported(target) || !request.tools.some(({ strict }) => strict)) return undefined;
    const changes = request.tools.flatMap((tool) => (tool.strict ? [change(tool)] : []));
    const tools = request.tools.map(({ strict: _, ...tool }) => tool);
    return { request: { ...request, tools }, changes };
  };
}

function change(tool: Tool): Change {
  const param = pathOf(tool, 'strict');
  const reason = 'The model does not support strict tools.';
  return stripped(param, true, reason);
}
