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

const budget: Given = { traits: reasoner('budget') };
const within = (min: number, max: number): Given => ({
  traits: reasoner('budget', { budget: { min, max } }),
});
const adaptive: Given = { traits: reasoner('adaptive') };
const effort: Given = { traits: reasoner('effort') };
const withTools: Given = { request: { tools } };
const afterCall: Given = { request: { tools, messages: called } };
const third: Given = { traits: thirdGeneration };
const thirdBySchema: Given = { traits: { ...thirdGeneration, structuredOutput: 'schema' } };
const knowsSchemas: Given = { traits: { structuredOutput: 'schema' } };
const noToolsWhileReasoning: Given = { traits: { ...reasoner('effort'), toolsWhileReasoning: false } };
const refusing: Given = { traits: { refuses: ['temperature'] } };
const refusingWhileReasoning: Given = {
  traits: { ...reasoner('effort'), refusesWhileReasoning: ['temperature'] },
};
const both = { temperature: 0.5, top_p: 0.9 } as const;
const half = { temperature: 0.5 } as const;
const low = { ...on, max_tokens: 500 } as const;
const higher = { ...on, max_tokens: 4_000 } as const;
const medium = { reasoning_effort: 'medium' } as const;
const required = { tool_choice: 'required' } as const;
const notCalled = { tool_choice: 'none' } as const;
const auto = { tool_choice: 'auto' } as const;
const noFormat = { response_format: { type: 'json_schema', json_schema: { name: 'a' } } } as const;
const flex = { service_tier: 'flex' } as const;

type Row = readonly [
  what: string,
  provider: string,
  parameters: GenerationParameters,
  given?: Given,
  /** What is sent; the same parameters where left out. */
  sent?: GenerationParameters,
];

const rows: readonly Row[] = [
  // Claude.
  ['one of two samplings, to a model that thinks', 'anthropic', both, budget, half],
  ['top_p alone', 'anthropic', { top_p: 0.9 }, budget],
  ['both samplings, to older models', 'anthropic', both],
  ['both samplings, to models of others', 'bedrock', both, effort],
  ['a forced call, without thinking', 'anthropic', named, { ...budget, ...withTools }],
  [
    'a forced call, thinking',
    'anthropic',
    { ...named, ...on },
    { ...budget, ...withTools },
    { ...on, ...auto },
  ],
  ['no call, thinking', 'anthropic', { ...notCalled, ...on }, { ...budget, ...withTools }],
  ['a forced call, adaptive', 'anthropic', { ...named, ...on }, { ...adaptive, ...withTools }],
  ['no blank stops', 'anthropic', { stop: ['a', ' ', '\n'] }, {}, { stop: ['a'] }],
  ['parallel calls', 'anthropic', { parallel_tool_calls: false }, withTools],
  [
    'no parallel calls where there are none',
    'anthropic',
    { parallel_tool_calls: false, ...notCalled },
    withTools,
    notCalled,
  ],
  ['an effort within the limit', 'anthropic', { ...on, max_tokens: 40_000 }, budget],
  [
    'the highest effort within the limit',
    'anthropic',
    higher,
    budget,
    { ...higher, reasoning_effort: 'low' },
  ],
  ['no effort within a low limit', 'anthropic', low, budget, { ...low, reasoning_effort: 'none' }],
  ['an effort within the range of the model', 'anthropic', higher, within(1, 3_000)],
  [
    'no effort below the range of the model',
    'anthropic',
    { ...higher, reasoning_effort: 'low' },
    within(5_000, 9_000),
    { ...higher, reasoning_effort: 'none' },
  ],
  ['any effort to an adaptive model', 'anthropic', low, adaptive],
  // Bedrock.
  ['no calls, where there was none', 'bedrock', notCalled, withTools],
  ['no calls, where there was one', 'bedrock', notCalled, afterCall, auto],
  ['any call, where there was one', 'bedrock', required, afterCall],
  ['metadata', 'bedrock', { metadata: { a: 'b' }, store: true, user: 'a' }, {}, { metadata: { a: 'b' } }],
  // Gemini.
  ['a search that is not forced', 'google', { tool_choice: 'web_search' }, { request: searching }, auto],
  ['a search that is not required', 'google', required, { request: searching }, auto],
  ['a call beside a search', 'google', required, { ...third, request: { webSearch, tools } }],
  ['JSON beside tools', 'google', json, { ...thirdBySchema, ...withTools }],
  [
    'JSON beside tools that are not called',
    'google',
    { ...bySchema, ...notCalled },
    { ...thirdBySchema, ...withTools },
  ],
  ['no JSON beside a forced call', 'google', { ...json, ...named }, { ...third, ...withTools }, named],
  [
    'no schema beside a required call',
    'google',
    { ...bySchema, ...required },
    { ...third, ...withTools },
    required,
  ],
  ['text beside a forced call', 'google', { ...plainText, ...named }, withTools],
  ['JSON', 'google', json, { traits: { structuredOutput: 'object' } }],
  ['an effort', 'google', on, budget],
  // OpenAI.
  ['a limit under its old name', 'openai', { max_tokens: 5 }],
  [
    'a limit under its new name',
    'openai',
    { max_tokens: 5 },
    { traits: { refuses: ['max_tokens'] } },
    { max_completion_tokens: 5 },
  ],
  ['only a temperature of 1', 'openai', half, refusing, { temperature: 1 }],
  ['a temperature of 1', 'openai', { temperature: 1 }, refusing],
  ['any temperature', 'openai', half],
  [
    'only a temperature of 1, reasoning',
    'openai',
    { ...half, ...on },
    refusingWhileReasoning,
    { temperature: 1, ...on },
  ],
  ['any temperature, not reasoning', 'openai', half, refusingWhileReasoning],
  ['no flex tier without reasoning', 'openai', flex, {}, {}],
  ['the flex tier with reasoning', 'openai', flex, effort],
  ['another tier', 'openai', { service_tier: 'default' }],
  [
    'an effort beside tools that chat does not take with it',
    'openai',
    on,
    { ...noToolsWhileReasoning, ...withTools },
    { ...on, reasoning_summary: 'auto' },
  ],
  [
    'no effort beside tools and several choices',
    'openai',
    { ...on, n: 2 },
    { ...noToolsWhileReasoning, ...withTools },
    { n: 2, reasoning_effort: 'none' },
  ],
  [
    'no summary without reasoning',
    'openai',
    { reasoning_effort: 'none' },
    { traits: { ...reasoner('effort'), onlyResponses: true } },
  ],
  ['an effort without tools', 'openai', on, noToolsWhileReasoning],
  ['an effort beside tools', 'openai', on, { ...effort, ...withTools }],
  ['more candidates in chat', 'xai', { logprobs: true, top_logprobs: 9 }],
  ['a cache key', 'xai', { prompt_cache_key: 'k' }, { endpoint: 'responses' }],
  // Hosts.
  ['an effort that it has', 'deepseek', on, effort],
  ['another effort', 'deepseek', medium, effort, on],
  [
    'the highest effort',
    'deepseek',
    { reasoning_effort: 'xhigh' },
    { traits: reasoner('effort', { efforts: ['high', 'max'] }) },
    { reasoning_effort: 'max' },
  ],
  ['no effort without reasoning', 'deepseek', medium, {}, {}],
  // Schemas beside tools.
  ['a schema without tools', 'cohere', bySchema],
  ['a schema in words beside tools', 'cohere', bySchema, withTools, {}],
  ['JSON in words beside tools', 'google', json, { ...knowsSchemas, ...withTools }, {}],
  ['a schema in words beside a search', 'google', bySchema, { ...knowsSchemas, request: searching }, {}],
  [
    'a schema as one of the tools',
    'google-vertex-anthropic',
    bySchema,
    { ...knowsSchemas, ...withTools },
    { ...bySchema, ...required },
  ],
  ['a format without a schema, with tools, in words', 'cohere', noFormat, withTools, {}],
];

const cases = rows.map(([what, provider, parameters, given, sent = parameters]) => ({
  what,
  provider,
  given: { ...given, parameters },
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
