/** What only OpenAI's platform supports: elsewhere it is left out and reported, or refused. */
import { describe, expect, test } from 'vitest';
import type { ReasoningStyle } from '../../lib/core/catalog/model.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  WebSearchTool,
} from '../../lib/core/generation/request.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { generationOf } from '../../lib/providers/provider.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';
import { assistant, user } from '../protocols/requests.ts';

const withProtocol = new Set(['openai', 'azure', 'xai']);
const translated = [...providers.values()]
  .filter(({ name, generation }) => generation && !withProtocol.has(name))
  .map(({ name }) => name);

function run(name: string, parts: Partial<GenerationRequest>, style: ReasoningStyle = 'budget') {
  const provider = providers.get(name);
  const reasoning = {
    style,
    efforts: ['none', 'high'],
    defaultEffort: 'none',
    budget: { min: 1, max: 9 },
  } as const;
  const target = testTarget({ traits: { reasoning, refuses: [], refusesWhileReasoning: [] } });
  const request = testRequest({}, parts);
  const generation = provider && generationOf(provider, 'responses', target, request);
  if (!generation) throw new Error(`${name} does not generate.`);
  return normalize(request, target, generation.rules);
}

const onlyThere: GenerationParameters = {
  reasoning_summary: 'auto',
  verbosity: 'low',
  max_tool_calls: 3,
  prompt_cache_key: 'a',
  safety_identifier: 'b',
  prompt_cache_retention: '24h',
  prompt_cache_options: { mode: 'explicit' },
  prediction: { type: 'content', content: 'x' },
  reasoning_context: 'auto',
  context_management: [{ type: 'compaction' }],
  image: { context_compression: 'enabled' },
  access_programs: { cyber: 'standard' },
};

/** The hosts that have some of them, and the providers that send one by another name. */
const also: Readonly<Record<string, readonly string[]>> = {
  mistral: ['prompt_cache_key'],
  fireworks: ['prediction'],
  openrouter: ['verbosity'],
};

test('there are providers with a translated protocol', () => {
  expect(translated.length).toBeGreaterThan(15);
});

describe.each(translated)('%s', (name) => {
  test('is sent no parameter of another platform, and each is on record', () => {
    const { request, changes } = run(name, { parameters: onlyThere });
    const { user, ...sent } = request.parameters;
    expect(Object.keys(sent)).toEqual(also[name] ?? []);
    expect(user).toBe(name === 'anthropic' || name === 'google-vertex-anthropic' ? 'b' : undefined);
    const stripped = changes.filter(({ action }) => action === 'strip');
    expect(stripped.map(({ param, action }) => [param, action]).toSorted()).toEqual(
      Object.keys(onlyThere)
        .filter((param) => !also[name]?.includes(param))
        .map((param) => [param, 'strip'])
        .toSorted(),
    );
  });

  test('is sent no finished search, and the record counts them', () => {
    const webSearches = [
      { id: 'ws_1', action: { type: 'search', query: 'secret words' }, position: 0 },
      { id: 'ws_2', action: { type: 'search', query: 'secret words' }, position: 1 },
    ];
    const messages = [user('Hi'), assistant('Hello', { webSearches }), user('More')];
    const { request, changes } = run(name, { messages });
    expect(JSON.stringify(request)).not.toContain('secret');
    expect(changes.filter(({ param }) => param === 'messages.1.web_searches')).toMatchObject([
      { action: 'strip', before: '2 searches', after: null },
    ]);
    expect(JSON.stringify(changes)).not.toContain('secret');
  });
});

describe('a search of the web', () => {
  const webSearch: WebSearchTool = {
    position: 1,
    type: 'web_search',
    contextSize: 'high',
    userLocation: { country: 'IT' },
  };
  const tools = [{ name: 'get_weather' }];
  const recordsOf = (name: string) => {
    const { request, changes } = run(name, { webSearch });
    return {
      kept: structuredClone(request.webSearch),
      reported: changes.map(({ param, before }) => [param, before]),
    };
  };

  test('keeps its position on Claude, and loses its size on record', () => {
    expect(recordsOf('anthropic')).toEqual({
      kept: { position: 1, type: 'web_search', userLocation: { country: 'IT' } },
      reported: [['tools.1.search_context_size', 'high']],
    });
  });

  test.each(['google', 'google-vertex'])('loses both on %s, on record', (name) => {
    expect(recordsOf(name)).toEqual({
      kept: { position: 1, type: 'web_search' },
      reported: [
        ['tools.1.search_context_size', 'high'],
        ['tools.1.user_location', '1 field'],
      ],
    });
  });

  test('has a limit on Claude', () => {
    const { request, changes } = run('anthropic', { webSearch, parameters: { max_tool_calls: 2 } });
    expect(request.parameters).toEqual({ max_tool_calls: 2 });
    expect(changes.map(({ param }) => param)).toEqual(['tools.1.search_context_size']);
  });

  test('cannot be limited to domains on Gemini: the parameter is refused by name', () => {
    const kept = { ...webSearch, allowedDomains: ['a.example'] };
    expect(() => run('google', { webSearch: kept })).toThrow(
      expect.objectContaining({ kind: 'invalid_request', param: 'tools.1.filters.allowed_domains' }),
    );
    expect(run('anthropic', { webSearch: kept }).request.webSearch).toMatchObject({
      allowedDomains: ['a.example'],
    });
  });

  test('stands beside functions on Gemini from the third generation on, and is refused before', () => {
    expect(run('google', { webSearch, tools }, 'level').request).toMatchObject({ tools });
    expect(() => run('google', { webSearch, tools })).toThrow(
      expect.objectContaining({ kind: 'invalid_request', param: 'tools.1.type' }),
    );
  });

  test.each(['web_search', 'required'] as const)('cannot be forced on Gemini: %s is auto', (choice) => {
    const { request, changes } = run('google', { webSearch, parameters: { tool_choice: choice } });
    expect(request.parameters).toEqual({ tool_choice: 'auto' });
    expect(changes[0]).toMatchObject({ param: 'tool_choice', before: choice, after: 'auto' });
  });

  test('writes no JSON on Gemini before the third generation', () => {
    const parameters: GenerationParameters = { response_format: { type: 'json_object' } };
    expect(() => run('google', { webSearch, parameters })).toThrow(
      expect.objectContaining({ param: 'response_format' }),
    );
  });
});
