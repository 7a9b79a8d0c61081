/**
 * JSON answers from models whose wire has no mode for them: one tool whose input is the wanted JSON, which the model is
 * made to call, and whose input the decoder gives out as the text of the answer.
 *
 * Where a call cannot be forced (the caller has tools of their own, the model thinks, or refuses forced calls), the
 * model is only told what to write. That is a request, not a guarantee, but it leaves the caller's tools usable.
 */
import { GatewayError } from '../core/errors.ts';
import type { GenerationRequest, JsonObject, ResponseFormat, Tool } from '../core/generation/request.ts';
import { pathOf } from '../core/generation/source.ts';
import type { Target } from '../core/model.ts';

/** The reserved tool. Decoders know by this name alone that a call is the answer itself. */
export const jsonToolName = 'json_response';

/** How an answer in JSON is asked for. */
export type JsonPlan =
  /** Nothing was asked. */
  | { readonly type: 'none' }
  /** The wire's own mode, with this schema. */
  | {
      readonly type: 'native';
      readonly schema: JsonObject;
      readonly name: string;
      readonly description?: string | undefined;
    }
  | { readonly type: 'tool'; readonly tool: Tool }
  | { readonly type: 'instruction'; readonly text: string };

/** A JSON object of any form. */
const anyObject: JsonObject = { type: 'object' };

type SchemaFormat = Extract<ResponseFormat, { type: 'json_schema' }>['json_schema'];

/**
 * Chooses the way. `thinking` says whether the model will think: Claude then takes no forced calls.
 *
 * @throws GatewayError `invalid_request` when the caller's own tool has the reserved name.
 */
export function planJson(request: GenerationRequest, target: Target, thinking: boolean): JsonPlan {
  refuseReservedName(request.tools);
  const format = request.parameters.response_format;
  if (format === undefined || format.type === 'text') return { type: 'none' };
  const wanted: SchemaFormat | undefined = format.type === 'json_schema' ? format.json_schema : undefined;
  const { structuredOutput, toolChoices } = target.model.traits;
  if (wanted?.schema && structuredOutput === 'schema') {
    return { type: 'native', schema: wanted.schema, name: wanted.name, description: wanted.description };
  }
  const hasTools = request.tools.length > 0 || request.webSearch !== undefined;
  const forcible = !hasTools && !thinking && (toolChoices?.includes('named') ?? true);
  return forcible
    ? { type: 'tool', tool: jsonTool(wanted) }
    : { type: 'instruction', text: jsonInstruction(wanted) };
}

function jsonTool(wanted: SchemaFormat | undefined): Tool {
  return {
    name: jsonToolName,
    description: wanted?.description ?? 'Give the answer as a JSON object, by calling this tool once.',
    parameters: wanted?.schema ?? anyObject,
  };
}

/** Says in words what form the answer shall have. */
export function jsonInstruction(wanted: SchemaFormat | undefined): string {
  const form = wanted?.schema
    ? ` that is valid under this JSON Schema: ${JSON.stringify(wanted.schema)}`
    : '';
  const purpose = wanted?.description ? ` It holds: ${wanted.description}` : '';
  return `Write your final answer as one JSON object${form}. Write nothing before or after it.${purpose}`;
}

function refuseReservedName(tools: readonly Tool[]): void {
  const tool = tools.find(({ name }) => name === jsonToolName);
  if (!tool) return;
  const message = `The tool name '${jsonToolName}' is reserved for structured outputs of this model. Rename the tool.`;
  throw new GatewayError('invalid_request', message, { param: pathOf(tool, 'name') });
}
