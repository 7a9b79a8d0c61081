/** A search of the web that a request declares, for targets that have none: left out on record, unless it is what is asked for. */
import { describe, expect, test } from 'vitest';
import type { GenerationRequest, Tool } from '../../../lib/core/generation/request.ts';
import { prepareGeneration } from '../../../lib/pipeline/generation/prepare.ts';
import { providers } from '../../../lib/providers/all-providers.ts';
import { testRequest, testTarget } from '../../harness/matrix/model.ts';

const loaded = {
  get: (name: string) => providers.get(name),
  load: async () => undefined,
  loadBuiltIn: async () => undefined,
};
const shell: Tool = { name: 'shell', parameters: { type: 'object' } };
const webSearch = { position: 1, type: 'web_search' };

/** What a model of the provider gets. `canSearch`: whether the catalog says that the model searches. */
function prepare(
  provider: string,
  canSearch: boolean,
  request: GenerationRequest,
  endpoint: 'responses' | 'messages' | 'chat_completions' = 'responses',
) {
  const base = testTarget();
  const traits = { ...base.model.traits, webSearch: canSearch };
  const target = {
    model: { ...base.model, traits },
    deployment: { ...base.deployment, provider },
  };
  return prepareGeneration({ providers: loaded, endpoint }, target, { request, normalize: true });
}

const codex = testRequest({}, { tools: [shell], webSearch });

describe.each(['deepseek', 'mistral', 'bedrock', 'cohere', 'moonshot', 'zai', 'azure'])('%s', (provider) => {
  test.each(['responses', 'messages'] as const)('%s: is left out beside functions', (endpoint) => {
    const { request, changes } = prepare(provider, true, codex, endpoint);
    expect(request.webSearch).toBeUndefined();
    expect(request.tools).toHaveLength(1);
    expect(changes).toContainEqual(
      expect.objectContaining({ action: 'strip', before: { type: 'web_search' }, after: null }),
    );
  });

  test.each<[string, GenerationRequest]>([
    ['alone', testRequest({}, { webSearch })],
    ['forced', testRequest({ tool_choice: 'web_search' }, { tools: [shell], webSearch })],
    ['required', testRequest({ tool_choice: 'required' }, { tools: [shell], webSearch })],
  ])('%s: is refused, with what to set', (_, request) => {
    const refused = expect.objectContaining({
      kind: 'invalid_request',
      message: expect.stringContaining("declare it beside functions with tool_choice 'auto'"),
    });
    expect(() => prepare(provider, false, request)).toThrow(refused);
  });
});

test('a parameter of chat asks for it', () => {
  expect(() => prepare('deepseek', false, codex, 'chat_completions')).toThrow('leave the search out');
});

test('a target that searches keeps it', () => {
  expect(prepare('openai', true, codex).request.webSearch).toMatchObject(webSearch);
  expect(prepare('anthropic', true, codex).request.webSearch).toMatchObject({ type: 'web_search' });
  expect(prepare('openai', false, codex).request.webSearch).toBeUndefined();
});

test('a model of Gemini that does not search beside functions gets the functions', () => {
  const { request } = prepare('google', true, codex);
  expect(request.webSearch).toBeUndefined();
  expect(prepare('google', true, testRequest({}, { webSearch })).request.webSearch).toMatchObject(webSearch);
});
