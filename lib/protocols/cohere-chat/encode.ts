/**
 * Encodes a generation request as a Cohere v2 chat request: parameters, tools and the response format. The conversation is
 * encoded in `messages.ts`. A parameter without a field in the protocol is sent under its public name, so that Cohere
 * rejects it.
 */

import type { Target } from '../../core/catalog/model.ts';
import type {
  GenerationRequest,
  JsonObject,
  ReasoningEffort,
  ResponseFormat,
  Tool,
  ToolChoice,
} from '../../core/generation/request.ts';
import { inputSchema } from '../turns.ts';
import { encodeMessages } from './messages.ts';

/** @throws GatewayError `invalid_request` for an invalid image. */
export function encode(request: GenerationRequest, target: Target): JsonObject {
  const {
    max_tokens: olderLimit,
    max_completion_tokens: maxTokens = olderLimit,
    top_p: topP,
    top_k: topK,
    stop,
    tool_choice: toolChoice,
    response_format: wanted,
    reasoning_effort: effort,
    reasoning_max_tokens: tokens,
    ...others
  } = request.parameters;
  const format = encodeFormat(wanted);
  return {
    model: target.deployment.upstreamId,
    messages: encodeMessages(request.messages),
    ...encodeTools(request.tools, toolChoice),
    ...(format && { response_format: format }),
    ...(tokens === undefined ? encodeThinking(effort, target) : encodeTokens(tokens)),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(topP !== undefined && { p: topP }),
    ...(topK !== undefined && { k: topK }),
    ...(stop && { stop_sequences: stop }),
    ...others,
    stream: request.stream,
  };
}

function encodeFormat(wanted: ResponseFormat | undefined): JsonObject | undefined {
  if (wanted === undefined) return undefined;
  if (wanted.type === 'text') return { type: 'text' };
  const schema = wanted.type === 'json_schema' ? wanted.json_schema.schema : undefined;
  return { type: 'json_object', ...(schema && { json_schema: schema }) };
}

/** Tokens. An effort without a number here has no token limit. */
const budgets: Partial<Record<ReasoningEffort, number>> = { minimal: 1024, low: 2048, medium: 8192 };

function encodeThinking(effort: ReasoningEffort | undefined, target: Target): JsonObject {
  if (effort === undefined) return {};
  if (target.model.traits.reasoning?.style !== 'budget') return { reasoning_effort: effort };
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  const budget = budgets[effort];
  return { thinking: { type: 'enabled', ...(budget !== undefined && { token_budget: budget }) } };
}

const encodeTokens = (tokens: number): JsonObject => ({
  thinking: tokens === 0 ? { type: 'disabled' } : { type: 'enabled', token_budget: tokens },
});

function encodeTools(tools: readonly Tool[], choice: ToolChoice | undefined): JsonObject {
  const word = encodeToolChoice(choice);
  return {
    ...(tools.length > 0 && { tools: tools.map(encodeTool) }),
    // One switch applies to all tools.
    ...(tools.length > 0 && tools.every(({ strict }) => strict === true) && { strict_tools: true }),
    ...(word !== undefined && { tool_choice: word }),
  };
}

/** The protocol cannot name a tool; a rule handles that before. Without `tool_choice`, the model chooses. */
function encodeToolChoice(choice: ToolChoice | undefined): unknown {
  if (typeof choice === 'object') return { type: 'function', function: choice };
  return choices[choice ?? 'auto'];
}

const choices = { none: 'NONE', required: 'REQUIRED', auto: undefined, web_search: 'web_search' };

function encodeTool({ name, description, parameters }: Tool): JsonObject {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: inputSchema(parameters),
    },
  };
}
