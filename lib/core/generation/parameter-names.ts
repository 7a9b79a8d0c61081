/** The names of the generation parameters, for data that names them: catalog rows and host rows. */
import type { ParameterName } from './request.ts';

// The type makes this list complete: a missing or unknown parameter is a type error.
const parameterSet: Readonly<Record<ParameterName, true>> = {
  temperature: true,
  top_p: true,
  max_tokens: true,
  max_completion_tokens: true,
  frequency_penalty: true,
  presence_penalty: true,
  stop: true,
  seed: true,
  logprobs: true,
  top_logprobs: true,
  logit_bias: true,
  n: true,
  tool_choice: true,
  parallel_tool_calls: true,
  response_format: true,
  reasoning_effort: true,
  user: true,
  service_tier: true,
  store: true,
  metadata: true,
  top_k: true,
  min_p: true,
  repetition_penalty: true,
  reasoning_max_tokens: true,
  prediction: true,
  prompt_cache_retention: true,
  prompt_cache_options: true,
  moderation: true,
  reasoning_context: true,
  context_management: true,
  image: true,
  access_programs: true,
  reasoning_summary: true,
  verbosity: true,
  max_tool_calls: true,
  prompt_cache_key: true,
  safety_identifier: true,
};

export const parameterNames = Object.keys(parameterSet) as readonly ParameterName[];

export const isParameterName = (name: string): name is ParameterName => Object.hasOwn(parameterSet, name);
