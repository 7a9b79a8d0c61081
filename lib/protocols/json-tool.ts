/**
 * JSON answers from models whose protocol has no JSON mode: the model is forced to call one tool whose input is the wanted
 * JSON, and the decoder returns that input as the text of the answer. Beside tools of the caller, it is forced to call one of all.
 *
 * If a call cannot be forced (the caller forces one of its own, the model thinks, or it does not support forced calls), a rule
 * has put the format into words before.
 */

import type { Target } from '../core/catalog/model.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { pathOf } from '../core/generation/original/source.ts';
import type { GenerationRequest, JsonObject, ResponseFormat, Tool } from '../core/generation/request.ts';

/** The reserved tool name. Decoders recognize by it that a call is the answer itself. */
export const jsonToolName = 'json_response';

/** How a JSON answer is requested. */
export type JsonPlan =
  /** No JSON was requested. */
  | { readonly type: 'none' }
  /** The protocol's own mode, with this schema. */
  | {
      readonly type: 'native';
      readonly schema: JsonObject;
      readonly name: string;
      readonly description?: string | undefined;
    }
  /** A forced call of this tool, or of one of the request's tools where `beside` is true. */
  | { readonly type: 'tool'; readonly tool: Tool; readonly beside: boolean }
  /** The protocol has no such format: it is sent under its public name, for the provider to reject. */
  | { readonly type: 'foreign'; readonly format: ResponseFormat };

/** A JSON object of any form. */
const anyObject: JsonObject = { type: 'object' };

type SchemaFormat = Extract<ResponseFormat, { type: 'json_schema' }>['json_schema'];

/**
 * Chooses the method. `thinking`: whether the model will think, because then Claude does not support forced calls.
 *
 * @throws GatewayError `invalid_request` if the caller's own tool has the reserved name.
 */
export function planJson(request: GenerationRequest, target: Target, thinking: boolean): JsonPlan {
  refuseReservedName(request.tools);
  const format = request.parameters.response_format;
  if (format === undefined || format.type === 'text') return { type: 'none' };
  const wanted: SchemaFormat | undefined = format.type === 'json_schema' ? format.json_schema : undefined;
  const { structuredOutput, toolChoices } = target.model.traits;
  const { tool_choice: choice } = request.parameters;
  const forced = request.tools.length === 0 ? 'named' : choice;
  const canForce = (forced === 'named' || forced === 'required') && (toolChoices?.includes(forced) ?? true);
  const forcible = canForce && !thinking && request.webSearch === undefined;
  if (wanted?.schema && (structuredOutput === 'schema' || !forcible)) {
    return { type: 'native', schema: wanted.schema, name: wanted.name, description: wanted.description };
  }
  if (!forcible) return { type: 'foreign', format };
  return { type: 'tool', tool: jsonTool(wanted), beside: forced === 'required' };
}

function jsonTool(wanted: SchemaFormat | undefined): Tool {
  return {
    name: jsonToolName,
    description: wanted?.description ?? 'Give the answer as a JSON object, by calling this tool once.',
    parameters: wanted?.schema ?? anyObject,
  };
}

function refuseReservedName(tools: readonly Tool[]): void {
  const tool = tools.find(({ name }) => name === jsonToolName);
  if (!tool) return;
  const message = `The tool name '${jsonToolName}' is reserved for structured outputs of this model. Rename the tool.`;
  throw new GatewayError('invalid_request', message, { param: pathOf(tool, 'name') });
}
