/**
 * Encodes a generation request as a Gemini generateContent request. An unknown parameter is sent in `generationConfig` under
 * its public name, so that Google rejects it.
 */

import type { ReasoningTraits, Target } from '../../core/catalog/model.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import { startOf } from '../../core/generation/conversation.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  Message,
  ReasoningEffort,
  ResponseFormat,
} from '../../core/generation/request.ts';
import { isBlank } from '../turns.ts';
import { encodeContents } from './contents.ts';
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
  if (format === undefined) return {};
  switch (format.type) {
    case 'text':
      return { responseMimeType: 'text/plain' };
    case 'json_object':
      return { responseMimeType: 'application/json' };
    case 'json_schema':
      return { responseMimeType: 'application/json', responseJsonSchema: format.json_schema.schema };
  }
}

/** Tokens, as in Google's own OpenAI-compatible API. The two highest efforts mean the model's maximum. */
const budgets: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};

/** The part of `generationConfig` that is about thinking: either a level or a number of tokens, never both. `tokens`: in place of an effort. */
function encodeThinking(
  effort: ReasoningEffort | undefined,
  traits: ReasoningTraits | undefined,
  tokens?: number,
): wire.Config {
  if (tokens !== undefined) return thinking({ thinkingBudget: tokens, includeThoughts: tokens > 0 });
  if (effort === undefined) return traits === undefined ? {} : thinking({ includeThoughts: true });
  if (traits?.style === 'level') return thinking({ thinkingLevel: effort, includeThoughts: true });
  if (traits?.style === 'budget') {
    const thinkingBudget = budgetOf(effort, traits);
    return thinking({ thinkingBudget, includeThoughts: thinkingBudget > 0 });
  }
  // Not a style of Google's models: sent so that Google rejects it.
  return { reasoning_effort: effort };
}

const thinking = (thinkingConfig: wire.ThinkingConfig): wire.Config => ({ thinkingConfig });

/** The thinking tokens of an effort, in the model's range. */
export function budgetOf(effort: ReasoningEffort, { budget }: ReasoningTraits): number {
  // Not within the model's range: a model that always thinks rejects it, as it should.
  if (effort === 'none') return 0;
  if (budget === undefined) return budgets[effort];
  const wanted = effort === 'xhigh' || effort === 'max' ? budget.max : budgets[effort];
  return Math.min(Math.max(wanted, budget.min), budget.max);
}
