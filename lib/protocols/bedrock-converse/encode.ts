/**
 * Encodes a generation request as a body of the Converse API: parameters and response format. The conversation is encoded in
 * `messages.ts`, the tools in `tools.ts`.
 *
 * Nothing is dropped silently: a parameter without a field in the protocol is sent under its public name in
 * `additionalModelRequestFields`, which are passed to the model unchanged, so that it rejects them. Two things are omitted
 * because the protocol cannot express them: the `detail` of an image, and reasoning that Claude did not sign.
 */

import type { Target } from '../../core/catalog/model.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type { GenerationParameters, GenerationRequest, JsonObject } from '../../core/generation/request.ts';
import { encodeThinking, encodeThinkingTokens, willThink } from '../claude.ts';
import { type JsonPlan, planJson } from '../json-tool.ts';
import { encodeSystem, encodeTurns } from './messages.ts';
import { encodeTools } from './tools.ts';
import type * as wire from './wire.ts';

/**
 * The request body. Deterministic: the same request always gives the same body.
 *
 * @throws GatewayError `invalid_request` for a conversation that the protocol cannot express.
 */
export function encode(request: GenerationRequest, target: Target): wire.Body {
  const {
    max_tokens,
    max_completion_tokens,
    temperature,
    top_p,
    stop,
    tool_choice,
    response_format: _,
    reasoning_effort,
    reasoning_max_tokens: thinkingTokens,
    top_k,
    metadata,
    service_tier,
    ...rest
  } = request.parameters;
  const maxTokens = max_completion_tokens ?? max_tokens;
  const reasoning: Reasoning =
    thinkingTokens === undefined
      ? encodeReasoning(reasoning_effort, target)
      : encodeThinkingTokens(thinkingTokens);
  const plan = planJson(request, target, willThink(reasoning.thinking, reasoning_effort, target));
  const system = encodeSystem(request.messages);
  const additional = withoutUndefined<wire.Additional>({
    ...reasoning,
    response_format: plan.type === 'foreign' ? plan.format : undefined,
    ...(top_k !== undefined && encodeTopK(top_k, target)),
    ...rest,
  });
  return withoutUndefined<wire.Body>({
    system: system.length > 0 ? system : undefined,
    messages: encodeTurns(request.messages),
    inferenceConfig: withoutUndefined<wire.Inference>({
      maxTokens,
      temperature,
      topP: top_p,
      stopSequences: stop,
    }),
    toolConfig: encodeTools(request, plan, tool_choice),
    outputConfig: encodeOutput(plan),
    additionalModelRequestFields: Object.keys(additional).length > 0 ? additional : undefined,
    requestMetadata: metadata,
    serviceTier: service_tier && { type: service_tier },
  });
}

/** Amazon's own models have it among their inference parameters. */
const encodeTopK = (topK: number, { model }: Target): wire.Additional =>
  model.owner === 'amazon' ? { inferenceConfig: { topK } } : { top_k: topK };

interface Reasoning {
  readonly thinking?: JsonObject;
  readonly output_config?: JsonObject;
  readonly reasoningConfig?: JsonObject;
  readonly reasoning_effort?: string;
}

/** The fields of Claude or Nova, else `reasoning_effort`: models with named efforts accept it, others reject it. */
function encodeReasoning(effort: GenerationParameters['reasoning_effort'], target: Target): Reasoning {
  if (effort === undefined) return {};
  const { traits } = target.model;
  if (traits.reasoning?.style === 'config') return { reasoningConfig: encodeConfig(effort) };
  const fields = traits.reasoning && encodeThinking(effort, traits.reasoning);
  return fields ?? { reasoning_effort: effort };
}

/** Nova does not reason by default, but an explicit `none` is sent. */
function encodeConfig(effort: string): JsonObject {
  return effort === 'none' ? { type: 'disabled' } : { type: 'enabled', maxReasoningEffort: effort };
}

function encodeOutput(plan: JsonPlan): JsonObject | undefined {
  if (plan.type !== 'native') return undefined;
  const { name, description } = plan;
  // The protocol takes the schema as text.
  const schema = JSON.stringify(plan.schema);
  const jsonSchema = withoutUndefined<wire.JsonSchema>({ name, description, schema });
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
}
