/** Requests for images and embeddings, and text completions, as they are read. */
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { readCompletions } from '../../lib/operations/completions/read.ts';
import { completionsSchema } from '../../lib/operations/completions/schema.ts';
import { readEmbeddings } from '../../lib/operations/embeddings/read.ts';
import { embeddingsSchema } from '../../lib/operations/embeddings/schema.ts';
import { readImages } from '../../lib/operations/images/read.ts';
import { imagesSchema } from '../../lib/operations/images/schema.ts';

/** As a body is read: checked, then converted. */
const reader =
  <Schema extends z.ZodMiniType, Input>(schema: Schema, read: (body: z.output<Schema>) => Input) =>
  (body: object): Input => {
    const { success, data, error } = schema.safeParse({ model: 'a/b', ...body });
    if (!success) throw error;
    return structuredClone(read(data));
  };

const images = reader(imagesSchema, readImages);
const embeddings = reader(embeddingsSchema, readEmbeddings);
const completions = reader(completionsSchema, readCompletions);

test('images have the parameters that are given', () => {
  const parameters = {
    n: 2,
    size: '1024x768',
    quality: 'high',
    background: 'opaque',
    output_format: 'jpeg',
    output_compression: 0,
    moderation: 'low',
    complexity: 'high',
    frame_count: 2,
    frame_duration_ms: 1,
    svg: { model: 'x' },
    user: 'ann',
    safety_identifier: 'hash',
  };
  const { request } = images({ prompt: 'A cat', ...parameters, stream: false, partial_images: 0 });
  expect(request).toEqual({ prompt: 'A cat', parameters });
  expect(images({ prompt: 'A cat', user: null })).toEqual({
    model: 'a/b',
    dryRun: false,
    fallbacks: [],
    request: { prompt: 'A cat', parameters: {} },
    includeCost: false,
    debug: [],
    deprecations: [],
    changes: [],
  });
  const more = {
    provider: { zdr: true },
    usage: { include: true },
    extra: { fallbacks: ['a/c'], debug: ['cost'] },
  };
  expect(images({ prompt: 'A cat', ...more })).toMatchObject({
    fallbacks: ['a/c'],
    preferences: { noRetention: true },
    includeCost: true,
    debug: ['cost'],
  });
});

test('fields of retired image models are deprecated, and recorded where they ask for something else', () => {
  const outdated = (body: object) => {
    const { deprecations, changes } = images({ prompt: 'A cat', ...body });
    return [
      deprecations.map(({ param }) => param),
      changes.map(({ param, before, after }) => [param, before, after]),
    ];
  };
  expect(outdated({ response_format: 'b64_json' })).toEqual([['response_format'], []]);
  expect(outdated({ response_format: 'url' })).toEqual([
    ['response_format'],
    [['response_format', 'url', 'b64_json']],
  ]);
  const style = outdated({ style: 'vivid' });
  expect(style[0]).toEqual(['style']);
  expect(style[1]).toMatchObject([['style', 'vivid', null]]);
});

test('a transparent background needs a format that has one', () => {
  const transparent = { prompt: 'A cat', background: 'transparent' };
  expect(() => images({ ...transparent, output_format: 'jpeg' })).toThrow(
    expect.objectContaining({ param: 'background' }),
  );
  expect(() => images({ ...transparent, output_format: 'png' })).not.toThrow();
  expect(() => images({ prompt: 'A cat', background: 'opaque', output_format: 'jpeg' })).not.toThrow();
});

test('embeddings have a text or a list of texts, each with its path', () => {
  expect(embeddings({ input: 'One' })).toEqual({
    model: 'a/b',
    dryRun: false,
    fallbacks: [],
    request: {
      texts: ['One'],
      textPaths: ['input'],
      parameters: {},
      parameterPaths: { texts: 'input', input_type: 'extra.input_type' },
    },
    encoding: 'float',
    includeCost: false,
    debug: [],
  });
  const more = {
    encoding_format: 'base64',
    dimensions: 5,
    user: 'ann',
    provider: { zdr: true },
    extra: { fallbacks: ['a/c'], input_type: 'query', debug: ['routing'] },
  };
  expect(embeddings({ input: ['One', 'Two'], ...more })).toMatchObject({
    fallbacks: ['a/c'],
    preferences: { noRetention: true },
    request: {
      texts: ['One', 'Two'],
      textPaths: ['input.0', 'input.1'],
      parameters: { dimensions: 5, user: 'ann', input_type: 'query' },
    },
    encoding: 'base64',
    debug: ['routing'],
  });
});

const texts = (count: number) => Array.from({ length: count }, () => 'a');

test.each([
  ['input', ''],
  ['input', []],
  ['input.1', ['a', '']],
  ['input.0', ['', '']],
  ['input', texts(129)],
])('%s is refused', (param, input) => {
  expect(() => embeddings({ input })).toThrow(expect.objectContaining({ param }));
});

test('128 texts are read', () => {
  expect(embeddings({ input: texts(128) }).request.texts).toHaveLength(128);
});

test('a text completion is a message of a user', () => {
  expect(completions({ prompt: 'Once' })).toEqual({
    model: 'a/b',
    dryRun: false,
    resumable: false,
    fallbacks: [],
    normalize: true,
    debug: [],
    includeUsage: false,
    includeCost: false,
    echoed: '',
    leftOut: [],
    request: {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Once' }] }],
      tools: [],
      parameters: {},
      parameterPaths: { messages: 'prompt', max_completion_tokens: 'max_tokens', top_logprobs: 'logprobs' },
      stream: false,
    },
  });
  const parameters = {
    temperature: 0,
    top_p: 1,
    n: 1,
    frequency_penalty: 1,
    presence_penalty: 1,
    logit_bias: { 5: 1 },
    seed: 3,
    user: 'ann',
  };
  const more = { max_tokens: 9, logprobs: 0, stop: 'end', suffix: 'end', best_of: 1 };
  expect(completions({ prompt: ['Once'], ...parameters, ...more }).request).toMatchObject({
    messages: [{ content: [{ text: 'Once' }] }],
    suffix: 'end',
    parameters: { ...parameters, max_completion_tokens: 9, logprobs: true, top_logprobs: 0, stop: ['end'] },
  });
  expect(completions({ prompt: 'Once', echo: true, stop: ['a', 'b'], stream: true })).toMatchObject({
    echoed: 'Once',
    request: { stream: true, parameters: { stop: ['a', 'b'] } },
  });
  const usage = {
    stream: true,
    stream_options: { include_usage: true },
    extra: { fallbacks: ['a/c'], debug: ['cost'] },
  };
  expect(completions({ prompt: 'Once', ...usage })).toMatchObject({
    includeUsage: true,
    includeCost: true,
    fallbacks: ['a/c'],
    debug: ['cost'],
  });
});

test.each([
  ['n', { stream: true, n: 2 }],
  ['stream_options', { stream_options: {} }],
  ['best_of', { best_of: 2 }],
  ['best_of', { best_of: 1, n: 2 }],
  ['echo', { echo: true, logprobs: 0 }],
])('%s of a text completion is refused of %j', (param, body) => {
  expect(() => completions({ prompt: 'Once', ...body })).toThrow(expect.objectContaining({ param }));
});
