/**
 * The fields of chat requests that callers may give as `native_fields`. Sources: CreateChatCompletionRequest in OpenAI's
 * schema; what hosts have beside it is in their rows.
 */
import {
  flag,
  json,
  type NativeField,
  type NativeFields,
  namesakes,
  number,
  over,
  parameter,
  sameChoice,
  text,
  texts,
} from '../../core/generation/original/native-fields.ts';
import { reasoningEfforts, serviceTiers } from '../../core/generation/parameters.ts';
import { plainName } from '../../core/names/plain-name.ts';
import type { Dialect } from './dialect.ts';

/** An effort that only the host has goes to it as it is. */
const effort: NativeField = {
  type: 'text',
  reads: (value: string) =>
    reasoningEfforts.some((known) => known === value)
      ? { parameters: { reasoning_effort: value } }
      : { parameters: { reasoning_effort: undefined }, left: { reasoning_effort: value } },
};

/** OpenAI's fields of its platform that decide the cost, in chat and Responses alike. */
export const platformFields: NativeFields = {
  service_tier: sameChoice('service_tier', serviceTiers, { standard: 'default' }),
  prompt_cache_retention: sameChoice('prompt_cache_retention', ['in_memory', '24h']),
  prompt_cache_options: parameter('prompt_cache_options', 'json'),
};

const common: NativeFields = {
  ...namesakes(
    number,
    'temperature',
    'top_p',
    'frequency_penalty',
    'presence_penalty',
    'seed',
    'top_logprobs',
  ),
  ...namesakes(flag, 'logprobs', 'parallel_tool_calls'),
  ...namesakes(text, 'user', 'verbosity', 'prompt_cache_key', 'safety_identifier'),
  ...namesakes(json, 'logit_bias', 'response_format', 'tool_choice', 'metadata'),
  stop: over(texts, 'stop'),
  max_tokens: parameter('max_tokens', 'count'),
  max_completion_tokens: parameter('max_completion_tokens', 'count'),
  reasoning_effort: effort,
  prediction: parameter('prediction', 'json'),
  ...platformFields,
};

/** What most hosts of open models have, whatever the gateway knows of one. Source: docs.vllm.ai, sampling parameters. */
const ofOpenModels = namesakes(number, 'top_k', 'min_p', 'repetition_penalty');

/**
 * The fields of a host: the common ones, with its own names of parameters, and its own. Of one name, the common field counts: an
 * operator who adds the name to a host must not take what decides the cost out of the reservation.
 */
export function chatFields({ names = {}, nativeFields = {} }: Dialect): NativeFields {
  const renamed = Object.entries(names).flatMap(([name, own]) => {
    const field = common[name];
    return field === undefined || own === undefined || own in common ? [] : [[own, field] as const];
  });
  const counted = { ...common, ...ofOpenModels, ...Object.fromEntries(renamed) };
  const known = new Set(Object.keys(counted).map(plainName));
  const others = Object.entries(nativeFields).filter(([name]) => !known.has(plainName(name)));
  return { ...counted, ...Object.fromEntries(others) };
}
