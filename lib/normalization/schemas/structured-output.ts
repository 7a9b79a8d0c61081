/** Rejects structured outputs that a target does not support: the caller relies on the format of the answer. */
import type { GenerationRequest, ResponseFormat } from '../../core/generation/request.ts';
import { renamePath } from '../../core/generation/source.ts';
import type { Target, Traits } from '../../core/model.ts';
import { willReason } from '../effort.ts';
import type { Change, RequestRule, Rule, RuleContext } from '../rule.ts';
import { formatInWords } from './format-in-words.ts';

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
  applies: (context) => {
    const format = context.parameters.response_format;
    if (format?.type !== 'json_schema' || !format.json_schema.schema) return false;
    return context.target.model.traits.structuredOutput !== 'schema' && !takesJsonTool(context);
  },
  refuses: {
    message: ({ target }) =>
      `The model '${target.model.id}' supports response schemas only without tools and without reasoning.`,
  },
};

/** For the same protocols: JSON of any form, where no call can be forced. */
export const jsonInWords = formatInWords(modeOfProtocol);

function modeOfProtocol(request: GenerationRequest, target: Target): Traits['structuredOutput'] {
  const { parameters } = request;
  const { response_format: format } = parameters;
  const isNative =
    format?.type === 'json_schema' &&
    format.json_schema.schema !== undefined &&
    target.model.traits.structuredOutput === 'schema';
  return isNative || takesJsonTool({ request, parameters, target }) ? 'schema' : undefined;
}

/** The input of a forced call is not held to its schema. */
export const notStrictByTool: RequestRule = (request, { model }) => {
  const { response_format: format } = request.parameters;
  if (format?.type !== 'json_schema' || !format.json_schema.strict) return undefined;
  if (model.traits.structuredOutput === 'schema') return undefined;
  const { strict: _, ...json_schema } = format.json_schema;
  const change: Change = {
    param: renamePath('response_format.json_schema.strict', request.parameterPaths),
    action: 'strip',
    before: true,
    after: null,
    reason: 'The model supports response schemas only through a forced tool call, which is not strict.',
  };
  const parameters = { ...request.parameters, response_format: { ...format, json_schema } };
  return { request: { ...request, parameters }, changes: [change] };
};

/** Whether the model can be forced to call one tool that the gateway adds. */
function takesJsonTool(context: RuleContext): boolean {
  const { request, target } = context;
  const isAlone = request.tools.length === 0 && request.webSearch === undefined;
  return isAlone && takesForcedCalls(target) && !thinksAsClaude(context);
}

const takesForcedCalls = ({ model }: Target): boolean => model.traits.toolChoices?.includes('named') ?? true;

/** Claude does not accept forced calls while it thinks. */
function thinksAsClaude({ parameters, target }: Pick<RuleContext, 'parameters' | 'target'>): boolean {
  const style = target.model.traits.reasoning?.style;
  return (style === 'budget' || style === 'adaptive') && willReason(parameters, target);
}
