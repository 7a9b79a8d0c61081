/** Encoding embeddings requests in each protocol. */
import { describe, expect, test } from 'vitest';
import type { EmbeddingProtocolName } from '../../../lib/core/catalog/model.ts';
import type { EmbeddingParameters, InputType } from '../../../lib/core/generation/embedding.ts';
import { providers } from '../../../lib/providers/all-providers.ts';
import { testTarget } from '../../harness/matrix/model.ts';

function encode(
  provider: string,
  texts: readonly string[],
  parameters: EmbeddingParameters = {},
  name?: EmbeddingProtocolName,
) {
  const embedding = { dimensions: { default: 8 }, ...(name && { protocol: name }) };
  const target = testTarget({
    traits: { refuses: [], refusesWhileReasoning: [], embedding },
    deployments: [{ provider, region: 'global', upstreamId: 'vendor/m:1' }],
  });
  const protocol = providers.get(provider)?.embeddings?.protocol(target);
  if (!protocol) throw new Error(`${provider} does not embed.`);
  return {
    path: protocol.path(target.deployment.upstreamId),
    body: protocol.encode({ texts, parameters }, target),
  };
}

const query: EmbeddingParameters = { dimensions: 4, input_type: 'query' };
const model = 'vendor/m:1';

const cohere = {
  texts: ['a'],
  input_type: 'search_query',
  embedding_types: ['float'],
  truncate: 'NONE',
  output_dimension: 4,
};
const voyage = { encoding_format: 'base64', truncation: false, output_dimension: 4, input_type: 'query' };
const jina = { embedding_type: 'float', normalized: true, truncate: false, dimensions: 4 };
const retrieval = { taskType: 'RETRIEVAL_QUERY', outputDimensionality: 4 };
const content = { parts: [{ text: 'a' }] };
const nova = {
  embeddingPurpose: 'GENERIC_RETRIEVAL',
  text: { truncationMode: 'NONE', value: 'a' },
  embeddingDimension: 4,
};
const onVertex = '/publishers/google/models/vendor%2Fm%3A1';
const onBedrock = '/model/vendor%2Fm%3A1/invoke';

test.each<[string, EmbeddingProtocolName | undefined, string, object]>([
  ['voyage', undefined, '/embeddings', { model, input: ['a'], ...voyage }],
  ['jina', undefined, '/embeddings', { model, input: ['a'], ...jina, task: 'retrieval.query' }],
  ['cohere', undefined, '/embed', { model, ...cohere }],
  [
    'google',
    undefined,
    '/models/vendor%2Fm%3A1:batchEmbedContents',
    { requests: [{ model: 'models/vendor/m:1', content, ...retrieval }] },
  ],
  [
    'google-vertex',
    undefined,
    `${onVertex}:predict`,
    {
      instances: [{ content: 'a', task_type: 'RETRIEVAL_QUERY' }],
      parameters: { autoTruncate: false, outputDimensionality: 4 },
    },
  ],
  [
    'google-vertex',
    'embed-content',
    `${onVertex}:embedContent`,
    { content, embedContentConfig: { autoTruncate: false, ...retrieval } },
  ],
  ['bedrock', 'cohere', onBedrock, cohere],
  ['bedrock', 'nova', onBedrock, { taskType: 'SINGLE_EMBEDDING', singleEmbeddingParams: nova }],
])('a query with four dimensions for %s %s', (provider, name, path, body) => {
  expect(encode(provider, ['a'], query, name)).toStrictEqual({ path, body });
});

describe('a text without an input type', () => {
  test.each<[string, object]>([
    ['openai', { encoding_format: 'base64', user: 'someone', dimensions: 4 }],
    ['azure', { encoding_format: 'base64', user: 'someone', dimensions: 4 }],
    ['mistral', { encoding_format: 'float', user: 'someone', output_dimension: 4 }],
    ['openrouter', { encoding_format: 'float', user: 'someone', dimensions: 4 }],
    ['self-hosted', { encoding_format: 'float', user: 'someone', dimensions: 4 }],
  ])('%s', (provider, others) => {
    const { path, body } = encode(provider, ['a', 'b'], { dimensions: 4, user: 'someone' });
    expect(path).toBe('/embeddings');
    expect(body).toStrictEqual({ model, input: ['a', 'b'], ...others });
  });

  test('is a document if the protocol requires a type', () => {
    expect(encode('cohere', ['a']).body).toMatchObject({ input_type: 'search_document' });
    const nova = encode('bedrock', ['a'], {}, 'nova').body;
    expect(nova).toMatchObject({ singleEmbeddingParams: { embeddingPurpose: 'GENERIC_INDEX' } });
    expect(encode('bedrock', ['a'], { dimensions: 4 }, 'titan').body).toStrictEqual({
      inputText: 'a',
      normalize: true,
      dimensions: 4,
    });
  });
});

test.each<InputType>(['query', 'document'])('no protocol may truncate a %s', (type) => {
  const ways = [
    ...(['voyage', 'jina', 'cohere', 'google-vertex'] as const).map((name) => [name] as const),
    ...([
      ['google-vertex', 'embed-content'],
      ['bedrock', 'cohere'],
      ['bedrock', 'nova'],
    ] as const),
  ];
  const bodies = ways.map(([provider, name]) => encode(provider, ['a'], { input_type: type }, name).body);
  for (const body of bodies) expect(JSON.stringify(body)).toMatch(/[tT]runcat\w*":("NONE"|false)/);
});

test('a model on Bedrock without a protocol is an error of the catalog', () => {
  expect(() => encode('bedrock', ['a'])).toThrow('does not name the embedding protocol');
});
