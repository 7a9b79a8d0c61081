/** Rejects structured outputs that a target does not support: the caller relies on the format of the answer. */
import type { ResponseFormat } from '../../core/generation/request.ts';
import type { Target } from '../../core/model.ts';
import { willReason } from '../effort.ts';
import type { Rule, RuleContext } from '../rule.ts';

const formatOf = ({ parameters }: RuleContext): ResponseFormat['type'] | undefined =>
  parameters.response_format?.type;

/** For protocols where structured outputs need the model's own mode. */
export const ownFormats: readonly Rule[] = [
  {
    param: 'response_format',
    reason: 'The model does not support response schemas.',
    applies: (context) =>
      formatOf(context) === 'json_schema' && context.target.model.traits.structuredOutput !== 'schema',
    refuses: { message: ({ target }) => `The model '${target.model.id}' does not support response schemas.` },
  },
  {
    param: 'response_format',
    reason: 'The model does not support JSON mode.',
    applies: (context) =>
      formatOf(context) === 'json_object' && context.target.model.traits.structuredOutput === undefined,
    refuses: { message: ({ target }) => `The model '${target.model.id}' does not support JSON mode.` },
  },
];

/** For protocols where a forced tool call replaces a mode that the model does not have. */
export const formatByTool: Rule = {
  param: 'response_format',
  reason: 'The model supports response schemas only through a forced tool call.',
  applies: ({ request, parameters, target }) => {
    const format = parameters.response_format;
    if (format?.type !== 'json_schema' || !format.json_schema.schema) return false;
    if (target.model.traits.structuredOutput === 'schema') return false;
    return (
      request.tools.length > 0 ||
      request.webSearch !== undefined ||
      !takesForcedCalls(target) ||
      thinksAsClaude({ request, parameters, target })
    );
  },
  refuses: {
    message: ({ target }) =>
      `The model '${target.model.id}' supports response schemas only without tools and without reasoning.`,
  },
};

const takesForcedCalls = ({ model }: Target): boolean => model.traits.toolChoices?.includes('named') ?? true;

/** Claude does not accept forced calls while it thinks. */
function thinksAsClaude({ parameters, target }: RuleContext): boolean {
  const style = target.model.traits.reasoning?.style;
  return (style === 'budget' || style === 'adaptive') && willReason(parameters, target);
}
