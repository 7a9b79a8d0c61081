/** Embeddings behave the same for every provider: format, dimensions, queries, batches and limits. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import {
  addEmbedders,
  type EmbeddingsBody,
  embedderRows,
  floatsOf,
  likeness,
} from '../../harness/matrix/embedders.ts';
import { hasOpenAiSchema, openAiSchema } from '../../harness/openai-schema.ts';

const gateway = useGateway();
beforeAll(addEmbedders);

async function embed(body: object): Promise<EmbeddingsBody & { status: number; headers: Headers }> {
  const response = await gateway().post('/v1/embeddings', body);
  const { status, headers } = response;
  return { status, headers, ...((await response.json()) as EmbeddingsBody) };
}

const vectorsOf = ({ data }: EmbeddingsBody) => data.map(({ embedding }) => embedding);
const lengthOf = (vector: readonly number[]) => Math.sqrt(likeness(vector, vector));

describe.each(embedderRows)('$model', ({ model, dimensions, takesUser }) => {
  test('returns a vector for each text, in order, in the public format', async () => {
    const answer = await embed({ model, input: ['one apple', 'two pears', 'one apple'] });
    expect(answer).toMatchObject({ status: 200, object: 'list', model });
    if (hasOpenAiSchema) {
      const { status: _, headers: _headers, ...body } = answer;
      expect(openAiSchema('CreateEmbeddingResponse')(body)).toEqual([]);
    }
    const [first = [], second = [], third = []] = vectorsOf(answer);
    expect(answer.data.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect([first, second, third].map((vector) => vector.length)).toEqual(Array(3).fill(dimensions));
    expect(third).toEqual(first);
    expect(likeness(first, second)).toBeLessThan(0.99);
    expect(lengthOf(first)).toBeCloseTo(1, 5);
    expect(answer.usage.prompt_tokens).toBeGreaterThan(0);
    expect(answer.usage.total_tokens).toBe(answer.usage.prompt_tokens);
    expect(answer).not.toHaveProperty('debug');
  });

  test('returns the same numbers as base64', async () => {
    const [float, base64] = await Promise.all([
      embed({ model, input: 'one apple' }),
      embed({ model, input: 'one apple', encoding_format: 'base64' }),
    ]);
    const [text] = vectorsOf(base64) as unknown as readonly string[];
    expect(floatsOf(text ?? '')).toEqual(vectorsOf(float)[0]?.map(Math.fround));
    expect(floatsOf(text ?? '')).toHaveLength(dimensions);
  });

  test('accepts its own number of dimensions, and rejects unsupported ones', async () => {
    const own = await embed({ model, input: 'one apple', dimensions });
    expect(own.status).toBe(200);
    expect(vectorsOf(own)[0]).toHaveLength(dimensions);
    const other = await embed({ model, input: 'one apple', dimensions: 5000 });
    expect(other).toMatchObject({ status: 400, error: { param: 'dimensions' } });
  });

  test('accepts `user`, and reports if it is not sent', async () => {
    const answer = await embed({
      model,
      input: 'one apple',
      user: 'someone',
      extra: { debug: ['normalizations'] },
    });
    const stripped = expect.objectContaining({ param: 'user', action: 'strip', before: 'someone' });
    expect(answer.status).toBe(200);
    expect(answer.debug?.normalizations).toEqual(takesUser ? [] : [stripped]);
  });
});

/** One model of each provider and limit. */
const ofEachLimit = [...new Map(embedderRows.map((row) => [`${row.provider} ${row.perCall}`, row])).values()];

test.each(ofEachLimit)(
  '$model accepts 128 texts, whatever the limit per call',
  async ({ model, perCall }) => {
    const input = Array.from({ length: 128 }, (_, index) => `text number ${index}`);
    const answer = await embed({ model, input, encoding_format: 'base64' });
    expect(answer.status).toBe(200);
    expect(answer.data.map(({ index }) => index)).toEqual(input.map((_, index) => index));
    const indexes = [0, 1, (perCall ?? 64) % 128, 95, 96, 99, 100, 127];
    const alone = await embed({ model, input: indexes.map((at) => input[at]), encoding_format: 'base64' });
    expect(vectorsOf(alone)).toEqual(indexes.map((at) => answer.data[at]?.embedding));
  },
);

test.each(embedderRows.flatMap(({ model, fewer }) => (fewer === undefined ? [] : [{ model, fewer }])))(
  '$model returns fewer dimensions, normalized',
  async ({ model, fewer }) => {
    const answer = await embed({ model, input: ['one apple', 'two pears'], dimensions: fewer });
    expect(answer.status).toBe(200);
    for (const vector of vectorsOf(answer)) {
      expect(vector).toHaveLength(fewer);
      expect(lengthOf(vector)).toBeCloseTo(1, 5);
    }
  },
);

test.each(embedderRows.filter(({ asymmetric }) => asymmetric))(
  '$model finds a document by a query only if the input types are set',
  async ({ model }) => {
    const documents = [
      'The capital of France is Paris, on the river Seine.',
      'Where is the bus stop?',
      'Cats sleep most of the day.',
    ];
    const question = 'Where is the capital of France?';
    const found = async (extra?: object) => {
      const [stored, asked] = await Promise.all([
        embed({ model, input: documents }),
        embed({ model, input: question, ...(extra && { extra }) }),
      ]);
      const [query = []] = vectorsOf(asked);
      const ranks = vectorsOf(stored).map((vector) => likeness(vector, query));
      return ranks.indexOf(Math.max(...ranks));
    };
    expect(await found({ input_type: 'query' })).toBe(0);
    expect(await found({ input_type: 'document' })).toBe(1);
    expect(await found()).toBe(1);
  },
);

test.each(embedderRows.filter(({ asymmetric }) => !asymmetric))(
  '$model ignores the input type and reports it',
  async ({ model }) => {
    const [plain, typed] = await Promise.all([
      embed({ model, input: 'one apple' }),
      embed({ model, input: 'one apple', extra: { input_type: 'query', debug: ['normalizations'] } }),
    ]);
    expect(vectorsOf(typed)).toEqual(vectorsOf(plain));
    expect(typed.headers.get('x-gateway-normalizations')).toBe('1');
    expect(typed.debug?.normalizations).toEqual([
      expect.objectContaining({
        param: 'extra.input_type',
        action: 'strip',
        before: 'query',
        after: null,
      }),
    ]);
  },
);

describe('a request is rejected for', () => {
  const model = 'openai/text-embedding-3-small';
  const long = 'a'.repeat(70_000);

  test.each<[string, object, string]>([
    ['no input', {}, 'input'],
    ['an empty text', { input: '' }, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['an empty text in a list', { input: ['one', '', 'three'] }, 'input.1'],
    ['129 texts', { input: Array(129).fill('a') }, 'input'],
    ['token ids', { input: [1, 2, 3] }, 'input.0'],
    ['lists of token ids', { input: [[1, 2], [3]] }, 'input.0'],
    ['null in a list', { input: ['one', null] }, 'input.1'],
    ['an object', { input: { text: 'one' } }, 'input'],
    ['a text above 8,192 tokens', { input: ['short', long] }, 'input.1'],
    ['an unknown schema version', { input: 'a', encoding_format: 'binary' }, 'encoding_format'],
    ['no dimensions', { input: 'a', dimensions: 0 }, 'dimensions'],
    ['broken dimensions', { input: 'a', dimensions: 1.5 }, 'dimensions'],
    ['an unknown type of input', { input: 'a', extra: { input_type: 'passage' } }, 'extra.input_type'],
    ['an unknown field', { input: 'a', truncate: true }, 'truncate'],
    ['an unknown field of extra', { input: 'a', extra: { task: 'query' } }, 'extra.task'],
    ['an unknown fallback', { input: 'a', extra: { fallbacks: ['a/b'] } }, 'extra.fallbacks.0'],
    [
      'a fallback with other dimensions',
      { input: 'a', extra: { fallbacks: ['openai/text-embedding-ada-002', 'voyage/voyage-4'] } },
      'extra.fallbacks.1',
    ],
    [
      'a fallback that does not support these dimensions',
      { input: 'a', dimensions: 512, extra: { fallbacks: ['mistral/mistral-embed'] } },
      'extra.fallbacks.0',
    ],
  ])('%s', async (_, fields, param) => {
    const answer = await embed({ model, ...fields });
    expect([400, 404]).toContain(answer.status);
    expect(answer.error?.param).toBe(param);
    expect(answer.error?.message).not.toContain(long.slice(0, 50));
  });

  test('token ids are rejected as unsupported', async () => {
    const { error } = await embed({ model, input: [[1, 2], [3]] });
    expect(error?.message).toContain('token ids are not supported');
  });

  test('a model without embeddings is rejected', async () => {
    const answer = await embed({ model: 'openai/gpt-4.1', input: 'a' });
    expect(answer).toMatchObject({ status: 400, error: { code: 'unsupported_operation' } });
  });

  test('a text that the model would silently truncate is rejected', async () => {
    // 3,000 tokens for the sandbox, where the model's limit is 2,048.
    const input = ['short', 'word '.repeat(2_400)];
    const answer = await embed({ model: 'google/gemini-embedding-001', input });
    expect(answer).toMatchObject({ status: 400, error: { param: 'input.1' } });
  });

  test('a text that the provider rejects as too long is an invalid request', async () => {
    const input = ['short', 'word '.repeat(600)];
    const answer = await embed({ model: 'cohere/embed-multilingual-v3.0', input });
    expect(answer).toMatchObject({
      status: 400,
      error: { param: 'input', code: 'context_length_exceeded' },
    });
  });
});

test('the longest allowed text is embedded', async () => {
  const input = ' hello'.repeat(8_192);
  const answer = await embed({ model: 'cohere/embed-v4.0', input });
  expect(answer.status).toBe(200);
  const longer = await embed({ model: 'cohere/embed-v4.0', input: `${input} hello` });
  expect(longer).toMatchObject({ status: 400, error: { param: 'input' } });
});

test('the tokens of a query include the model’s prefix', async () => {
  const model = 'sionic-ai/comsat-embed-ko-8b-preview';
  const [query, document] = await Promise.all([
    embed({ model, input: 'one apple', extra: { input_type: 'query' } }),
    embed({ model, input: 'one apple' }),
  ]);
  expect(query.usage.prompt_tokens).toBeGreaterThan(document.usage.prompt_tokens);
});

test('a vector shortened by the gateway keeps its direction', async () => {
  const model = 'sionic-ai/comsat-embed-ko-8b-preview';
  const [whole, half] = await Promise.all([
    embed({ model, input: 'one apple' }),
    embed({ model, input: 'one apple', dimensions: 2048 }),
  ]);
  const first = vectorsOf(whole)[0]?.slice(0, 2048) ?? [];
  const length = Math.hypot(...first);
  expect(vectorsOf(half)[0]).toEqual(first.map((number) => Math.fround(number / length)));
});

test('the model list shows which models have embeddings', async () => {
  const response = await fetch(`${gateway().url}/v1/models`);
  const { data } = (await response.json()) as {
    data: { id: string; endpoints: string[]; modalities: object }[];
  };
  expect(data.find(({ id }) => id === 'sionic-ai/comsat-embed-ko-8b-preview')).toMatchObject({
    endpoints: ['embeddings'],
    modalities: { input: ['text'], output: ['embedding'] },
  });
});
