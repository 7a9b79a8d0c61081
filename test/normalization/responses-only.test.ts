/** What only OpenAI's platform supports: elsewhere it is left out and reported, or refused. */
import { describe, expect, test } from 'vitest';
import type { ReasoningStyle } from '../../lib/core/catalog/model.ts';
import type { GenerationRequest, WebSearchTool } from '../../lib/core/generation/request.ts';
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

test('there are providers with a translated protocol', () => {
  expect(translated.length).toBeGreaterThan(15);
});

describe.each(translated)('%s', (name) => {
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
});
