/** The sandbox with an input that is longer than the model accepts, and with documents, in every protocol. */
import { describe, expect, test } from 'vitest';
import { useSandbox } from './client.ts';

const clientOf = useSandbox();
const headers = {
  authorization: 'Bearer sandbox',
  'api-key': 'sandbox',
  'x-api-key': 'sandbox',
  'x-goog-api-key': 'sandbox',
  'anthropic-version': '2023-06-01',
};
const post = (path: string, body: object) => clientOf('', headers)(path, body);

const user = (content: unknown) => ({ role: 'user', content });
const gemini = (...parts: object[]) => ({ contents: [{ role: 'user', parts }] });
const claude = { model: 'claude-haiku-4-5', max_tokens: 100 };
const rawClaude = { anthropic_version: 'vertex-2023-10-16', max_tokens: 100 };
const haiku = encodeURIComponent('global.anthropic.claude-haiku-4-5-20251001-v1:0');
const vertex = '/google-vertex/v1/projects/p/locations/global/publishers';

const openAiWords = (limit: number) => ({
  error: {
    message: expect.stringContaining(`maximum context length is ${limit} tokens`),
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  },
});
const anthropicWords = (limit: number) => ({
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message: expect.stringMatching(new RegExp(`^prompt is too long: \\d+ tokens > ${limit} maximum$`)),
  },
});
const googleWords = {
  error: {
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: expect.stringMatching(
      /^The input token count \(\d+\) exceeds the maximum number of tokens allowed \(1048576\)\.$/,
    ),
  },
};

describe('an input that is longer than the model takes', () => {
  const rows: readonly [
    protocol: string,
    path: string,
    limit: number,
    body: (text: string) => object,
    words: object,
  ][] = [
    [
      'OpenAI',
      '/openai/v1/chat/completions',
      8_192,
      (text) => ({ model: 'gpt-4', messages: [user(text)] }),
      openAiWords(8_192),
    ],
    [
      'a compatible host',
      '/groq/openai/v1/chat/completions',
      131_072,
      (text) => ({ model: 'openai/gpt-oss-20b', messages: [user(text)] }),
      openAiWords(131_072),
    ],
    [
      'Anthropic',
      '/anthropic/v1/messages',
      200_000,
      (text) => ({ ...claude, messages: [user(text)] }),
      anthropicWords(200_000),
    ],
    [
      'Claude on Vertex',
      `${vertex}/anthropic/models/claude-sonnet-5@default:rawPredict`,
      1_000_000,
      (text) => ({ ...rawClaude, messages: [user(text)] }),
      anthropicWords(1_000_000),
    ],
    [
      'Google',
      '/google/v1beta/models/gemini-2.5-pro:generateContent',
      1_048_576,
      (text) => gemini({ text }),
      googleWords,
    ],
    [
      'Bedrock',
      '/bedrock/model/us.amazon.nova-pro-v1:0/converse',
      300_000,
      (text) => ({ messages: [user([{ text }])] }),
      { message: expect.stringContaining('Input is too long for requested model.') },
    ],
    [
      'Cohere',
      '/cohere/v2/chat',
      128_000,
      (text) => ({ model: 'command-a-vision-07-2025', messages: [user(text)] }),
      { message: expect.stringMatching(/^too many tokens: .* cannot exceed 128000 - received \d+\./) },
    ],
  ];

  test.each(rows)(
    'is refused by %s in its own words, and a shorter one is not',
    async (_, path, limit, body, words) => {
      const refused = await post(path, body('word '.repeat((limit * 4) / 5 + 1)));
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject(words);
      expect((await post(path, body('word '.repeat(limit / 2)))).status).toBe(200);
    },
  );

  test('is taken where the model is not in the catalog', async () => {
    const body = { model: 'my-own', messages: [user('word '.repeat(400_000))] };
    expect((await post('/self-hosted/v1/chat/completions', body)).status).toBe(200);
  });
});

describe('a document', () => {
  const data = Buffer.from('%PDF-1.4').toString('base64');
  const pdf = { type: 'base64', media_type: 'application/pdf', data };
  const url = { type: 'url', url: 'https://example.com/a.pdf' };
  const file = { filename: 'a.pdf', file_data: `data:application/pdf;base64,${data}` };
  const inline = { mimeType: 'application/pdf', data };
  const document = { format: 'pdf', name: 'a report (1)', source: { bytes: data } };
  const text = { text: 'Read' };
  const typed = { type: 'text', ...text };
  const chat = '/openai/v1/chat/completions';
  const flash = '/google/v1beta/models/gemini-3.5-flash:generateContent';

  test.each([
    ['OpenAI', chat, { model: 'gpt-4.1', messages: [user([typed, { type: 'file', file }])] }],
    [
      'Anthropic',
      '/anthropic/v1/messages',
      { ...claude, messages: [user([{ type: 'document', source: pdf }, typed])] },
    ],
    [
      'Anthropic by URL',
      '/anthropic/v1/messages',
      { ...claude, messages: [user([{ type: 'document', source: url }, typed])] },
    ],
    ['Google', flash, gemini({ inlineData: inline }, text)],
    ['Bedrock', `/bedrock/model/${haiku}/converse`, { messages: [user([{ document }, text])] }],
  ])('is read by %s', async (_, path, body) => {
    const response = await post(path, body);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('I was shown 1 document.');
  });

  test.each([
    [
      'an unnamed file',
      chat,
      { model: 'gpt-4.1', messages: [user([{ type: 'file', file: { ...file, filename: '' } }])] },
    ],
    [
      'a file by URL',
      chat,
      { model: 'gpt-4.1', messages: [user([{ type: 'file', file: { filename: 'a', file_data: url.url } }])] },
    ],
    [
      'a text as a document',
      '/anthropic/v1/messages',
      { ...claude, messages: [user([{ type: 'document', source: { ...pdf, media_type: 'text/html' } }])] },
    ],
    ['bytes that are no base64', flash, gemini({ inlineData: { ...inline, data: '%PDF' } }, text)],
    ['a document without words', `/bedrock/model/${haiku}/converse`, { messages: [user([{ document }])] }],
    [
      'two of one name',
      `/bedrock/model/${haiku}/converse`,
      { messages: [user([{ document }, { document }, text])] },
    ],
    [
      'a name with a dot',
      `/bedrock/model/${haiku}/converse`,
      { messages: [user([{ document: { ...document, name: 'a.pdf' } }, text])] },
    ],
  ])('is refused as %s', async (_, path, body) => {
    expect((await post(path, body)).status).toBe(400);
  });
});
