/**
 * The fields of the Gemini API that callers may give as `native_fields`. Those of `generationConfig` may be given without it.
 * Sources: GenerateContentRequest and GenerationConfig in Google's API reference.
 */

import { asObject } from '../../core/formats/json-object.ts';
import {
  flag,
  json,
  type NativeField,
  type NativeFields,
  type NativeReading,
  number,
  object,
  over,
  parameter,
  text,
  texts,
} from '../../core/generation/original/native-fields.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { mergeFields } from '../native-fields.ts';

interface ThinkingConfig {
  readonly thinkingBudget?: number;
  readonly thinkingLevel?: string;
  readonly includeThoughts?: boolean;
}

/** Thoughts count within the limit of output, so the rules must know of a budget. -1 leaves it to the model. */
function readThinking({ thinkingBudget, thinkingLevel, ...left }: ThinkingConfig): NativeReading {
  if ((thinkingBudget ?? -1) >= 0) {
    const parameters = { reasoning_effort: undefined, reasoning_max_tokens: thinkingBudget };
    return { parameters, left: { thinkingConfig: left } };
  }
  const budget = thinkingBudget === undefined ? {} : { thinkingBudget };
  return {
    parameters: { reasoning_effort: thinkingLevel?.toLowerCase(), reasoning_max_tokens: undefined },
    left: { thinkingConfig: { ...budget, ...left } },
  };
}

const thinkingConfig: NativeField = object(
  {
    thinkingBudget: number,
    thinkingLevel: { type: 'text', values: ['minimal', 'low', 'medium', 'high'] },
    includeThoughts: flag,
  },
  { reads: readThinking },
);

/** The fields of `generationConfig`. */
const configFields: NativeFields = {
  temperature: over(number, 'temperature'),
  topP: over(number, 'top_p'),
  topK: over(number, 'top_k'),
  maxOutputTokens: parameter('max_completion_tokens', 'count'),
  stopSequences: over(texts, 'stop'),
  seed: over(number, 'seed'),
  presencePenalty: over(number, 'presence_penalty'),
  frequencyPenalty: over(number, 'frequency_penalty'),
  responseLogprobs: over(flag, 'logprobs'),
  logprobs: over(number, 'top_logprobs'),
  responseMimeType: over(text, 'response_format'),
  responseSchema: over(json, 'response_format'),
  responseJsonSchema: over(json, 'response_format'),
  responseFormat: over(json, 'response_format'),
  mediaResolution: text,
  audioTimestamp: flag,
  enableEnhancedCivicAnswers: flag,
  thinkingConfig,
};

export const geminiFields: NativeFields = {
  ...configFields,
  generationConfig: object(configFields),
  safetySettings: json,
  labels: json,
  toolConfig: object({ functionCallingConfig: over(json, 'tool_choice'), retrievalConfig: json }),
};

/** Merges the fields into the body. */
export function addNativeFields(body: JsonObject, fields: JsonObject): JsonObject {
  const { generationConfig, ...given } = fields;
  const entries = Object.entries(given);
  const isConfig = (name: string) => Object.hasOwn(configFields, name);
  const config = {
    ...Object.fromEntries(entries.filter(([name]) => isConfig(name))),
    ...asObject(generationConfig),
  };
  const others = Object.fromEntries(entries.filter(([name]) => !isConfig(name)));
  return mergeFields(body, Object.keys(config).length > 0 ? { ...others, generationConfig: config } : others);
}
