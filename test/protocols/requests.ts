/** Requests and targets for the tests of protocols, with only the fields that a test is about. */

import type { Target, Traits } from '../../lib/core/catalog/model.ts';
import type {
  AssistantMessage,
  GenerationParameters,
  GenerationRequest,
  Message,
  UserMessage,
} from '../../lib/core/generation/request.ts';
import { testTarget } from '../harness/matrix/model.ts';
import { fromChat } from '../harness/matrix/sources.ts';

export function newTarget(traits: Partial<Traits> = {}, upstreamId = 'upstream-model'): Target {
  return testTarget({
    limits: { context: 200_000, input: null, output: 64_000 },
    traits: { refuses: [], refusesWhileReasoning: [], ...traits },
    deployments: [{ provider: 'provider', region: 'global', upstreamId }],
  });
}

export function newRequest(
  messages: readonly Message[],
  parameters: GenerationParameters = {},
  others: Partial<GenerationRequest> = {},
): GenerationRequest {
  return fromChat({ messages, parameters, tools: [], stream: false, ...others });
}

export const text = (value: string) => [{ type: 'text' as const, text: value }];

export const user = (value: string): UserMessage => ({ role: 'user', content: text(value) });

export function assistant(value: string, others: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: 'assistant',
    content: value === '' ? [] : text(value),
    toolCalls: [],
    reasoningDetails: [],
    ...others,
  };
}

export const call = (id: string, name: string, value: string) => ({ id, name, arguments: value });

export const tool = (toolCallId: string, value: string): Message => ({
  role: 'tool',
  toolCallId,
  content: value === '' ? [] : text(value),
});

/** A tool with one text parameter. */
export const weatherTool = {
  name: 'get_weather',
  description: 'Get weather for a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** What few protocols have a field for. */
type Uncommon =
  | 'reasoning_summary'
  | 'reasoning_context'
  | 'context_management'
  | 'image'
  | 'access_programs'
  | 'reasoning_max_tokens'
  | 'top_k'
  | 'min_p'
  | 'repetition_penalty'
  | 'prediction'
  | 'prompt_cache_retention'
  | 'prompt_cache_options'
  | 'moderation'
  | 'verbosity'
  | 'max_tool_calls'
  | 'prompt_cache_key'
  | 'safety_identifier';

/** Every other parameter of chat. */
export const everyParameter: Required<Omit<GenerationParameters, 'max_tokens' | Uncommon>> = {
  temperature: 0.5,
  top_p: 0.9,
  max_completion_tokens: 100,
  frequency_penalty: 0.1,
  presence_penalty: 0.2,
  stop: ['END'],
  seed: 7,
  logprobs: true,
  top_logprobs: 2,
  logit_bias: { '50256': -100 },
  n: 2,
  tool_choice: 'auto',
  parallel_tool_calls: false,
  response_format: { type: 'json_object' },
  reasoning_effort: 'low',
  user: 'someone',
  service_tier: 'flex',
  store: true,
  metadata: { team: 'blue' },
};

/** An image of one transparent pixel. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
