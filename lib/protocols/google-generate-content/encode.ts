/**
 * Encodes a generation request as a Gemini generateContent request. An unknown parameter is sent in `generationConfig` under
 * its public name, so that Google rejects it.
 */

import type { Target } from '../../core/catalog/model.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import { startOf } from '../../core/generation/conversation.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  Message,
  ResponseFormat,
} from '../../core/generation/request.ts';
import { isBlank } from '../turns.ts';
import { encodeContents } from './contents.ts';
import { encodeThinking } from './thinking.ts';
import { encodeTools } from './tools.ts';
import type * as wire from './wire.ts';

/** @throws GatewayError `invalid_request` for a tool result without its call, or invalid media. */
export function encode(request: GenerationRequest, target: Target): wire.Body {
  const { messages, parameters } = request;
  const { tool_choice: _, service_tier: tier, ...others } = parameters;
  return withoutUndefined<wire.Body>({
    systemInstruction: encodeSystem(messages),
    contents: encodeContents(request, target),
    ...encodeTools(request, target),
    generationConfig: encodeConfig(others, target),
    // Source: "Priority inference" of the Gemini API, which calls the default tier `standard`.
    serviceTier: tier === 'default' ? 'standard' : tier,
  });
}

function encodeSystem(messages: readonly Message[]): wire.SentContent | undefined {
  const parts = messages
    .slice(0, startOf(messages))
    .flatMap((message) => (message.role === 'system' ? message.content : []))
    .flatMap(({ text }) => (isBlank(text) ? [] : [{ text }]));
  return parts.length > 0 ? { parts } : undefined;
}

function encodeConfig(
  parameters: Omit<GenerationParameters, 'tool_choice' | 'service_tier'>,
  target: Target,
): wire.Config | undefined {
  const {
    temperature,
    top_p: topP,
    top_k: topK,
    max_tokens: olderLimit,
    max_completion_tokens: maxOutputTokens = olderLimit,
    frequency_penalty: frequencyPenalty,
    presence_penalty: presencePenalty,
    stop: stopSequences,
    seed,
    n: candidateCount,
    logprobs: responseLogprobs,
    top_logprobs: logprobs,
    response_format: format,
    reasoning_effort: effort,
    reasoning_max_tokens: tokens,
    ...unknown
  } = parameters;
  const config = withoutUndefined<wire.Config>({
    temperature,
    topP,
    topK,
    maxOutputTokens,
    frequencyPenalty,
    presencePenalty,
    stopSequences,
    seed,
    candidateCount,
    responseLogprobs,
    logprobs,
    ...encodeFormat(format),
    ...encodeThinking(effort, target.model.traits.reasoning, tokens),
    ...unknown,
  });
  return Object.keys(config).length > 0 ? config : undefined;
}

function encodeFormat(format: ResponseFormat | undefined): wire.Config {
  switch (format?.type) {
    case 'text':
      return { responseMimeType: 'text/plain' };
    case 'json_object':
      return { responseMimeType: 'application/json' };
    case 'json_schema':
      return { responseMimeType: 'application/json', responseJsonSchema: format.json_schema.schema };
    default:
      return {};
  }
}
