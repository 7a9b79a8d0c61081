/** Rules on the parameters of images and embeddings: those of a model's traits, and those of single providers. */
import { describe, expect, test } from 'vitest';
import type { EmbeddingTraits, ImageTraits, Target } from '../../lib/core/catalog/model.ts';
import type { EmbeddingParameters } from '../../lib/core/generation/embedding.ts';
import type { ImageParameters } from '../../lib/core/generation/image.ts';
import { applyParameterRules } from '../../lib/normalization/parameter-rules.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { testTarget } from '../harness/matrix/model.ts';

const targetWith = (traits: { image?: ImageTraits; embedding?: EmbeddingTraits }): Target =>
  testTarget({ traits: { refuses: [], refusesWhileReasoning: [], ...traits } });

function imageOf(provider: string, given: ImageParameters, image?: ImageTraits) {
  const rules = providers.get(provider)?.images?.rules;
  if (!rules) throw new Error(`${provider} generates no images.`);
  const request = { prompt: 'A bird', parameters: given };
  const target = targetWith(image ? { image } : {});
  return applyParameterRules(given, rules, (parameters) => ({ request, parameters, target }));
}

const everything: ImageParameters = {
  n: 1,
  size: '1024x1024',
  quality: 'high',
  background: 'opaque',
  output_format: 'jpeg',
  output_compression: 50,
  moderation: 'low',
  complexity: 'low',
  frame_count: 3,
  frame_duration_ms: 90,
  svg: { model: 'm' },
  user: 'someone',
  safety_identifier: 'hash',
};

const ofOpenai = [
  ...(['n', 'size', 'quality', 'background', 'output_format', 'output_compression', 'moderation'] as const),
  ...(['complexity', 'user', 'safety_identifier'] as const),
];

describe('of all parameters of images', () => {
  test.each<[string, readonly (keyof ImageParameters)[]]>([
    ['openai', ofOpenai],
    ['azure', ofOpenai],
    ['google', ['n', 'size']],
    ['google-vertex', ['n', 'size', 'output_format', 'output_compression']],
    ['xai', ['n', 'size', 'user']],
  ])('%s is sent %j', (provider, sent) => {
    const { parameters, changes } = imageOf(provider, everything);
    expect(Object.keys(parameters).toSorted()).toEqual(sent.toSorted());
    expect(changes).toHaveLength(Object.keys(everything).length - sent.length);
  });
});

test.each<[string, ImageParameters, ImageParameters, ImageTraits?]>([
  [
    'openai',
    { output_format: 'webp', output_compression: 5 },
    { output_format: 'webp', output_compression: 5 },
  ],
  ['openai', { output_format: 'png', output_compression: 5 }, { output_format: 'png' }],
  ['openai', { output_compression: 5 }, {}],
  ['openai', { output_format: 'jpeg', output_compression: 5 }, {}, { outputFormats: ['png'] }],
  ['google-vertex', { output_format: 'webp', output_compression: 5 }, {}],
  ['openai', { output_format: 'gif', output_compression: 5 }, {}],
  ['google-vertex', { output_format: 'svg' }, {}],
  ['openai', { complexity: 'low' }, {}, { complexities: [] }],
  ['openai', { quality: 'max', complexity: 'low' }, { quality: 'max', complexity: 'low' }],
  ['google-vertex', { output_format: 'png' }, { output_format: 'png' }],
  ['openai', { quality: 'high', background: 'opaque' }, {}, { qualities: ['low'], backgrounds: ['auto'] }],
  [
    'openai',
    { quality: 'low', background: 'auto' },
    { quality: 'low', background: 'auto' },
    { qualities: ['low'], backgrounds: ['auto'] },
  ],
  ['openai', { size: '1x1' }, { size: '1x1' }],
  ['openai', { size: 'auto' }, { size: 'auto' }, { sizes: ['1024x1024'] }],
  ['openai', { size: '1024x1024' }, { size: '1024x1024' }, { sizes: ['512x512', '1024x1024'] }],
  ['openai', { size: '1000x1000' }, { size: '1024x1024' }, { sizes: ['512x512', '1024x1024', '1024x1536'] }],
  ['openai', { size: '600x610' }, { size: '512x512' }, { sizes: ['1024x1024', '512x512', '1024x1536'] }],
  ['openai', { size: '200x300' }, { size: '1024x1536' }, { sizes: ['1024x1024', '1024x1536', '1536x1024'] }],
  ['openai', { size: 'wide' }, { size: 'auto' }, { sizes: ['1024x1024'] }],
  ['openai', { size: '5x5' }, { size: 'auto' }, { sizes: ['auto'] }],
  ['openai', { size: '5x5' }, { size: '9x9' }, { sizes: ['auto', '9x9'] }],
  ['google', { size: '1920x1080' }, { size: '1344x768' }],
  ['google', { size: '1000x1500' }, { size: '832x1248' }],
  ['google', { size: '100x100' }, { size: '512x512' }, { sizes: ['512x512'] }],
  ['xai', { size: '2048x2048' }, { size: '2048x2048' }],
  ['xai', { size: '896x1280' }, { size: '896x1280' }],
  ['xai', { size: '3000x2000' }, { size: '2592x1728' }],
  ['xai', { size: '2000x3000' }, { size: '1728x2592' }],
])('images of %s: %j is sent as %j', (provider, given, sent, traits) => {
  const { parameters, changes } = imageOf(provider, given, traits);
  expect(parameters).toEqual(sent);
  const changed = Object.keys(given).filter((name) => given[name as 'size'] !== sent[name as 'size']);
  expect(changes.map(({ param }) => param).toSorted()).toEqual(changed.toSorted());
});

test.each<[number, ImageTraits | undefined, string | undefined]>([
  [10, undefined, undefined],
  [11, undefined, 'at most 10 images for'],
  [11, {}, 'at most 10 images for'],
  [1, { maxImages: 1 }, undefined],
  [2, { maxImages: 1 }, 'at most 1 image for'],
  [5, { maxImages: 4 }, 'at most 4 images for'],
])('%i images of a model with %j: %s', (n, traits, message) => {
  const run = () => imageOf('openai', { n }, traits);
  if (message === undefined) expect(run().parameters).toEqual({ n });
  else
    expect(run).toThrow(expect.objectContaining({ param: 'n', message: expect.stringContaining(message) }));
});

test('compression and several images need no setting', () => {
  expect(imageOf('openai', {}, { maxImages: 1, sizes: ['1x1'], qualities: [] })).toEqual({
    parameters: {},
    changes: [],
  });
});

function embeddingOf(provider: string, given: EmbeddingParameters, embedding?: EmbeddingTraits) {
  const rules = providers.get(provider)?.embeddings?.rules;
  if (!rules) throw new Error(`${provider} does not embed.`);
  const request = { texts: ['a'], parameters: given };
  const target = targetWith(embedding ? { embedding } : {});
  return applyParameterRules(given, rules, (parameters) => ({ request, parameters, target }));
}

const values: EmbeddingTraits = { dimensions: { default: 1024, values: [1024, 256, 512] } };
const range: EmbeddingTraits = { dimensions: { default: 768, range: { min: 128, max: 768 } } };
const fixed: EmbeddingTraits = { dimensions: { default: 768 } };

describe('dimensions', () => {
  test.each<[number, EmbeddingTraits | undefined, EmbeddingParameters]>([
    [1024, values, { dimensions: 1024 }],
    [256, values, { dimensions: 256 }],
    [128, range, { dimensions: 128 }],
    [768, range, { dimensions: 768 }],
    [768, fixed, {}],
    [768, { dimensions: { default: 768, values: [768] } }, {}],
    [300, undefined, { dimensions: 300 }],
    [2048, { dimensions: { default: 2048, range: { min: 1, max: 1024 } } }, { dimensions: 2048 }],
  ])('%i of %j are sent as %j', (dimensions, traits, sent) => {
    expect(embeddingOf('openai', { dimensions }, traits).parameters).toEqual(sent);
  });

  test.each<[number, EmbeddingTraits, string]>([
    [300, values, 'must be one of 256, 512, 1024 for'],
    [127, range, 'must be between 128 and 768 for'],
    [769, range, 'must be between 128 and 768 for'],
    [300, fixed, 'must be 768 for'],
  ])('%i of %j are refused: %s', (dimensions, traits, message) => {
    expect(() => embeddingOf('openai', { dimensions }, traits)).toThrow(
      expect.objectContaining({
        kind: 'invalid_request',
        param: 'dimensions',
        message: expect.stringContaining(message),
      }),
    );
  });
});

describe('the use of a text', () => {
  test.each([
    [values, {}],
    [undefined, {}],
    [{ ...values, inputTypes: 'field' }, { input_type: 'query' }],
    [{ ...values, inputTypes: 'prefix' }, { input_type: 'query' }],
  ] as const)('of a model with %j is sent as %j', (traits, sent) => {
    expect(embeddingOf('cohere', { input_type: 'query' }, traits).parameters).toEqual(sent);
  });
});

describe('the end user of embeddings', () => {
  const embedding = [...providers.values()].filter(({ embeddings }) => embeddings).map(({ name }) => name);
  const taking = ['openai', 'azure', 'alibaba', 'fireworks', 'openrouter', 'self-hosted', 'together'];

  test('is sent to these providers only', () => {
    const sent = embedding.filter((name) => 'user' in embeddingOf(name, { user: 'someone' }).parameters);
    expect(sent.toSorted()).toEqual(taking.toSorted());
    expect(embedding).toHaveLength(14);
  });

  test('and dimensions are checked by all', () => {
    for (const name of embedding) {
      expect(() => embeddingOf(name, { dimensions: 1 }, fixed), name).toThrow('must be 768');
      expect(embeddingOf(name, { input_type: 'query' }, fixed).parameters, name).toEqual({});
    }
  });
});

describe('the protocol of embeddings', () => {
  const pathFor = (provider: string, protocol?: EmbeddingTraits['protocol']) =>
    providers
      .get(provider)
      ?.embeddings?.protocol(targetWith({ embedding: { ...fixed, ...(protocol && { protocol }) } }));

  test('depends on the model on Bedrock', () => {
    const protocols = (['titan', 'nova', 'cohere'] as const).map((name) => pathFor('bedrock', name));
    expect(new Set(protocols).size).toBe(3);
    expect(protocols.map((protocol) => protocol?.batchSize)).toEqual([1, 1, 96]);
    expect(() => pathFor('bedrock')).toThrow(expect.objectContaining({ kind: 'internal' }));
  });

  test('depends on the model on Vertex', () => {
    expect(pathFor('google-vertex', 'embed-content')?.path('m')).toMatch(/:embedContent$/);
    expect(pathFor('google-vertex')?.path('m')).toMatch(/:predict$/);
    expect(pathFor('google')?.path('m')).toMatch(/:batchEmbedContents$/);
  });
});

test('images of Vertex are below its publisher', () => {
  const pathAt = (name: string) => providers.get(name)?.images?.protocol.path('m');
  expect(pathAt('google')).toBe('/models/m:generateContent');
  expect(pathAt('google-vertex')).toBe('/publishers/google/models/m:generateContent');
});
