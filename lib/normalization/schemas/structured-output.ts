/** Rejects structured outputs that a target does not support: the caller relies on the format of the answer. */
import type { Target, Traits } from '../../core/catalog/model.ts';
import { pathOf, renamePath } from '../../core/generation/original/source.ts';
import type { GenerationRequest, ResponseFormat, Tool } from '../../core/generation/request.ts';
import { willReason } from '../effort.ts';
import { type Change, type RequestRule, type Rule, type RuleContext, stripped } from '../rule.ts';
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

/** For protocols where a forced tool call replaces a mode that the model does not have: where no call can be forced. */
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

/** For the same protocols, after `jsonInWords`: beside other tools, the model calls one of them, or the tool that stands for its answer. */
export const schemaBesideTools: RequestRule = (request, { model }) => {
  const { parameters, tools, parameterPaths } = request;
  const { response_format: format, tool_choice: before = null } = parameters;
  const byCall =
    format?.type === 'json_schema' && format.json_schema.schema && model.traits.structuredOutput !== 'schema';
  if (!byCall || tools.length === 0) return undefined;
  const change: Change = {
    param: renamePath('tool_choice', parameterPaths),
    action: before === null ? 'add' : 'override',
    before,
    after: 'required',
    reason:
      'The model answers by a schema only through a call: it calls a tool, or the one that takes its answer.',
  };
  return {
    request: { ...request, parameters: { ...parameters, tool_choice: 'required' } },
    changes: [change],
  };
};

/** The input of a forced call is not held to its schema. */
export const notStrictByTool: RequestRule = (request, { model }) => {
  const { response_format: format } = request.parameters;
  if (format?.type !== 'json_schema' || !format.json_schema.strict) return undefined;
  if (model.traits.structuredOutput === 'schema') return undefined;
  const { strict: _, ...json_schema } = format.json_schema;
  const change: Change = stripped(
    renamePath('response_format.json_schema.strict', request.parameterPaths),
    true,
    'The model supports response schemas only through a forced tool call, which is not strict.',
  );
  const parameters = { ...request.parameters, response_format: { ...format, json_schema } };
  return { request: { ...request, parameters }, changes: [change] };
};

/** Whether the model can be forced to call a tool that the gateway adds: alone, or beside tools that it is free to call. */
function takesJsonTool(context: RuleContext): boolean {
  const { request, parameters, target } = context;
  if (request.webSearch !== undefined || thinksAsClaude(context)) return false;
  const { toolChoices } = target.model.traits;
  const { tool_choice: choice = 'auto', response_format: format } = parameters;
  if (request.tools.length === 0) return toolChoices?.includes('named') ?? true;
  const hasSchema = format?.type === 'json_schema' && format.json_schema.schema !== undefined;
  return hasSchema && choice === 'auto' && (toolChoices?.includes('required') ?? true);
}

/** Claude does not accept forced calls while it thinks. */
function thinksAsClaude({ parameters, target }: Pick<RuleContext, 'parameters' | 'target'>): boolean {
  const style = target.model.traits.reasoning?.style;
  return (style === 'budget' || style === 'adaptive') && willReason(parameters, target);
}

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
