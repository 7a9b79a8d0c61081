/**
 * Encodes a generation request as a body of the Messages API: parameters, tools and the response format. The conversation
 * is encoded in `messages.ts`.
 *
 * Nothing is dropped silently: a parameter without a field in the protocol is sent under its public name, so that the
 * provider rejects it. Two things are omitted because the protocol cannot express them: the `detail` of an image, and
 * reasoning that Claude did not sign.
 */

import type { Target } from '../../core/catalog/model.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  Tool,
  ToolChoice,
} from '../../core/generation/request.ts';
import { encodeThinking, encodeThinkingTokens, willThink } from '../claude.ts';
import { type JsonPlan, jsonToolName, planJson } from '../json-tool.ts';
import { inputSchema } from '../turns.ts';
import { encodeMarker, encodeSystem, encodeTurns } from './messages.ts';
import { encodeWebSearch, webSearchChoice } from './web-search.ts';
import type * as wire from './wire.ts';
import type { Body } from './wire.ts';

/** Sent, beside what is for thinking, if neither the caller nor the catalog has a limit: the field is required. */
const defaultMaxTokens = 4096;

/**
 * The request body. Deterministic: the same request always gives the same body.
 *
 * @throws GatewayError `invalid_request` for a conversation that the protocol cannot express.
 */
export function encode(request: GenerationRequest, target: Target): Body {
  const {
    max_tokens,
    max_completion_tokens,
    stop,
    tool_choice: _choice,
    parallel_tool_calls: _parallel,
    response_format: _format,
    reasoning_effort,
    reasoning_max_tokens: thinkingTokens,
    user,
    metadata,
    service_tier,
    max_tool_calls,
    ...rest
  } = request.parameters;
  const thinking: Reasoning =
    thinkingTokens === undefined
      ? encodeReasoning(reasoning_effort, target)
      : encodeThinkingTokens(thinkingTokens);
  const budget = Number(thinking.thinking?.budget_tokens ?? 0);
  const ownLimit = target.model.limits.output ?? defaultMaxTokens + budget;
  const maxTokens = max_completion_tokens ?? max_tokens ?? ownLimit;
  const plan = planJson(request, target, willThink(thinking.thinking, reasoning_effort, target));
  const system = encodeSystem(request.messages);
  return withoutUndefined<Body>({
    model: target.deployment.upstreamId,
    max_tokens: maxTokens,
    system: system.length > 0 ? system : undefined,
    messages: encodeTurns(request.messages),
    ...encodeTools(request, plan),
    stop_sequences: stop,
    ...thinking,
    ...encodeOutput(plan, thinking.output_config),
    metadata: user === undefined ? metadata : { ...metadata, user_id: user },
    service_tier: service_tier === 'default' ? 'standard_only' : service_tier,
    ...rest,
    // In this protocol, only the provider's own tools have a limit.
    max_tool_calls: request.webSearch ? undefined : max_tool_calls,
    stream: request.stream || undefined,
  });
}

interface Reasoning {
  readonly thinking?: wire.Thinking;
  readonly output_config?: wire.OutputConfig;
  readonly reasoning_effort?: string;
}

function encodeReasoning(effort: GenerationParameters['reasoning_effort'], target: Target): Reasoning {
  if (effort === undefined) return {};
  const { reasoning } = target.model.traits;
  const fields = reasoning && encodeThinking(effort, reasoning);
  return fields ?? { reasoning_effort: effort };
}

function encodeOutput(plan: JsonPlan, outputConfig: wire.OutputConfig | undefined): Body {
  if (plan.type === 'foreign') return { response_format: plan.format };
  if (plan.type !== 'native') return {};
  const format = { type: 'json_schema', schema: plan.schema };
  return { output_config: { ...outputConfig, format } satisfies wire.OutputConfig };
}

function encodeTools({ tools, webSearch, parameters }: GenerationRequest, plan: JsonPlan): Body {
  const { tool_choice: choice, parallel_tool_calls: parallel, max_tool_calls: maxUses } = parameters;
  if (plan.type === 'tool') {
    return {
      tools: [...tools, plan.tool].map(encodeTool),
      tool_choice: encodeToolChoice(plan.beside ? 'required' : { name: jsonToolName }, parallel),
    };
  }
  const search = webSearch ? [encodeWebSearch(webSearch, maxUses)] : [];
  const declared = [...search, ...tools.map(encodeTool)];
  return {
    tools: declared.length > 0 ? declared : undefined,
    tool_choice: encodeToolChoice(choice, parallel),
  };
}

function encodeTool({ name, description, parameters, strict, cacheControl }: Tool): wire.Tool {
  const input_schema = inputSchema(parameters);
  return withoutUndefined<wire.Tool>({
    name,
    description,
    input_schema,
    strict,
    ...encodeMarker(cacheControl),
  });
}

const choices = {
  auto: { type: 'auto' },
  required: { type: 'any' },
  web_search: webSearchChoice,
} as const;

function encodeToolChoice(
  choice: ToolChoice | undefined,
  parallel: boolean | undefined,
): wire.ToolChoice | undefined {
  if (choice === 'none') return { type: 'none' };
  // Parallel calls are an option of the tool choice, so a choice is needed.
  if (choice === undefined && parallel === undefined) return undefined;
  const kind = typeof choice === 'object' ? { type: 'tool', name: choice.name } : choices[choice ?? 'auto'];
  return parallel === undefined ? kind : { ...kind, disable_parallel_tool_use: !parallel };
}
