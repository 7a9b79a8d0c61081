/** Text completions with the official SDK, as one body and as a stream, and what is refused by name. */
import OpenAI from 'openai';
import { beforeAll, describe, expect, test } from 'vitest';
import { useAccess } from '../../harness/access.ts';
import { useWatchedGateway } from '../../harness/gateways/watched-gateway.ts';

const gateway = useWatchedGateway();
const access = useAccess();

let client: OpenAI;
beforeAll(async () => {
  const apiKey = (await access.newKey()).authorization.replace('Bearer ', '');
  const viaGateway = (url: string | URL | Request, init?: RequestInit) =>
    gateway.fetch(new URL(String(url)).pathname, init);
  client = new OpenAI({ baseURL: 'http://gateway/v1', apiKey, maxRetries: 0, fetch: viaGateway });
});

const models = [
  'openai/gpt-4.1',
  'openai/gpt-5.5',
  'anthropic/claude-haiku-4-5',
  'google/gemini-3.5-flash',
  'amazon/nova-pro',
];
const prompt = 'Once upon a time';

describe.each(models)('%s', (model) => {
  test('completes a text', async () => {
    const answer = await client.completions.create({ model, prompt, max_tokens: 200 });
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^cmpl-/),
      object: 'text_completion',
      model,
      choices: [
        { index: 0, text: expect.stringContaining('sandbox'), logprobs: null, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
    });
    expect(JSON.stringify(gateway.take().map(({ body }) => body))).toContain(prompt);
  });

  test('completes a text in a stream', async () => {
    const options = {
      stream: true,
      stream_options: { include_usage: true, include_obfuscation: false },
    } as const;
    const stream = await client.completions.create({ model, prompt: [prompt], ...options });
    const chunks = await Array.fromAsync(stream);
    const texts = chunks.map(({ choices }) => choices[0]?.text ?? '');
    expect(texts.join('')).toContain('sandbox');
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: expect.any(Number) } });
  });
});

const post = async (body: object) => {
  const { authorization } = await access.newKey();
  const response = await gateway.post(
    '/v1/completions',
    { model: models[0], prompt, ...body },
    { authorization },
  );
  return { status: response.status, body: await response.json() };
};

test('a prompt may be echoed, and several answers returned', async () => {
  const { body } = await post({ echo: true, n: 2, best_of: 2 });
  const text = expect.stringMatching(/^Once upon a time.*sandbox/s);
  expect(body).toMatchObject({ choices: [{ text }, { text }] });
});

test('null is absence, and an empty suffix is none', async () => {
  const names =
    'max_tokens temperature top_p n best_of echo stream stream_options logprobs stop suffix user extra';
  const nulls = Object.fromEntries(names.split(' ').map((name) => [name, null]));
  expect((await post(nulls)).status).toBe(200);
  expect((await post({ suffix: '' })).status).toBe(200);
});

test('the old default of 16 tokens is not applied', async () => {
  gateway.take();
  await post({});
  const [sent] = gateway.take();
  expect(Object.keys((sent?.body ?? {}) as object)).not.toContain('max_completion_tokens');
});

test('changes are recorded under the names of the caller', async () => {
  const extra = { debug: ['normalizations'] };
  const { status, body } = await post({ model: 'anthropic/claude-haiku-4-5', logprobs: 2, extra });
  expect(status).toBe(200);
  const { normalizations } = (body as { debug: { normalizations: { param: string }[] } }).debug;
  expect(new Set(normalizations.map(({ param }) => param))).toEqual(new Set(['logprobs']));
});

test.each([
  ['prompt', {}, { prompt: undefined }],
  ['prompt', { message: expect.stringContaining('a request for each prompt') }, { prompt: ['a', 'b'] }],
  ['prompt', { message: expect.stringContaining('token ids are not supported') }, { prompt: [1, 2] }],
  ['prompt', {}, { prompt: [[1, 2]] }],
  ['prompt', {}, { prompt: '' }],
  [
    'suffix',
    { message: expect.stringContaining("does not support 'suffix': it only continues a text") },
    { suffix: 'The end.' },
  ],
  ['best_of', {}, { best_of: 3 }],
  ['n', {}, { n: 2, stream: true }],
  ['echo', {}, { echo: true, logprobs: 1 }],
  ['logprobs', {}, { logprobs: 6 }],
  ['logprobs', {}, { logprobs: true }],
  ['max_tokens', {}, { max_tokens: 0 }],
  ['stream_options', {}, { stream_options: { include_usage: true } }],
  ['messages', {}, { messages: [] }],
  ['model', { code: 'unsupported_operation' }, { model: 'openai/text-embedding-3-small' }],
])('%s is a 400 with %j for %j', async (param, expected, body) => {
  gateway.take();
  expect(await post(body)).toMatchObject({ status: 400, body: { error: { param, ...expected } } });
  expect(gateway.take()).toEqual([]);
});

test('a key needs the permission for this operation', async () => {
  const { authorization } = await access.newKey({ operations: ['chat-completions'] });
  const response = await gateway.post('/v1/completions', { model: models[0], prompt }, { authorization });
  expect([response.status, await response.text()]).toEqual([
    403,
    expect.stringContaining('operation_not_allowed'),
  ]);
});
