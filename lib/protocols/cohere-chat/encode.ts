/**
 * Encodes a generation request as a Cohere v2 chat request: parameters, tools and the response format. The conversation is
 * encoded in `messages.ts`. A parameter without a field in the protocol is sent under its public name, so that Cohere
 * rejects it.
 */

import type { Target } from '../../core/catalog/model.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type {
  GenerationRequest,
  ReasoningEffort,
  ResponseFormat,
  Tool,
  ToolChoice,
} from '../../core/generation/request.ts';
import { inputSchema } from '../turns.ts';
import { encodeMessages } from './messages.ts';
import type * as wire from './wire.ts';

/** @throws GatewayError `invalid_request` for an invalid image. */
export function encode(request: GenerationRequest, target: Target): wire.Body {
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
  return withoutUndefined<wire.Body>({
    model: target.deployment.upstreamId,
    messages: encodeMessages(request.messages),
    ...encodeTools(request.tools, toolChoice),
    response_format: encodeFormat(wanted),
    ...(tokens === undefined ? encodeThinking(effort, target) : encodeTokens(tokens)),
    max_tokens: maxTokens,
    p: topP,
    k: topK,
    stop_sequences: stop,
    ...others,
    stream: request.stream,
  });
}

function encodeFormat(wanted: ResponseFormat | undefined): wire.Format | undefined {
  if (wanted === undefined) return undefined;
  if (wanted.type === 'text') return { type: 'text' };
  const schema = wanted.type === 'json_schema' ? wanted.json_schema.schema : undefined;
  return schema ? { type: 'json_object', json_schema: schema } : { type: 'json_object' };
}

/** Tokens. An effort without a number here has no token limit. */
const budgets: Partial<Record<ReasoningEffort, number>> = { minimal: 1024, low: 2048, medium: 8192 };

function encodeThinking(effort: ReasoningEffort | undefined, target: Target): wire.Body {
  if (effort === undefined) return {};
  if (target.model.traits.reasoning?.style !== 'budget') return { reasoning_effort: effort };
  return effort === 'none' ? disabled : enabled(budgets[effort]);
}

const disabled: wire.Body = { thinking: { type: 'disabled' } satisfies wire.Thinking };

const enabled = (tokens: number | undefined): wire.Body => ({
  thinking: withoutUndefined<wire.Thinking>({ type: 'enabled', token_budget: tokens }),
});

const encodeTokens = (tokens: number): wire.Body => (tokens === 0 ? disabled : enabled(tokens));

function encodeTools(tools: readonly Tool[], choice: ToolChoice | undefined): wire.Body {
  // One switch applies to all tools.
  const isStrict = tools.length > 0 && tools.every(({ strict }) => strict === true);
  return {
    tools: tools.length > 0 ? tools.map(encodeTool) : undefined,
    strict_tools: isStrict || undefined,
    tool_choice: encodeToolChoice(choice),
  };
}

/** The protocol cannot name a tool; a rule handles that before. Without `tool_choice`, the model chooses. */
function encodeToolChoice(choice: ToolChoice | undefined): unknown {
  if (typeof choice === 'object') return { type: 'function', function: choice };
  return choices[choice ?? 'auto'];
}

const choices = { none: 'NONE', required: 'REQUIRED', auto: undefined, web_search: 'web_search' };

function encodeTool({ name, description, parameters: schema }: Tool): wire.SentTool {
  const parameters = inputSchema(schema);
  return {
    type: 'function',
    function: withoutUndefined<wire.SentFunction>({ name, description, parameters }),
  };
}
