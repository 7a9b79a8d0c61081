/** With which credentials a provider can be called, and how they are sent. */
import { describe, expect, test } from 'vitest';
import type { HttpRequest } from '../../lib/core/ports/http.ts';
import type { ProviderAccess } from '../../lib/core/ports/provider-access.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { type Provider, rootOf, settingsOf } from '../../lib/providers/provider.ts';

const request: HttpRequest = { method: 'POST', url: 'https://example.com', headers: { accept: '*/*' } };
const none: ProviderAccess = { settings: {} };
const key: ProviderAccess = { ...none, apiKey: 'sk-example' };

function get(name: string): Provider {
  const provider = providers.get(name);
  if (!provider) throw new Error(`There is no provider ${name}.`);
  return provider;
}

const bearer = { authorization: 'Bearer sk-example' };

describe.each<[string, object, string]>([
  ['openai', bearer, 'https://api.openai.com/v1'],
  [
    'anthropic',
    { 'x-api-key': 'sk-example', 'anthropic-version': '2023-06-01' },
    'https://api.anthropic.com/v1',
  ],
  ['google', { 'x-goog-api-key': 'sk-example' }, 'https://generativelanguage.googleapis.com/v1beta'],
  ['bedrock', bearer, 'https://bedrock-runtime.us-east-1.amazonaws.com'],
  ['cohere', bearer, 'https://api.cohere.com/v2'],
  ['voyage', bearer, 'https://api.voyageai.com/v1'],
  ['jina', bearer, 'https://api.jina.ai/v1'],
  ['groq', bearer, 'https://api.groq.com/openai/v1'],
])('%s', (name, headers, root) => {
  const provider = get(name);

  test('can be called with a key', async () => {
    expect(provider.isConfigured(none)).toBe(false);
    expect(provider.isConfigured(key)).toBe(true);
    const sent = await provider.authorize(request, key, 'us-east-1');
    expect(sent).toEqual({ ...request, headers: { accept: '*/*', ...headers } });
    expect(() => provider.authorize(request, none, 'us-east-1')).toThrow(
      expect.objectContaining({ kind: 'upstream_credentials' }),
    );
  });

  test('has its address, unless a setting replaces it', () => {
    expect(rootOf(provider, 'us-east-1', key)).toBe(root);
    expect(rootOf(provider, 'us-east-1', { ...key, baseUrl: 'https://example.com/v9' })).toBe(
      'https://example.com/v9',
    );
    expect(settingsOf(provider).account).toBe(name);
    expect(settingsOf(provider).settings.filter((setting) => !setting.startsWith('batch-'))).toEqual([
      'api-key',
    ]);
  });
});

test('a provider without an address needs one as a setting', () => {
  expect(() => rootOf(get('self-hosted'), 'global', key)).toThrow(
    expect.objectContaining({ kind: 'upstream_credentials' }),
  );
});

test('a server of the operator may be called without a key', async () => {
  expect(await get('self-hosted').authorize(request, none, 'global')).toBe(request);
  expect((await get('self-hosted').authorize(request, key, 'global')).headers).toMatchObject(bearer);
});

test('a request to Bedrock is signed where there is no key', async () => {
  const signed = { ...request, headers: { authorization: 'signature' } };
  const given: unknown[] = [];
  const access: ProviderAccess = {
    ...none,
    sign: async (...all) => {
      given.push(all);
      return signed;
    },
  };
  expect(get('bedrock').isConfigured(access)).toBe(true);
  expect(await get('bedrock').authorize(request, access, 'eu-west-1')).toBe(signed);
  expect(given).toEqual([[request, { service: 'bedrock', region: 'eu-west-1' }]]);
});

test.each([
  ['openai', true, undefined, undefined],
  ['anthropic', true, true, true],
  ['google', false, undefined, true],
  ['google-vertex', false, undefined, true],
  ['google-vertex-anthropic', false, undefined, undefined],
  ['bedrock', false, undefined, undefined],
  ['cohere', true, undefined, undefined],
])('%s fetches images: %s, documents: %s; it searches the web: %s', (name, images, files, searches) => {
  const { takesImageUrls, takesFileUrls, searchesWeb } = get(name).generation ?? {};
  expect([takesImageUrls, takesFileUrls, searchesWeb]).toEqual([images, files, searches]);
});
