/** The sandbox's embeddings, called as each provider's own client would: what it gives, and what it refuses. */
import { describe, expect, test } from 'vitest';
import { sandboxRoutes } from '../../local/providers.ts';
import { useSandbox } from './client.ts';

const clientOf = useSandbox();
const key = { authorization: 'Bearer a-key' };
const headersOf: Readonly<Record<string, Record<string, string>>> = {
  google: { 'x-goog-api-key': 'a-key' },
  azure: { 'api-key': 'a-key' },
};

async function post(provider: string, path: string, body: object, headers = headersOf[provider] ?? key) {
  const base = sandboxRoutes.find((route) => route.provider === provider)?.base;
  const response = await clientOf(`${base}`, headers)(path, body);
  return { status: response.status, body: (await response.json()) as Answered };
}

/** The checked part of the answers. */
interface Answered {
  readonly data: readonly { readonly embedding: readonly number[] }[];
  readonly embeddings: readonly {
    readonly values: readonly number[];
    readonly embedding: readonly number[];
  }[];
}

const titan = '/model/amazon.titan-embed-text-v2%3A0/invoke';
const nova = '/model/amazon.nova-2-multimodal-embeddings-v1%3A0/invoke';
const gemini = '/models/gemini-embedding-001:batchEmbedContents';
const geminiModel = 'models/gemini-embedding-001';
const content = { parts: [{ text: 'a' }] };
const vertex = '/projects/p/locations/l/publishers/google/models';
const long = 'word '.repeat(9_000);
const purpose = { embeddingPurpose: 'GENERIC_INDEX', text: { value: 'a', truncationMode: 'NONE' } };

describe('refuses as the provider does', () => {
  test.each<[string, string, object, number, object]>([
    ['openai', '/embeddings', { model: 'gpt-4.1', input: 'a' }, 404, { error: { code: 'model_not_found' } }],
    [
      'openai',
      '/embeddings',
      { model: 'text-embedding-3-small', input: 'a', task: 'x' },
      400,
      { error: { type: 'invalid_request_error' } },
    ],
    [
      'openai',
      '/embeddings',
      { model: 'text-embedding-ada-002', input: 'a', dimensions: 1536 },
      400,
      { error: { param: 'dimensions' } },
    ],
    [
      'openai',
      '/embeddings',
      { model: 'text-embedding-3-small', input: ['a', long] },
      400,
      { error: { message: expect.stringContaining('input[1]') } },
    ],
    ['azure', '/embeddings', { model: 'nothing', input: 'a' }, 404, { error: {} }],
    [
      'mistral',
      '/embeddings',
      { model: 'mistral-embed', input: ['a'], user: 'x' },
      422,
      { detail: [{ type: 'extra_forbidden' }] },
    ],
    [
      'mistral',
      '/embeddings',
      { model: 'mistral-embed', input: Array(9).fill(long.slice(0, 9_000)) },
      400,
      {},
    ],
    ['voyage', '/embeddings', { model: 'nothing', input: ['a'] }, 400, { detail: expect.any(String) }],
    ['voyage', '/embeddings', { model: 'voyage-4', input: ['a'], output_dimension: 7 }, 400, {}],
    ['voyage', '/embeddings', { model: 'voyage-4', input: ['a'], dimensions: 256 }, 400, {}],
    ['jina', '/embeddings', { model: 'jina-embeddings-v3', input: ['a'], task: 'query' }, 422, {}],
    ['cohere', '/embed', { model: 'nothing', texts: ['a'] }, 404, { message: expect.any(String) }],
    ['cohere', '/embed', { model: 'embed-v4.0', texts: ['a'] }, 400, { message: expect.any(String) }],
    [
      'cohere',
      '/embed',
      { model: 'embed-v4.0', input_type: 'search_query', texts: Array(97).fill('a') },
      400,
      {},
    ],
    [
      'google',
      '/models/nothing:batchEmbedContents',
      { requests: [] },
      404,
      { error: { status: 'NOT_FOUND' } },
    ],
    ['google', gemini, { requests: [{ model: geminiModel, content, user: 'x' }] }, 400, { error: {} }],
    ['google', gemini, { requests: [{ model: geminiModel, content, outputDimensionality: 7 }] }, 400, {}],
    ['google', gemini, { requests: Array(101).fill({ model: geminiModel, content }) }, 400, {}],
    [
      'google-vertex',
      `${vertex}/gemini-embedding-001:predict`,
      { instances: [{ content: long }], parameters: { autoTruncate: false } },
      400,
      { error: { status: 'INVALID_ARGUMENT' } },
    ],
    ['google-vertex', `${vertex}/gemini-embedding-001:embedContent`, { content }, 400, {}],
    ['google-vertex', `${vertex}/gemini-embedding-001:predict`, { instances: [] }, 400, {}],
    ['bedrock', titan, { inputText: 'a', user: 'x' }, 400, { message: expect.any(String) }],
    ['bedrock', titan, { inputText: 'a', dimensions: 7 }, 400, {}],
    ['bedrock', titan, { inputText: long }, 400, {}],
    ['bedrock', nova, { taskType: 'SINGLE_EMBEDDING', singleEmbeddingParams: {} }, 400, {}],
  ])('%s %s %j', async (provider, path, sent, status, said) => {
    const refused = await post(provider, path, sent);
    expect(refused.status).toBe(status);
    expect(refused.body).toMatchObject(said);
  });

  test.each([
    ['openai', '/embeddings', 401],
    ['azure', '/embeddings', 401],
    ['voyage', '/embeddings', 401],
    ['jina', '/embeddings', 401],
    ['cohere', '/embed', 401],
    ['google', gemini, 403],
    ['google-vertex', `${vertex}/gemini-embedding-001:predict`, 401],
    ['bedrock', titan, 403],
  ])('%s without a key', async (provider, path, status) => {
    expect((await post(provider, path, {}, {})).status).toBe(status);
  });
});

describe('gives', () => {
  test('the same vector for the same text, and one that starts alike where it is shorter', async () => {
    const of = async (fields: object) => {
      const model = 'text-embedding-3-small';
      const { body } = await post('openai', '/embeddings', { model, input: 'one apple', ...fields });
      return body.data[0]?.embedding ?? [];
    };
    const [first, again, shorter] = await Promise.all([of({}), of({}), of({ dimensions: 2 })]);
    expect(again).toEqual(first);
    expect((shorter[0] ?? 0) / (shorter[1] ?? 1)).toBeCloseTo((first[0] ?? 0) / (first[1] ?? 1), 4);
  });

  test('Gemini, truncated without an error and not normalized, as the provider does', async () => {
    const text = 'word '.repeat(3_000);
    const requests = [text, text.slice(0, 2_048 * 4)].map((one) => ({
      model: geminiModel,
      content: { parts: [{ text: one }] },
      outputDimensionality: 128,
    }));
    const { body } = await post('google', gemini, { requests });
    const [first = [], second] = body.embeddings.map(({ values }) => values);
    expect(first).toEqual(second);
    expect(Math.hypot(...first)).toBeGreaterThan(1.1);
  });

  test('Nova and Titan, each in its own shape', async () => {
    const asked = { taskType: 'SINGLE_EMBEDDING', singleEmbeddingParams: purpose };
    expect((await post('bedrock', nova, asked)).body.embeddings[0]?.embedding).toHaveLength(3072);
    expect((await post('bedrock', titan, { inputText: 'a', dimensions: 256 })).body).toMatchObject({
      inputTextTokenCount: 1,
      embedding: expect.any(Array),
    });
  });
});
