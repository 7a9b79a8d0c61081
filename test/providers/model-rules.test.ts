/** Rules that depend on the model or on the rest of the request: Claude, Gemini, OpenAI, Bedrock, Cohere and xAI. */
import { describe, expect, test } from 'vitest';
import type { ReasoningTraits, Traits } from '../../lib/core/catalog/model.ts';
import type { ModelEndpoint } from '../../lib/core/catalog/model-endpoints.ts';
import type { GenerationParameters, GenerationRequest, Message } from '../../lib/core/generation/request.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { generationOf } from '../../lib/providers/provider.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';
import { assistant, text, user } from '../protocols/requests.ts';

interface Given {
  readonly parameters?: GenerationParameters;
  readonly traits?: Partial<Traits>;
  readonly request?: Partial<GenerationRequest>;
  readonly endpoint?: ModelEndpoint;
  readonly owner?: string;
}

function apply(
  name: string,
  { parameters = {}, traits = {}, request = {}, endpoint, owner = 'acme' }: Given,
) {
  const provider = providers.get(name);
  const all = { refuses: [], refusesWhileReasoning: [], ...traits };
  const limits = { context: null, input: null, output: 64_000 };
  const target = testTarget({ traits: all, owner, limits });
  const asked = testRequest(parameters, request);
  const generation = provider && generationOf(provider, endpoint ?? 'chat_completions', target, asked);
  if (!generation) throw new Error(`There is no provider ${name}.`);
  return normalize(asked, target, generation.rules);
}

const reasoner = (
  style: ReasoningTraits['style'],
  others: Partial<ReasoningTraits> = {},
): Partial<Traits> => ({
  reasoning: { style, efforts: ['none', 'low', 'medium', 'high'], defaultEffort: 'none', ...others },
});
const tools = [{ name: 'f' }, { name: 'g' }];
const webSearch = { type: 'web_search', position: 0 } as const;
const named = { tool_choice: { name: 'f' } } as const;
const searching = { webSearch };
const json = { response_format: { type: 'json_object' } } as const;
const plainText = { response_format: { type: 'text' } } as const;
const bySchema = {
  response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'string' } } },
} as const;
const on = { reasoning_effort: 'high' } as const;
const thirdGeneration = reasoner('level');
const called = [
  user('Hi'),
  assistant('', { toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] }),
  { role: 'tool', toolCallId: 'a', content: text('1') },
] as const;

type Row = readonly [
  what: string,
  provider: string,
  given: Given & { readonly parameters: GenerationParameters },
  /** What is sent; the same parameters where left out. */
  sent?: GenerationParameters,
];

const rows: readonly Row[] = [
  // Claude.
  [
    'one of two samplings, to a model that thinks',
    'anthropic',
    { parameters: { temperature: 0.5, top_p: 0.9 }, traits: reasoner('budget') },
    { temperature: 0.5 },
  ],
  ['top_p alone', 'anthropic', { parameters: { top_p: 0.9 }, traits: reasoner('budget') }],
  ['both samplings, to older models', 'anthropic', { parameters: { temperature: 0.5, top_p: 0.9 } }],
  [
    'both samplings, to models of others',
    'bedrock',
    { parameters: { temperature: 0.5, top_p: 0.9 }, traits: reasoner('effort') },
  ],
  [
    'a forced call, without thinking',
    'anthropic',
    { parameters: named, traits: reasoner('budget'), request: { tools } },
  ],
  [
    'a forced call, thinking',
    'anthropic',
    { parameters: { ...named, ...on }, traits: reasoner('budget'), request: { tools } },
    { ...on, tool_choice: 'auto' },
  ],
  [
    'no call, thinking',
    'anthropic',
    { parameters: { tool_choice: 'none', ...on }, traits: reasoner('budget'), request: { tools } },
  ],
  [
    'a forced call, adaptive',
    'anthropic',
    { parameters: { ...named, ...on }, traits: reasoner('adaptive'), request: { tools } },
  ],
  ['no blank stops', 'anthropic', { parameters: { stop: ['a', ' ', '\n'] } }, { stop: ['a'] }],
  ['parallel calls', 'anthropic', { parameters: { parallel_tool_calls: false }, request: { tools } }],
  [
    'no parallel calls where there are none',
    'anthropic',
    { parameters: { parallel_tool_calls: false, tool_choice: 'none' }, request: { tools } },
    { tool_choice: 'none' },
  ],
  [
    'an effort within the limit',
    'anthropic',
    { parameters: { ...on, max_tokens: 40_000 }, traits: reasoner('budget') },
  ],
  [
    'the highest effort within the limit',
    'anthropic',
    { parameters: { ...on, max_tokens: 4_000 }, traits: reasoner('budget') },
    { reasoning_effort: 'low', max_tokens: 4_000 },
  ],
  [
    'no effort within a low limit',
    'anthropic',
    { parameters: { ...on, max_tokens: 500 }, traits: reasoner('budget') },
    { reasoning_effort: 'none', max_tokens: 500 },
  ],
  [
    'an effort within the range of the model',
    'anthropic',
    {
      parameters: { ...on, max_tokens: 4_000 },
      traits: reasoner('budget', { budget: { min: 1, max: 3_000 } }),
    },
  ],
  [
    'no effort below the range of the model',
    'anthropic',
    {
      parameters: { reasoning_effort: 'low', max_tokens: 4_000 },
      traits: reasoner('budget', { budget: { min: 5_000, max: 9_000 } }),
    },
    { reasoning_effort: 'none', max_tokens: 4_000 },
  ],
  [
    'any effort to an adaptive model',
    'anthropic',
    { parameters: { ...on, max_tokens: 500 }, traits: reasoner('adaptive') },
  ],
  // Bedrock.
  ['no calls, where there was none', 'bedrock', { parameters: { tool_choice: 'none' }, request: { tools } }],
  [
    'no calls, where there was one',
    'bedrock',
    { parameters: { tool_choice: 'none' }, request: { tools, messages: called } },
    { tool_choice: 'auto' },
  ],
  [
    'any call, where there was one',
    'bedrock',
    { parameters: { tool_choice: 'required' }, request: { tools, messages: called } },
  ],
  [
    'metadata',
    'bedrock',
    { parameters: { metadata: { a: 'b' }, store: true, user: 'a' } },
    { metadata: { a: 'b' } },
  ],
  // Gemini.
  [
    'a search that is not forced',
    'google',
    { parameters: { tool_choice: 'web_search' }, request: searching },
    { tool_choice: 'auto' },
  ],
  [
    'a search that is not required',
    'google',
    { parameters: { tool_choice: 'required' }, request: searching },
    { tool_choice: 'auto' },
  ],
  [
    'a call beside a search',
    'google',
    { parameters: { tool_choice: 'required' }, request: { webSearch, tools }, traits: thirdGeneration },
  ],
  [
    'JSON beside tools',
    'google',
    { parameters: json, request: { tools }, traits: { ...thirdGeneration, structuredOutput: 'schema' } },
  ],
  [
    'JSON beside tools that are not called',
    'google',
    {
      parameters: { ...bySchema, tool_choice: 'none' },
      request: { tools },
      traits: { ...thirdGeneration, structuredOutput: 'schema' },
    },
  ],
  [
    'no JSON beside a forced call',
    'google',
    { parameters: { ...json, ...named }, request: { tools }, traits: thirdGeneration },
    named,
  ],
  [
    'no schema beside a required call',
    'google',
    { parameters: { ...bySchema, tool_choice: 'required' }, request: { tools }, traits: thirdGeneration },
    { tool_choice: 'required' },
  ],
  ['text beside a forced call', 'google', { parameters: { ...plainText, ...named }, request: { tools } }],
  ['JSON', 'google', { parameters: json, traits: { structuredOutput: 'object' } }],
  ['an effort', 'google', { parameters: on, traits: reasoner('budget') }],
  // OpenAI.
  ['a limit under its old name', 'openai', { parameters: { max_tokens: 5 } }],
  [
    'a limit under its new name',
    'openai',
    { parameters: { max_tokens: 5 }, traits: { refuses: ['max_tokens'] } },
    { max_completion_tokens: 5 },
  ],
  [
    'only a temperature of 1',
    'openai',
    { parameters: { temperature: 0.5 }, traits: { refuses: ['temperature'] } },
    { temperature: 1 },
  ],
  ['a temperature of 1', 'openai', { parameters: { temperature: 1 }, traits: { refuses: ['temperature'] } }],
  ['any temperature', 'openai', { parameters: { temperature: 0.5 } }],
  [
    'only a temperature of 1, reasoning',
    'openai',
    {
      parameters: { temperature: 0.5, ...on },
      traits: { ...reasoner('effort'), refusesWhileReasoning: ['temperature'] },
    },
    { temperature: 1, ...on },
  ],
  [
    'any temperature, not reasoning',
    'openai',
    {
      parameters: { temperature: 0.5 },
      traits: { ...reasoner('effort'), refusesWhileReasoning: ['temperature'] },
    },
  ],
  ['no flex tier without reasoning', 'openai', { parameters: { service_tier: 'flex' } }, {}],
  [
    'the flex tier with reasoning',
    'openai',
    { parameters: { service_tier: 'flex' }, traits: reasoner('effort') },
  ],
  ['another tier', 'openai', { parameters: { service_tier: 'default' } }],
  [
    'an effort beside tools that chat does not take with it',
    'openai',
    { parameters: on, traits: { ...reasoner('effort'), toolsWhileReasoning: false }, request: { tools } },
    { ...on, reasoning_summary: 'auto' },
  ],
  [
    'no effort beside tools and several choices',
    'openai',
    {
      parameters: { ...on, n: 2 },
      traits: { ...reasoner('effort'), toolsWhileReasoning: false },
      request: { tools },
    },
    { n: 2, reasoning_effort: 'none' },
  ],
  [
    'no summary without reasoning',
    'openai',
    { parameters: { reasoning_effort: 'none' }, traits: { ...reasoner('effort'), onlyResponses: true } },
  ],
  [
    'an effort without tools',
    'openai',
    { parameters: on, traits: { ...reasoner('effort'), toolsWhileReasoning: false } },
  ],
  ['an effort beside tools', 'openai', { parameters: on, traits: reasoner('effort'), request: { tools } }],
  ['more candidates in chat', 'xai', { parameters: { logprobs: true, top_logprobs: 9 } }],
  ['a cache key', 'xai', { parameters: { prompt_cache_key: 'k' }, endpoint: 'responses' }],
  // Hosts.
  ['an effort that it has', 'deepseek', { parameters: on, traits: reasoner('effort') }],
  [
    'another effort',
    'deepseek',
    { parameters: { reasoning_effort: 'medium' }, traits: reasoner('effort') },
    { reasoning_effort: 'high' },
  ],
  [
    'the highest effort',
    'deepseek',
    { parameters: { reasoning_effort: 'xhigh' }, traits: reasoner('effort', { efforts: ['high', 'max'] }) },
    { reasoning_effort: 'max' },
  ],
  ['no effort without reasoning', 'deepseek', { parameters: { reasoning_effort: 'medium' } }, {}],
  // Cohere.
  ['a schema without tools', 'cohere', { parameters: bySchema }],
  ['a schema in words beside tools', 'cohere', { parameters: bySchema, request: { tools } }, {}],
  [
    'JSON in words beside tools',
    'google',
    { parameters: json, request: { tools }, traits: { structuredOutput: 'schema' } },
    {},
  ],
  [
    'a schema in words beside a search',
    'google',
    { parameters: bySchema, request: searching, traits: { structuredOutput: 'schema' } },
    {},
  ],
  [
    'a schema as one of the tools',
    'google-vertex-anthropic',
    { parameters: bySchema, request: { tools }, traits: { structuredOutput: 'schema' } },
    { ...bySchema, tool_choice: 'required' },
  ],
  [
    'a format without a schema, with tools, in words',
    'cohere',
    {
      parameters: { response_format: { type: 'json_schema', json_schema: { name: 'a' } } },
      request: { tools },
    },
    {},
  ],
];

const cases = rows.map(([what, provider, given, sent = given.parameters]) => ({
  what,
  provider,
  given,
  sent,
}));

test.each(cases)('$what: $provider', ({ provider, given, sent }) => {
  const { request, changes } = apply(provider, given);
  expect(request.parameters).toEqual(sent);
  const names = [...Object.keys(given.parameters), ...Object.keys(sent)];
  const changed = new Set(
    names.filter(
      (name) => JSON.stringify(given.parameters[name as 'n']) !== JSON.stringify(sent[name as 'n']),
    ),
  );
  // Marks of the gateway's own are no parameter of the caller's.
  const isParameter = (param: string) => !param.startsWith('tools.') && param !== 'cache_control';
  const recorded = changes.map(({ param }) => param).filter(isParameter);
  expect(new Set(recorded)).toEqual(changed);
});

test.each<[string, string, string, Given]>([
  ['a search beside functions', 'google', 'tools.0.type', { request: { webSearch, tools } }],
  [
    'domains',
    'google',
    'tools.0.filters.allowed_domains',
    { request: { webSearch: { ...webSearch, allowedDomains: ['a.example'] } } },
  ],
  ['JSON from a model without it', 'google', 'response_format', { parameters: json }],
  ['nine choices', 'google', 'n', { parameters: { n: 9 } }],
  ['JSON from a model without it', 'openai', 'response_format', { parameters: json }],
  [
    'JSON from a model without it, as a response',
    'openai',
    'response_format',
    { parameters: json, endpoint: 'responses' },
  ],
])('%s is refused by %s', (_, provider, param, given) => {
  expect(() => apply(provider, given)).toThrow(expect.objectContaining({ kind: 'invalid_request', param }));
});

describe('the beginning of an answer', () => {
  const begun: readonly Message[] = [user('Hi'), assistant('Well, ')];

  test.each<[string, readonly Message[], Partial<Traits>, GenerationParameters, number]>([
    ['is refused by adaptive models', begun, reasoner('adaptive'), {}, 1],
    ['is refused by models that think', begun, reasoner('budget'), on, 1],
    ['is continued by models that do not think', begun, reasoner('budget'), {}, 2],
    ['is continued by older models', begun, {}, {}, 2],
    ['is continued by models of others', begun, reasoner('effort'), on, 2],
    ['is an earlier answer', [...begun, user('So?')], reasoner('adaptive'), {}, 3],
  ])('%s', (_, messages, traits, parameters, left) => {
    const { request, changes } = apply('anthropic', { parameters, traits, request: { messages } });
    expect(request.messages).toHaveLength(left);
    expect(changes.filter(({ param }) => param === `messages.${left}`)).toHaveLength(messages.length - left);
  });

  test.each([
    ['is all there is', begun.slice(1), 0],
    [
      'follows only instructions',
      [{ role: 'system', content: text('A') }, ...begun.slice(1)] as Message[],
      1,
    ],
  ])('is rejected by models that do not continue it where it %s', (_, messages, position) => {
    const given = { request: { messages }, traits: reasoner('adaptive') };
    const param = `messages.${position}`;
    expect(() => apply('anthropic', given)).toThrow(
      expect.objectContaining({ kind: 'invalid_request', param }),
    );
  });
});

describe('reasoning of Claude on Bedrock', () => {
  test.each([
    ['anthropic', 1],
    ['amazon', 0],
  ])('goes back to models of %s: %i', (owner, kept) => {
    const detail = {
      type: 'reasoning.encrypted',
      data: 'd',
      format: 'anthropic-claude-v1',
      index: 0,
    } as const;
    const messages = [user('Hi'), assistant('Hm', { reasoningDetails: [detail] }), user('So?')];
    const { request } = apply('bedrock', { owner, request: { messages } });
    expect(request.messages[1]).toMatchObject({ reasoningDetails: Array(kept).fill(detail) });
  });
});

describe('tools of Cohere', () => {
  test('a forced one is the only one', () => {
    const { request, changes } = apply('cohere', {
      parameters: { tool_choice: { name: 'g' } },
      request: { tools },
    });
    expect(request.tools.map(({ name }) => name)).toEqual(['g']);
    expect(request.parameters).toEqual({ tool_choice: 'required' });
    expect(changes).toMatchObject([
      { param: 'tools.0', action: 'strip', before: { name: 'f' }, after: null },
      { param: 'tool_choice', action: 'override', before: { name: 'g' }, after: 'required' },
    ]);
  });

  test.each([
    ['all', [true, true], [true, true]],
    ['none', [true, false], [undefined, undefined]],
  ])('%s are strict', (_, given, expected) => {
    const list = given.map((strict, index) => ({ name: `f${index}`, strict }));
    const { request, changes } = apply('cohere', { request: { tools: list } });
    expect(request.tools.map(({ strict }) => strict)).toEqual(expected);
    expect(changes).toHaveLength(expected[0] ? 0 : 1);
  });
});

describe('strict tools', () => {
  const strictOn = (name: string, traits: Partial<Traits>) =>
    apply(name, { traits, request: { tools: [{ name: 'f', strict: true }] } }).request.tools[0]?.strict;

  test.each<[string, Partial<Traits>, boolean | undefined]>([
    ['google', thirdGeneration, true],
    ['google', reasoner('budget'), undefined],
    ['google', {}, undefined],
    ['anthropic', {}, true],
    ['google-vertex-anthropic', {}, undefined],
  ])('%s, a model with %j: %s', (name, traits, strict) => {
    expect(strictOn(name, traits)).toBe(strict);
  });
});

describe('fields of searches', () => {
  const given = { ...webSearch, contextSize: 'low', userLocation: { country: 'IT' } } as const;

  test.each<[string, ModelEndpoint, readonly string[]]>([
    ['anthropic', 'chat_completions', ['userLocation']],
    ['google', 'chat_completions', []],
    ['xai', 'responses', []],
    ['openai', 'responses', ['contextSize', 'userLocation']],
  ])('of %s', (name, endpoint, kept) => {
    const { request } = apply(name, { endpoint, request: { webSearch: given } });
    const { contextSize, userLocation } = request.webSearch ?? {};
    expect(
      Object.entries({ contextSize, userLocation }).flatMap(([field, value]) => (value ? [field] : [])),
    ).toEqual(kept);
  });
});
