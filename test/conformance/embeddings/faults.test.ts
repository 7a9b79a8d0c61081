/** Embeddings when providers fail, reject or return invalid answers: all vectors of one model, or an error. */
import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { type EmbeddingsBody, putEmbedders, type TestEmbedder } from '../../harness/matrix/embedders.ts';
import { answerJson, type UpstreamRequest } from '../../harness/upstream.ts';

const two = { dimensions: { default: 2 } };
const openai = (id: string, more: object = {}): TestEmbedder => ({
  id: `faults/${id}`,
  provider: 'openai',
  upstreamId: id,
  embedding: { ...two, ...more },
});

const models: readonly TestEmbedder[] = [
  openai('plain'),
  openai('pieces', { batchSize: 2 }),
  openai('spare'),
  openai('odd', { dimensions: { default: 4 } }),
  { ...openai('slow'), timeouts: { firstByteMs: 300 } },
  { ...openai('old'), status: 'deprecated' },
  { id: 'faults/voyage', provider: 'voyage', upstreamId: 'v', embedding: { ...two, inputTypes: 'field' } },
  { id: 'faults/jina', provider: 'jina', upstreamId: 'j', embedding: { ...two, inputTypes: 'field' } },
  { id: 'faults/mistral', provider: 'mistral', upstreamId: 'm', embedding: two },
  { id: 'faults/google', provider: 'google', upstreamId: 'g', embedding: two, context: 10 },
];

const { gateway, upstream } = useUpstreamGateway(['OPENAI', 'VOYAGE', 'JINA', 'MISTRAL', 'GOOGLE']);
beforeAll(() => putEmbedders(models));
beforeEach(() => upstream.script((request, response) => answer(request, response)));

async function embed(body: object) {
  const response = await gateway.post('/v1/embeddings', body);
  return { status: response.status, body: (await response.json()) as EmbeddingsBody };
}

/** A vector that identifies its text and the model that made it. */
const vectorOf = (text: string, model: string) => [Number(text), model.length];

const data = (texts: readonly string[], model: string) =>
  texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, model) }));

/** The answer of a host with the OpenAI protocol, with these changes. */
function answer({ body }: UpstreamRequest, response: ServerResponse, changes: object = {}): void {
  const texts = body.input as string[];
  const usage = { prompt_tokens: texts.length, total_tokens: texts.length };
  const whole = { object: 'list', data: data(texts, String(body.model)), model: body.model, usage };
  const text = JSON.stringify({ ...whole, ...changes });
  response.writeHead(200, { 'content-type': 'application/json' }).end(text);
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
const vectorsOf = ({ data: items }: EmbeddingsBody) => items.map(({ embedding }) => embedding);

describe('a request that needs several calls', () => {
  test('is joined in order, and its usage is added up', async () => {
    const { body } = await embed({ model: 'faults/pieces', input: numbers(5) });
    expect(vectorsOf(body)).toEqual(numbers(5).map((text) => vectorOf(text, 'pieces')));
    expect(upstream.requests.map((request) => request.body.input)).toEqual([['0', '1'], ['2', '3'], ['4']]);
    expect(body.usage.prompt_tokens).toBe(5);
  });

  test("is split by the token limit of a provider's call", async () => {
    const input = Array.from({ length: 5 }, () => '0'.repeat(6_000));
    const { status } = await embed({ model: 'faults/mistral', input });
    expect(status).toBe(200);
    // They run at once: the smallest may arrive first.
    const sizes = upstream.requests.map(({ body }) => (body.input as string[]).length);
    expect(sizes.toSorted()).toEqual([1, 2, 2]);
  });

  test('is answered by one model completely if one of its calls fails', async () => {
    upstream.script((request, response) => {
      const fails = (request.body.input as string[]).includes('2') && request.body.model === 'pieces';
      if (fails) return answerJson({ error: { message: 'broken' } }, 500)(request, response);
      return answer(request, response);
    });
    const { body } = await embed({
      model: 'faults/pieces',
      input: numbers(5),
      extra: { fallbacks: ['faults/spare'], debug: ['routing'] },
    });
    expect(vectorsOf(body)).toEqual(numbers(5).map((text) => vectorOf(text, 'spare')));
    expect(body.usage.prompt_tokens).toBe(5);
    expect(body.model).toBe('faults/pieces');
    expect(body.debug?.routing).toMatchObject([
      { model: 'faults/pieces', status: 'failed' },
      { model: 'faults/pieces', status: 'failed' },
      { model: 'faults/spare', status: 'succeeded' },
    ]);
  });

  test('retries only the call that failed', async () => {
    let failures = 0;
    upstream.script(async (request, response) => {
      const fails = (request.body.input as string[]).includes('18') && failures++ === 0;
      if (!fails) return answer(request, response);
      // By then the calls that started with it have ended.
      await new Promise((resolve) => setTimeout(resolve, 150));
      return answerJson({ error: { message: 'broken' } }, 500)(request, response);
    });
    const { status, body } = await embed({ model: 'faults/pieces', input: numbers(20) });
    expect(status).toBe(200);
    expect(vectorsOf(body)).toEqual(numbers(20).map((text) => vectorOf(text, 'pieces')));
    expect(body.usage.prompt_tokens).toBe(20);
    expect(upstream.requests).toHaveLength(11);
  });

  test('fails completely without a fallback, and leaves no open calls', async () => {
    upstream.script((request, response) => {
      const [first] = request.body.input as string[];
      // The other calls hang: only the gateway ends them.
      if (first === '2') answerJson({ error: { message: 'too much' } }, 400)(request, response);
    });
    const { status } = await embed({ model: 'faults/pieces', input: numbers(5) });
    expect(status).toBe(400);
    const others = upstream.requests.filter(({ body }) => (body.input as string[])[0] !== '2');
    expect(others).toHaveLength(2);
    expect(await Promise.all(others.map(({ over }) => over))).toEqual([false, false]);
  });
});

describe('an invalid answer has', () => {
  test.each<[string, object]>([
    ['a vector too few', { data: data(['0'], 'plain') }],
    ['a vector too many', { data: data(['0', '1', '2'], 'plain') }],
    ['no vectors', { data: undefined }],
    ['the wrong width', { data: [0, 1].map((index) => ({ index, embedding: [1, 2, 3] })) }],
    ['an empty vector', { data: [0, 1].map((index) => ({ index, embedding: [] })) }],
    ['words', { data: [0, 1].map((index) => ({ index, embedding: ['a', 'b'] })) }],
    ['nothing', { data: [0, 1].map((index) => ({ index, embedding: [null, null] })) }],
    ['half a number in base64', { data: [0, 1].map((index) => ({ index, embedding: 'AAAAAAA=' })) }],
    ['numbers without an end', { data: [0, 1].map((index) => ({ index, embedding: 'AADAfwAAgH8=' })) }],
    [
      'a number too large for a 32-bit float',
      { data: [0, 1].map((index) => ({ index, embedding: [1e39, 1] })) },
    ],
    ['base64 with other letters', { data: [0, 1].map((index) => ({ index, embedding: '!AACAPwAAgD8=' })) }],
    ['two vectors of one text', { data: [1, 1].map((index) => ({ index, embedding: [1, 2] })) }],
    [
      'a vector for a text that was not sent',
      { data: [0, 9e9].map((index) => ({ index, embedding: [1, 2] })) },
    ],
  ])('%s', async (_, changes) => {
    upstream.script((request, response) =>
      answer(request, response, request.body.model === 'plain' ? changes : {}),
    );
    const alone = await embed({ model: 'faults/plain', input: numbers(2) });
    expect(alone).toMatchObject({ status: 500, body: { error: { code: 'provider_invalid_answer' } } });
    const spared = await embed({
      model: 'faults/plain',
      input: numbers(2),
      extra: { fallbacks: ['faults/spare'] },
    });
    expect(vectorsOf(spared.body)).toEqual([vectorOf('0', 'spare'), vectorOf('1', 'spare')]);
  });

  test('vectors in another order are sorted by their index', async () => {
    upstream.script((request, response) =>
      answer(request, response, { data: data(numbers(3), 'plain').toReversed() }),
    );
    const { body } = await embed({ model: 'faults/plain', input: numbers(3) });
    expect(vectorsOf(body).map(([first]) => first)).toEqual([0, 1, 2]);
  });
});

describe('numbers are exact', () => {
  const odd = '[-0,1.401298464324817e-45,3.4028234663852886e+38,-1.1754943508222875e-38]';
  const bits = 'AAAAgAEAAAD//39/AACAgA==';
  test.each([
    ['numbers', odd],
    ['base64', JSON.stringify(bits)],
  ])('from %s', async (_, embedding) => {
    upstream.script((_request, response) => {
      const text = `{"data":[{"index":0,"embedding":${embedding}}],"usage":{"prompt_tokens":1}}`;
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    const ask = async (encoding_format: string) => {
      const body = { model: 'faults/odd', input: '7', encoding_format };
      return (await gateway.post('/v1/embeddings', body)).text();
    };
    expect(await ask('float')).toContain(`"embedding":${odd}`);
    expect(await ask('base64')).toContain(`"embedding":"${bits}"`);
  });
});

test.each([0, null])('a host that numbers every vector %j returns them in order', async (index) => {
  upstream.script((request, response) => {
    const unnumbered = data(numbers(3), 'plain').map((item) => ({ ...item, index }));
    answer(request, response, { data: unnumbered });
  });
  const { body } = await embed({ model: 'faults/plain', input: numbers(3) });
  expect(vectorsOf(body).map(([first]) => first)).toEqual([0, 1, 2]);
  expect(body.data.map(({ index }) => index)).toEqual([0, 1, 2]);
});

describe('a provider that does not answer', () => {
  test('is replaced by the fallback in time', async () => {
    upstream.script((request, response) => {
      if (request.body.model !== 'slow') answer(request, response);
    });
    const { status, body } = await embed({
      model: 'faults/slow',
      input: '7',
      extra: { fallbacks: ['faults/spare'] },
    });
    expect(status).toBe(200);
    expect(vectorsOf(body)).toEqual([vectorOf('7', 'spare')]);
  });

  test('is reported as unavailable without a fallback', async () => {
    upstream.script(() => undefined);
    const { status, body } = await embed({ model: 'faults/slow', input: '7' });
    expect(status).toBe(503);
    expect(body.error?.code).toBe('provider_timeout');
  });
});

describe('a rejection', () => {
  test.each<[string, number, object, { status: number; error?: object }]>([
    [
      'faults/voyage',
      400,
      { detail: "Value 7 for argument 'output_dimension' is not supported." },
      { status: 400, error: { code: null } },
    ],
    [
      'faults/voyage',
      400,
      { detail: 'The max allowed tokens per submitted batch is 120000.' },
      { status: 400, error: { code: 'context_length_exceeded', param: 'input.0' } },
    ],
    ['faults/voyage', 401, { detail: 'Provided API key is invalid.' }, { status: 500 }],
    ['faults/jina', 422, { detail: '[task] is not a task' }, { status: 400 }],
    [
      'faults/mistral',
      422,
      { detail: [{ loc: ['body', 'output_dimension'], msg: 'Not allowed', type: 'value_error' }] },
      { status: 400, error: { param: 'dimensions' } },
    ],
  ])('%s %i %j', async (model, status, said, { status: expected, error = {} }) => {
    upstream.script(answerJson(said, status));
    const answered = await embed({ model, input: ['7'] });
    expect(answered.status).toBe(expected);
    expect(answered.body.error).toMatchObject(error);
    expect(JSON.stringify(answered.body)).not.toContain('a-provider-key');
  });

  test('causes no call of another target', async () => {
    upstream.script(answerJson({ error: { message: 'no', type: 'invalid_request_error' } }, 400));
    const { status } = await embed({
      model: 'faults/plain',
      input: '7',
      extra: { fallbacks: ['faults/spare'] },
    });
    expect(status).toBe(400);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a provider that does not report usage', () => {
  const vectors = (request: UpstreamRequest) => ({
    embeddings: (request.body.requests as object[]).map(() => ({ values: [1, 2] })),
  });

  test('is asked to count the tokens, once for all texts', async () => {
    upstream.script((request, response) => {
      const counts = request.path.endsWith(':countTokens');
      return answerJson(counts ? { totalTokens: 42 } : vectors(request))(request, response);
    });
    const { body } = await embed({ model: 'faults/google', input: numbers(3) });
    expect(body.usage).toEqual({ prompt_tokens: 42, total_tokens: 42 });
    expect(upstream.requests.map(({ path }) => path)).toEqual([
      '/models/g:batchEmbedContents',
      '/models/g:countTokens',
    ]);
  });

  test('is estimated if it does not count', async () => {
    upstream.script((request, response) => {
      const counts = request.path.endsWith(':countTokens');
      return answerJson(counts ? {} : vectors(request), counts ? 503 : 200)(request, response);
    });
    const { status, body } = await embed({ model: 'faults/google', input: ['12345678', '9'] });
    expect(status).toBe(200);
    expect(body.usage.prompt_tokens).toBe(3);
  });

  test('is asked to count first if a text may be too long', async () => {
    const long = 'eleven bytes';
    upstream.script((request, response) => {
      const counts = request.path.endsWith(':countTokens');
      return answerJson(counts ? { totalTokens: 11 } : vectors(request))(request, response);
    });
    const { status, body } = await embed({ model: 'faults/google', input: ['short', long] });
    expect(status).toBe(400);
    expect(body.error?.param).toBe('input.1');
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/models/g:countTokens']);
  });
});

test('a text is checked by its bytes if the provider cannot count for the model', async () => {
  const vectors = { embeddings: [{ values: [1, 2] }, { values: [1, 2] }] };
  upstream.script((request, response) => {
    const counts = request.path.endsWith(':countTokens');
    return answerJson(counts ? { error: { status: 'NOT_FOUND' } } : vectors, counts ? 404 : 200)(
      request,
      response,
    );
  });
  const fits = await embed({ model: 'faults/google', input: ['short', 'a'.repeat(40)] });
  expect(fits.status).toBe(200);
  const long = await embed({ model: 'faults/google', input: ['short', 'a'.repeat(41)] });
  expect(long).toMatchObject({ status: 400, body: { error: { param: 'input.1' } } });
});

test('a deprecated model answers, and debug says so', async () => {
  const { status, body } = await embed({
    model: 'faults/old',
    input: '7',
    extra: { debug: ['deprecations'] },
  });
  expect(status).toBe(200);
  expect(body.debug?.deprecations).toMatchObject([{ param: 'model' }]);
});
