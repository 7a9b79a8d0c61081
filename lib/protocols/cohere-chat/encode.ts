/**
 * Encodes a generation request as a Cohere v2 chat request: parameters, tools and the response format. The conversation is
 * encoded in `messages.ts`. A parameter without a field in the protocol is sent under its public name, so that Cohere
 * rejects it.
 */
import type {
  GenerationRequest,
  JsonObject,
  ReasoningEffort,
  Tool,
  ToolChoice,
} from '../../core/generation/request.ts';
import type { Target } from '../../core/model.ts';
import { planJson } from '../json-tool.ts';
import { inputSchema } from '../turns.ts';
import { encodeMessages } from './messages.ts';

/** @throws GatewayError `invalid_request` for an invalid image, and for a tool with the reserved name. */
export function encode(request: GenerationRequest, target: Target): JsonObject {
  const {
    max_tokens: olderLimit,
    max_completion_tokens: maxTokens = olderLimit,
    top_p: topP,
    top_k: topK,
    stop,
    tool_choice: toolChoice,
    response_format: _,
    reasoning_effort: effort,
    reasoning_max_tokens: tokens,
    ...others
  } = request.parameters;
  const { instruction, format } = encodeFormat(request, target);
  return {
    model: target.deployment.upstreamId,
    messages: encodeMessages(request.messages, instruction),
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

interface Format {
  readonly format?: JsonObject;
  /** An instruction for the model if the protocol has no mode for the response format. */
  readonly instruction?: string;
}

/** The JSON mode cannot be combined with tools: with tools, the model gets only an instruction. */
function encodeFormat(request: GenerationRequest, { model, deployment }: Target): Format {
  const { structuredOutput: _, ...traits } = model.traits;
  const plan = planJson(request, { model: { ...model, traits }, deployment }, true);
  const wanted = request.parameters.response_format;
  if (wanted === undefined) return {};
  if (wanted.type === 'text') return { format: { type: 'text' } };
  if (request.tools.length > 0 && plan.type === 'instruction') return { instruction: plan.text };
  const schema = wanted.type === 'json_schema' ? wanted.json_schema.schema : undefined;
  return { format: { type: 'json_object', ...(schema && { json_schema: schema }) } };
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
