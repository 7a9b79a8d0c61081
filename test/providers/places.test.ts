/** Where providers are called that share an account with another one. */
import { expect, test } from 'vitest';
import { providers } from '../../lib/providers/all-providers.ts';
import { rootOf } from '../../lib/providers/provider.ts';

const root = (name: string, baseUrl: string | undefined, project = 'p') => {
  const provider = providers.get(name);
  if (!provider) throw new Error(`There is no ${name}.`);
  return rootOf(provider, 'global', { ...(baseUrl && { baseUrl }), settings: { project } });
};

test('DashScope is beside the compatible API of Model Studio', () => {
  const site = 'https://dashscope-intl.aliyuncs.com';
  expect(root('alibaba-dashscope', undefined)).toBe(`${site}/api/v1`);
  expect(root('alibaba-dashscope', `${site}/compatible-mode/v1`)).toBe(`${site}/api/v1`);
});

test.each([
  ['https://r.openai.azure.com/openai/v1', 'https://r.services.ai.azure.com/providers/cohere/v2'],
  ['https://r.services.ai.azure.com/openai/v1', 'https://r.services.ai.azure.com/providers/cohere/v2'],
  ['https://r.services.ai.azure.com/openai', 'https://r.services.ai.azure.com/providers/cohere/v2'],
  ['https://r.services.ai.azure.com', 'https://r.services.ai.azure.com/providers/cohere/v2'],
  ['https://proxy.example.com/azure/openai/v1', 'https://proxy.example.com/azure/providers/cohere/v2'],
])('Cohere beside Azure OpenAI at %s', (set, expected) => {
  expect(root('azure-cohere', set)).toBe(expected);
  expect(root('azure', set)).toBe(set);
});

test('the ranking of Vertex is at an API of its own, in the project of Vertex, which pays', async () => {
  expect(root('google-vertex-ranking', undefined, 'a b')).toBe(
    'https://discoveryengine.googleapis.com/v1/projects/a%20b/locations/global',
  );
  const request = { method: 'POST', url: 'https://example.com', headers: {} } as const;
  const access = { apiKey: 'token', settings: { project: 'p' } };
  expect(await providers.get('google-vertex-ranking')?.authorize(request, access, 'global')).toMatchObject({
    headers: { authorization: 'Bearer token', 'x-goog-user-project': 'p' },
  });
});
