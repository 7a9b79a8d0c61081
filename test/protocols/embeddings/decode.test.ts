/** Decoding embeddings answers of each protocol: vectors, tokens, what is invalid, and failures. */
import { describe, expect, test } from 'vitest';
import type { EmbeddingAnswer, EmbeddingProtocol } from '../../../lib/core/generation/embedding.ts';
import {
  bedrockCohereEmbeddings,
  novaEmbeddings,
  titanEmbeddings,
} from '../../../lib/protocols/bedrock-embeddings.ts';
import { cohereEmbeddings } from '../../../lib/protocols/cohere-embeddings/protocol.ts';
import {
  googleEmbeddings,
  vertexEmbedContent,
  vertexPredict,
} from '../../../lib/protocols/google-embeddings.ts';
import {
  createOpenaiEmbeddings,
  openaiDialect,
  voyageDialect,
} from '../../../lib/protocols/openai-embeddings.ts';
import { errorOf } from '../answer.ts';

const openai = createOpenaiEmbeddings(openaiDialect);
const voyage = createOpenaiEmbeddings(voyageDialect);

const floats = (...numbers: readonly number[]) =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64');
const prediction = (values: readonly number[], statistics?: object) => ({
  embeddings: { values, ...(statistics && { statistics }) },
});
const counted = { 'x-amzn-bedrock-input-token-count': '7' };
const [one, two] = [
  [0.5, -2],
  [0.25, 4],
];

interface Row {
  readonly protocol: EmbeddingProtocol;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly vectors: EmbeddingAnswer['vectors'];
  readonly tokens?: number;
}

const rows: Readonly<Record<string, Row>> = {
  'OpenAI, in the order of the indexes': {
    protocol: openai,
    body: {
      data: [
        { index: 1, embedding: two },
        { index: 0, embedding: one },
      ],
      usage: { prompt_tokens: 7, total_tokens: 9 },
    },
    vectors: [one, two],
    tokens: 7,
  },
  'OpenAI, as base64': {
    protocol: openai,
    body: { data: [{ index: 0, embedding: floats(0.5, -2) }], usage: { prompt_tokens: 0 } },
    vectors: [Float32Array.from(one)],
  },
  'a host without indexes': {
    protocol: openai,
    body: { data: [{ embedding: one }, { embedding: two }] },
    vectors: [one, two],
  },
  'a host whose indexes are all 0': {
    protocol: openai,
    body: { data: [one, two].map((embedding) => ({ index: 0, embedding })) },
    vectors: [one, two],
  },
  'Voyage, which reports the total only': {
    protocol: voyage,
    body: { data: [{ index: 0, embedding: one }], usage: { total_tokens: 7 } },
    vectors: [one],
    tokens: 7,
  },
  'Cohere, by type': {
    protocol: cohereEmbeddings,
    body: {
      embeddings: { float: [one, two] },
      meta: { billed_units: { input_tokens: 7 }, tokens: { input_tokens: 9 } },
    },
    vectors: [one, two],
    tokens: 7,
  },
  'Cohere, as a list': {
    protocol: cohereEmbeddings,
    body: { embeddings: [one], meta: { tokens: { input_tokens: 7 } } },
    vectors: [one],
    tokens: 7,
  },
  'Cohere without counts': { protocol: cohereEmbeddings, body: { embeddings: [one] }, vectors: [one] },
  'Cohere on Bedrock': {
    protocol: bedrockCohereEmbeddings,
    body: { embeddings: { float: [one, two] } },
    headers: counted,
    vectors: [one, two],
    tokens: 7,
  },
  Nova: {
    protocol: novaEmbeddings,
    body: { embeddings: [{ embeddingType: 'TEXT', embedding: one }] },
    headers: counted,
    vectors: [one],
    tokens: 7,
  },
  'Titan, by its body': {
    protocol: titanEmbeddings,
    body: { embedding: one, inputTextTokenCount: 5 },
    headers: counted,
    vectors: [one],
    tokens: 5,
  },
  'Titan, by its header': {
    protocol: titanEmbeddings,
    body: { embedding: one },
    headers: counted,
    vectors: [one],
    tokens: 7,
  },
  'Titan without counts': { protocol: titanEmbeddings, body: { embedding: one }, vectors: [one] },
  'the Gemini API': {
    protocol: googleEmbeddings,
    body: { embeddings: [{ values: one }, { values: two }] },
    vectors: [one, two],
  },
  'the Gemini API with a count': {
    protocol: googleEmbeddings,
    body: { embeddings: [{ values: one }], usageMetadata: { promptTokenCount: 7 } },
    vectors: [one],
    tokens: 7,
  },
  'Vertex, predict': {
    protocol: vertexPredict,
    body: { predictions: [prediction(one, { token_count: 3 }), prediction(two, { token_count: 4 })] },
    vectors: [one, two],
    tokens: 7,
  },
  'Vertex, predict, with a text that was not counted': {
    protocol: vertexPredict,
    body: { predictions: [prediction(one, { token_count: 3 }), prediction(two)] },
    vectors: [one, two],
  },
  'Vertex, embedContent': {
    protocol: vertexEmbedContent,
    body: { embedding: { values: one }, usageMetadata: { promptTokenCount: 7 } },
    vectors: [one],
    tokens: 7,
  },
  'Vertex, embedContent, without a count': {
    protocol: vertexEmbedContent,
    body: { embedding: { values: one } },
    vectors: [one],
  },
};

test.each(Object.entries(rows))('%s', (_, { protocol, body, headers = {}, vectors, tokens }) => {
  expect(protocol.decode(body, headers, vectors.length)).toStrictEqual({ vectors, promptTokens: tokens });
});

const protocols = Object.entries({
  openai,
  voyage,
  cohereEmbeddings,
  bedrockCohereEmbeddings,
  novaEmbeddings,
  titanEmbeddings,
  googleEmbeddings,
  vertexPredict,
  vertexEmbedContent,
});

test.each(protocols)('%s: nothing is an invalid answer', (_, protocol) => {
  for (const body of [undefined, null, {}, [], 'text'])
    expect(errorOf(() => protocol.decode(body, {}, 1)).kind).toBe('upstream_invalid_answer');
});

describe('an invalid answer', () => {
  const item = (embedding: unknown, index = 0) => ({ index, embedding });

  test.each<[string, readonly object[], number, string]>([
    ['too few', [item(one)], 2, '1 embeddings for 2 texts'],
    ['too many', [item(one), item(two, 1)], 1, '2 embeddings for 1 texts'],
    ['twice one index', [item(one, 1), item(two, 1)], 2, 'invalid indexes'],
    ['an index too high', [item(one), item(two, 2)], 2, 'invalid indexes'],
    ['no vector', [item(undefined)], 1, 'not a list of numbers'],
    ['an empty vector', [item([])], 1, 'not a list of numbers'],
    ['an empty vector, as base64', [item('')], 1, 'not a list of numbers'],
    ['a vector of texts', [item([1, '2'])], 1, 'not a list of numbers'],
    ['no number', [item(floats(1, Number.NaN))], 1, 'not a list of numbers'],
    ['a number above 32 bits', [item([1e300])], 1, 'not a list of numbers'],
    ['not base64', [item(`${floats(1)}!`)], 1, 'not valid base64'],
    ['not base64 at its start', [item(`!${floats(1)}`)], 1, 'not valid base64'],
    ['half a float', [item(btoa('123456'))], 1, 'not a list of 32-bit floats'],
  ])('%s', (_, data, texts, message) => {
    const error = errorOf(() => openai.decode({ data }, {}, texts));
    expect(error.kind).toBe('upstream_invalid_answer');
    expect(error.message).toContain(message);
  });

  test('is not what is an error', () => {
    const error = errorOf(() => openai.decode({ error: { code: 'insufficient_quota' } }, {}, 1));
    expect(error.kind).toBe('upstream_quota');
  });
});

describe('the tokens of the Gemini API', () => {
  const { counting } = googleEmbeddings;

  test('are counted with a call of their own', () => {
    expect(counting?.path('a/b')).toBe('/models/a%2Fb:countTokens');
    expect(counting?.encode(['a', 'b'])).toStrictEqual({
      contents: [{ parts: [{ text: 'a' }] }, { parts: [{ text: 'b' }] }],
    });
    expect(
      [{ totalTokens: 7 }, { totalTokens: 0 }, undefined].map((body) => counting?.decode(body)),
    ).toStrictEqual([7, undefined, undefined]);
  });
});

const failure = (status: number, body: object) => ({ status, headers: {}, body: JSON.stringify(body) });

describe('a failure of Voyage', () => {
  const long = 'Request to model voyage-4 failed. The max allowed tokens per submitted batch is 120000.';

  test.each([
    [400, 'Model voyage-9 is not supported. Use another.', 'upstream_model_missing'],
    [400, long, 'upstream_context_length'],
    [400, 'The input is empty.', 'upstream_bad_request'],
    [422, 'Model voyage-9 is not supported.', 'upstream_bad_request'],
    [503, long, 'upstream_overloaded'],
  ])('%i: %s', (status, detail, kind) => {
    expect(voyage.readFailure(failure(status, { detail }))).toMatchObject({ kind, upstreamStatus: status });
  });

  test('shows its words where a text is too long', () => {
    expect(voyage.readFailure(failure(400, { detail: long })).message).toContain(long);
  });
});

test.each<[string, EmbeddingProtocol, number, object, string]>([
  ['Voyage', voyage, 400, { error: { message: 'Wrong.', param: 'output_dimension' } }, 'dimensions'],
  ['OpenAI', openai, 400, { error: { message: 'Wrong.', param: 'dimensions' } }, 'dimensions'],
])('%s: the field of a failure has its public name', (_, protocol, status, body, param) => {
  expect(protocol.readFailure(failure(status, body)).upstreamParam).toBe(param);
});
