/** What Cohere does not support of tools: one that must be called, and strict tools beside others. */
import { pathOf } from '../../core/generation/original/source.ts';
import { always, type Change, type RequestRule } from '../../normalization/rule.ts';
import { strictToolsWhere } from '../../normalization/schemas/structured-output.ts';

/** A tool that must be called becomes the only one, and some tool must be called. */
export const onlyNamedTool: RequestRule = (request) => {
  const { tools, parameters } = request;
  const choice = parameters.tool_choice;
  if (typeof choice !== 'object') return undefined;
  const reason = 'The provider cannot force a specific tool, only any tool.';
  const others = tools.flatMap((tool): Change[] => {
    const { name } = tool;
    if (name === choice.name) return [];
    return [{ param: pathOf(tool), action: 'strip', before: { name }, after: null, reason }];
  });
  return {
    request: {
      ...request,
      tools: tools.filter(({ name }) => name === choice.name),
      parameters: { ...parameters, tool_choice: 'required' },
    },
    changes: [
      ...others,
      { param: 'tool_choice', action: 'override', before: choice, after: 'required', reason },
    ],
  };
};

const looseTools = strictToolsWhere(() => false);

/** There is one switch for all tools: with one that is not strict, none is. */
export const strictTogether: RequestRule = always((request, target) =>
  request.tools.every(({ strict }) => strict) ? undefined : looseTools(request, target),
);
