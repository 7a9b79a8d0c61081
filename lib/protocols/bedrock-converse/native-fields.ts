/**
 * The fields of the Converse API that callers may give as `native_fields`. Those that go to the model unchanged depend on who
 * made it. Sources: Converse in AWS' API reference; the inference parameters of each family in the Bedrock user guide.
 */

import type { Target } from '../../core/catalog/model.ts';
import {
  choice,
  json,
  type NativeFields,
  number,
  object,
  over,
  parameter,
  sameChoice,
  texts,
} from '../../core/generation/original/native-fields.ts';
import { reasoningEfforts } from '../../core/generation/parameters.ts';
import { claudeFields } from '../claude.ts';

interface ReasoningConfig {
  readonly type?: string;
  readonly maxReasoningEffort?: string;
}

const nova: NativeFields = {
  inferenceConfig: object({ topK: over(number, 'top_k') }),
  reasoningConfig: object(
    {
      type: { type: 'text', values: ['enabled', 'disabled'] },
      maxReasoningEffort: { type: 'text', values: ['low', 'medium', 'high'] },
    },
    {
      reads: ({ type, maxReasoningEffort = 'medium' }: ReasoningConfig) => ({
        parameters: {
          reasoning_effort: type === 'disabled' ? 'none' : maxReasoningEffort,
          reasoning_max_tokens: undefined,
        },
      }),
    },
  ),
};

const cohere: NativeFields = {
  p: over(number, 'top_p'),
  k: over(number, 'top_k'),
  frequency_penalty: over(number, 'frequency_penalty'),
  presence_penalty: over(number, 'presence_penalty'),
  seed: over(number, 'seed'),
};

const openModels: NativeFields = {
  top_k: over(number, 'top_k'),
  reasoning_effort: sameChoice('reasoning_effort', reasoningEfforts),
};

const families: Readonly<Record<string, NativeFields>> = { anthropic: claudeFields, amazon: nova, cohere };

export const converseFields = ({ model }: Target): NativeFields => ({
  inferenceConfig: object({
    maxTokens: parameter('max_completion_tokens', 'count'),
    temperature: over(number, 'temperature'),
    topP: over(number, 'top_p'),
    stopSequences: over(texts, 'stop'),
  }),
  additionalModelRequestFields: object(families[model.owner] ?? openModels),
  additionalModelResponseFieldPaths: texts,
  outputConfig: over(json, 'response_format'),
  requestMetadata: over(json, 'metadata'),
  serviceTier: object({
    type: choice('service_tier', { default: 'default', flex: 'flex', priority: 'priority' }),
  }),
});
