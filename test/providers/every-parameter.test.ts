/**
 * What becomes of each parameter at each provider, in each of its protocols: it is translated, left out or changed on record, refused, or
 * sent by its own name where the protocol has that name. A parameter that is new here reaches no provider that did not ask for it.
 */
import { expect, test } from 'vitest';
import { seedRows } from '../../infra/catalog/seed.ts';
import type { Target } from '../../lib/core/catalog/model.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { parameterNames } from '../../lib/core/generation/parameter-names.ts';
import type { GenerationParameters, ParameterName } from '../../lib/core/generation/request.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { hosts } from '../../lib/providers/hosts/hosts.ts';
import type { Generation, Provider } from '../../lib/providers/provider.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';
import { sampleParameters } from '../harness/matrix/sample-parameters.ts';

/** In no case what the provider does without the parameter. */
const samples: Readonly<Record<string, unknown>> = {
  ...sampleParameters,
  service_tier: 'flex',
  reasoning_summary: 'detailed',
  reasoning_context: 'all_turns',
};

/** Without them the parameter means nothing. */
const besides: Readonly<Record<string, GenerationParameters>> = { top_logprobs: { logprobs: true } };

/**
 * The parameters that a protocol has by the names of chat. Sources: CreateChatCompletionRequest and CreateResponse in OpenAI's schema;
 * docs.cohere.com, Chat API v2; MessageCreateParams of `@anthropic-ai/sdk`; GenerationConfig of Google's API; Bedrock's Converse, with
 * `top_k` among the fields of single models. Hosts add theirs in `takes` of their rows, and xAI has `logprobs` in its Responses API.
 */
const ownNames: Readonly<Record<string, readonly ParameterName[]>> = {
  'openai-chat': [
    ...(['temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'frequency_penalty'] as const),
    ...(['presence_penalty', 'stop', 'seed', 'logprobs', 'top_logprobs', 'logit_bias', 'n'] as const),
    ...(['tool_choice', 'parallel_tool_calls', 'response_format', 'reasoning_effort', 'user'] as const),
    ...(['service_tier', 'store', 'metadata', 'moderation', 'verbosity', 'prediction'] as const),
    ...(['prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options', 'safety_identifier'] as const),
  ],
  'openai-responses': [
    ...(['temperature', 'top_p', 'top_logprobs', 'logprobs', 'tool_choice', 'parallel_tool_calls'] as const),
    ...(['user', 'service_tier', 'metadata', 'moderation', 'verbosity', 'max_tool_calls'] as const),
    ...(['prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options', 'safety_identifier'] as const),
    ...(['context_management', 'image', 'access_programs'] as const),
  ],
  'cohere-chat': [
    ...([
      'temperature',
      'max_tokens',
      'frequency_penalty',
      'presence_penalty',
      'seed',
      'tool_choice',
    ] as const),
  ],
  'anthropic-messages': ['temperature', 'top_p', 'top_k', 'tool_choice'],
  'google-generate-content': ['temperature', 'seed'],
  'bedrock-converse': ['temperature', 'top_k'],
};

interface Way {
  readonly provider: string;
  readonly target: Target;
  readonly generation: Generation;
  readonly isFillIn: boolean;
}

/** Each provider with each model that it serves, in each protocol. */
const ways: readonly Way[] = [...providers.values()].flatMap((provider) =>
  targetsOf(provider.name).flatMap((target) => generationsOf(provider, target)),
);

function targetsOf(provider: string): readonly Target[] {
  const rows = seedRows.map((row) => readModelRow(row));
  const served = rows.flatMap((model) => {
    const deployment = model.deployments.find((one) => one.provider === provider);
    return deployment && model.endpoints.includes('chat_completions') ? [{ model, deployment }] : [];
  });
  return served.length > 0 ? served : [testTarget()];
}

function generationsOf(provider: Provider, target: Target): readonly Way[] {
  const { name, generation, responses, messages, chatOverResponses, fillIn } = provider;
  const all = [generation, responses, messages?.(target), chatOverResponses?.generation, fillIn];
  return [...new Set(all)].flatMap((one) =>
    one ? [{ provider: name, target, generation: one, isFillIn: one === fillIn }] : [],
  );
}

function sent({ target, generation, isFillIn }: Way, parameters: object) {
  const takesTools = target.model.traits.toolChoices?.length !== 0;
  const tools = takesTools ? [{ name: 'f', parameters: { type: 'object', properties: {} } }] : [];
  const request = testRequest(parameters, isFillIn ? { suffix: ' the end.' } : { tools });
  const { request: fitted, changes } = normalize(request, target, generation.rules);
  return { changes, body: JSON.stringify(generation.protocol.encode(fitted, target)) };
}

/** What is wrong with what becomes of it. */
function problemOf(way: Way, name: string, value: unknown): string | undefined {
  const others = besides[name] ?? {};
  const without = sent(way, others).body;
  try {
    const { body, changes } = sent(way, { ...others, [name]: value });
    if (changes.some(({ param }) => param === name || param.startsWith(`${name}.`))) return undefined;
    if (body === without) return 'is left out without a record';
    const isItself = body.split(`"${name}":`).length > without.split(`"${name}":`).length;
    return isItself && !hasOwn(way, name) ? 'is sent to a protocol that does not have it' : undefined;
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'invalid_request') return undefined;
    throw error;
  }
}

function hasOwn({ provider, generation }: Way, name: string): boolean {
  const { takes = [] } = Object.hasOwn(hosts, provider) ? hosts[provider as keyof typeof hosts] : {};
  return [...(ownNames[generation.protocol.name] ?? []), ...takes].some((one) => one === name);
}

const problemsOf = (name: string, value: unknown): readonly string[] =>
  ways.flatMap((way) => {
    const problem = problemOf(way, name, value);
    const { provider, target, generation } = way;
    return problem ? [`${provider} ${generation.protocol.name} ${target.model.id}: ${name} ${problem}`] : [];
  });

test('every provider that generates is looked at', () => {
  const generating = [...providers.values()].filter(({ generation }) => generation);
  expect(new Set(ways.map(({ provider }) => provider))).toEqual(new Set(generating.map(({ name }) => name)));
});

test.each(parameterNames)('%s is translated, on record, or among the names of the protocol', (name) => {
  expect(problemsOf(name, samples[name])).toEqual([]);
});

test('a parameter that no provider knows is noticed at each of them', () => {
  const noticed = problemsOf('unheard_of', 7).map((problem) => problem.split(' ')[0]);
  expect(new Set(noticed)).toEqual(new Set(ways.map(({ provider }) => provider)));
});
