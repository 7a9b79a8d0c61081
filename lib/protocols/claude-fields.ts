/**
 * The fields of Claude that callers may give as `native_fields`, in the Messages API and on Bedrock. Sources: MessageCreateParams
 * in Anthropic's SDKs; its guides "Extended thinking" and "Adaptive thinking".
 */
import {
  json,
  type NativeField,
  type NativeFields,
  type NativeReading,
  number,
  object,
  over,
  sameChoice,
  text,
} from '../core/generation/original/native-fields.ts';
import { reasoningEfforts } from '../core/generation/parameters.ts';
import type { GenerationParameters, JsonObject } from '../core/generation/request.ts';

interface Thinking {
  readonly type?: string;
  readonly budget_tokens?: number;
  readonly display?: string;
}

/** A budget is within the limit of the answer, so the rules must know of it. */
function readThinking(value: Thinking, { reasoning_effort: effort }: GenerationParameters): NativeReading {
  const { type, budget_tokens: budget, display } = value;
  const left: JsonObject = display === 'omitted' ? { thinking: { display } } : {};
  if (type === 'disabled')
    return { parameters: { reasoning_effort: 'none', reasoning_max_tokens: undefined } };
  if (budget !== undefined)
    return { parameters: { reasoning_effort: undefined, reasoning_max_tokens: budget }, left };
  const kept = effort === 'none' ? { reasoning_effort: undefined } : {};
  return { parameters: { reasoning_max_tokens: undefined, ...kept }, left: { thinking: { ...value } } };
}

const thinking: NativeField = object(
  {
    type: { type: 'text', values: ['enabled', 'disabled', 'adaptive'] },
    budget_tokens: { type: 'count' },
    display: text,
  },
  { reads: readThinking },
);

/** How a Claude model thinks and samples. */
export const claudeFields: NativeFields = {
  thinking,
  output_config: object({
    effort: sameChoice('reasoning_effort', reasoningEfforts),
    format: over(json, 'response_format'),
  }),
  top_k: over(number, 'top_k'),
};
