/** OpenRouter's fields for routing: fallbacks and preferences in the gateway's own terms. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { strictObjectOf } from '../../lib/core/formats/given-fields.ts';
import { readRouting } from '../../lib/operations/routing/read.ts';
import { routingFields } from '../../lib/operations/routing/schema.ts';

const schema = strictObjectOf({ model: z.string(), ...routingFields });

const read = (body: object, fallbacks?: readonly string[]) =>
  readRouting({ ...schema.parse({ model: 'a/b', ...body }), ...(fallbacks && { extra: { fallbacks } }) });

test('fallbacks are those of one of the two lists, without the model itself', () => {
  expect(read({})).toEqual({ fallbacks: [] });
  expect(read({}, ['a/c'])).toEqual({ fallbacks: ['a/c'] });
  expect(read({ models: [] }, ['a/c'])).toEqual({ fallbacks: ['a/c'] });
  expect(read({ models: ['a/b', 'a/c', 'a/d'] })).toEqual({
    fallbacks: ['a/c', 'a/d'],
    fallbackPaths: ['models.1', 'models.2'],
  });
  expect(() => read({ models: ['a/b'] }, ['a/c'])).toThrow(expect.objectContaining({ param: 'models' }));
});

test.each([
  [{}, {}],
  [{ order: ['OpenAI', 'Amazon Bedrock'] }, { order: ['openai', 'bedrock'] }],
  [
    { only: ['google-vertex', 'x-ai', 'z.ai'] },
    { only: ['google-vertex', 'google-vertex-anthropic', 'xai', 'zai'] },
  ],
  [{ ignore: ['Moonshot AI', 'constructor'] }, { ignore: ['moonshot', 'constructor'] }],
  [{ allow_fallbacks: false }, { allowFallbacks: false }],
  [{ allow_fallbacks: true, sort: null }, { allowFallbacks: true }],
  [{ sort: 'price' }, { sort: 'price' }],
  [{ sort: { by: 'price' } }, { sort: 'price' }],
  [{ data_collection: 'deny' }, { noCollection: true }],
  [{ data_collection: 'allow', zdr: false }, {}],
  [{ zdr: true }, { noRetention: true }],
  [{ regions: ['EU'] }, { regions: ['eu'] }],
  [{ max_price: {} }, { maxPrice: {} }],
  [
    { max_price: { prompt: 0.29, completion: '1.5', request: '0.000000001' } },
    { maxPrice: { prompt: 290, completion: 1_500, request: 1 } },
  ],
])('the preferences %j', (provider, preferences) => {
  expect(read({ provider, models: ['a/c'] })).toMatchObject({ fallbacks: ['a/c'], preferences });
  expect(read({ provider })).toEqual({ fallbacks: [], preferences });
});

test('parameters may be required', () => {
  expect(read({ provider: { require_parameters: true } })).toMatchObject({ requireParameters: true });
  expect(read({ provider: { require_parameters: false } })).not.toHaveProperty('requireParameters');
});

test.each([
  ['provider.sort', { sort: 'throughput' }],
  ['provider.max_price.prompt', { max_price: { prompt: -1 } }],
  ['provider.max_price.request', { max_price: { request: '1e3' } }],
  ['provider.max_price.image', { max_price: { image: 1 } }],
  ['provider.quantizations', { quantizations: ['fp8'] }],
  ['provider.preferred_min_throughput', { preferred_min_throughput: 1 }],
  ['provider.preferred_max_latency', { preferred_max_latency: 1 }],
  ['provider.enforce_distillable_text', { enforce_distillable_text: true }],
  ['provider.order', { order: Array.from({ length: 33 }, () => 'a') }],
  ['provider.only.0', { only: ['a'.repeat(101)] }],
  ['provider', { else: 1 }],
])('%s is refused', (path, provider) => {
  const { error } = schema.safeParse({ model: 'a/b', provider });
  expect(error?.issues[0]?.path.join('.')).toBe(path);
});
