/** Embeddings through the official SDK, which requests base64 by default, for every provider. */
import { NotFoundError } from 'openai';
import { beforeAll, expect, test } from 'vitest';
import { useSdk } from '../../harness/clients/sdk.ts';
import { addEmbedders } from '../../harness/matrix/embedders.ts';

const client = useSdk();
beforeAll(addEmbedders);

const input = ['A lighthouse at night', 'The sea by day'];

test.each(['openai/text-embedding-3-small', 'cohere/embed-v4.0'])(
  'the numbers of %s are exactly the same in either encoding',
  async (model) => {
    const [usual, float] = await Promise.all([
      client().embeddings.create({ model, input }),
      client().embeddings.create({ model, input, encoding_format: 'float' }),
    ]);
    for (const [index, { embedding }] of usual.data.entries()) {
      // A wrong number of dimensions shows that the numbers were not decoded.
      expect(embedding).toHaveLength(1536);
      expect(embedding).toEqual(float.data[index]?.embedding.map(Math.fround));
    }
    expect(usual.usage).toEqual(float.usage);
    expect(usual.model).toBe(model);
  },
);

test('the largest possible answer arrives completely', { timeout: 60_000 }, async () => {
  const texts = Array.from({ length: 128 }, (_, index) => `text number ${index}`);
  const model = 'qwen/qwen3-embedding-8b';
  const { data, usage } = await client().embeddings.create({ model, input: texts, encoding_format: 'float' });
  expect(data.map(({ embedding }) => embedding.length)).toEqual(texts.map(() => 4_096));
  expect(new Set(data.map(({ embedding }) => embedding[0])).size).toBe(texts.length);
  expect(usage.total_tokens).toBeGreaterThan(texts.length);
});

test('a single text, fewer dimensions and the extensions are supported', async () => {
  const answer = await client().embeddings.create({
    model: 'sionic-ai/comsat-embed-ko-8b-preview',
    input: 'A lighthouse',
    dimensions: 2048,
    user: 'someone',
    // @ts-expect-error: the SDK does not know the extensions, and sends them unchanged.
    extra: { input_type: 'query', debug: ['routing'] },
  });
  expect(answer.data[0]?.embedding).toHaveLength(2048);
  expect(answer).toMatchObject({ debug: { routing: [{ provider: 'self-hosted', status: 'succeeded' }] } });
});

test('an unknown model is the right error class', async () => {
  await expect(client().embeddings.create({ model: 'unknown/model', input })).rejects.toBeInstanceOf(
    NotFoundError,
  );
});
