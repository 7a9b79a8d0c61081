/** A dry run: what would be sent, and to whom, in an answer of the operation that official clients read. Nothing is sent. */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, type LanguageModel, streamText } from 'ai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { use } from '../harness/use.ts';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const gateway = useWatchedGateway();
const ledger = use(() => openLedger());

/** The ports that this process has connected to. */
const ports: string[] = [];
subscribe('net.client.socket', (message) => {
  const { socket } = message as { readonly socket: Socket };
  socket.once('connect', () => ports.push(`${socket.remotePort}`));
});
const connectionsToProviders = () =>
  ports.filter((port) => port === new URL(gateway.upstream('OPENAI_UPSTREAM_URL')).port);

const user = (content: string) => ({ role: 'user', content });
const chat = { model: 'openai/gpt-4.1', messages: [user('Hello, how are you?')], max_tokens: 40 };
const claude = { ...chat, model: 'anthropic/claude-haiku-4-5' };
const input = ['a text', 'another text'];

const generating = [
  { name: 'chat at OpenAI', path: '/v1/chat/completions', body: { ...chat, top_k: 4 } },
  { name: 'chat at Anthropic', path: '/v1/chat/completions', body: claude },
  {
    name: 'chat at Google',
    path: '/v1/chat/completions',
    body: { ...chat, model: 'google/gemini-2.5-flash' },
  },
  { name: 'chat at Bedrock', path: '/v1/chat/completions', body: { ...chat, model: 'amazon/nova-pro' } },
  { name: 'chat over Responses', path: '/v1/chat/completions', body: { ...chat, model: 'openai/gpt-5.5' } },
  { name: 'chat with choices', path: '/v1/chat/completions', body: { ...chat, n: 2 } },
  { name: 'Responses', path: '/v1/responses', body: { model: chat.model, input: 'Hello', store: true } },
  { name: 'Responses at Anthropic', path: '/v1/responses', body: { model: claude.model, input: 'Hello' } },
  { name: 'Messages, passed through', path: '/v1/messages', body: claude },
  { name: 'Messages, translated', path: '/v1/messages', body: chat },
  {
    name: 'completions',
    path: '/v1/completions',
    body: { model: chat.model, prompt: 'Once', max_tokens: 9 },
  },
];

const others = [
  { name: 'embeddings', path: '/v1/embeddings', body: { model: 'openai/text-embedding-3-small', input } },
  {
    name: 'embeddings of Cohere at Bedrock',
    path: '/v1/embeddings',
    body: { model: 'cohere/embed-v4.0', input },
  },
  {
    name: 'images',
    path: '/v1/images/generations',
    body: { model: 'openai/gpt-image-2', prompt: 'A cat', n: 2, size: '1024x1024' },
  },
  {
    name: 'reranking',
    path: '/v1/rerank',
    body: { model: 'cohere/rerank-v4.0-fast', query: 'Cats', documents: ['A cat', 'A dog'] },
  },
  {
    name: 'speech',
    path: '/v1/audio/speech',
    body: { model: 'openai/tts-1', input: 'A cat', voice: 'alloy' },
  },
];

const free = { name: 'a moderation', path: '/v1/moderations', body: { input: 'Hello' } };
const unseen = {
  name: 'a realtime session',
  path: '/v1/realtime/client_secrets',
  body: { session: { type: 'realtime', model: 'openai/gpt-realtime-2.1' } },
};

const rows = [
  ...generating.flatMap((row) =>
    [false, true]
      .filter((stream) => !stream || !('n' in row.body))
      .map((stream) => ({
        ...row,
        name: stream ? `${row.name}, streamed` : row.name,
        body: { ...row.body, stream },
      })),
  ),
  ...others,
];

async function dryRun(path: string, body: object, headers = {}) {
  const { extra = {} } = body as { readonly extra?: object };
  const response = await gateway.post(path, { ...body, extra: { ...extra, dry_run: true } }, headers);
  const text = await response.text();
  expect({ status: response.status, text: response.status === 200 ? '' : text }).toEqual({
    status: 200,
    text: '',
  });
  const last = text.includes('data: ')
    ? [...text.matchAll(/^data: (\{.*"dry_run".*\})$/gm)].at(-1)?.[1]
    : text;
  const answer = JSON.parse(last ?? '{}');
  const { debug = answer.response?.debug } = answer;
  return { headers: response.headers, text, answer, report: debug.dry_run, debug };
}

test.each([...rows, free, unseen])('$name is sent nowhere', async ({ path, body }) => {
  const { headers, report } = await dryRun(path, body, { 'x-gateway-user-id': 'dry' });
  expect(headers.get('x-gateway-dry-run')).toBe('true');
  expect(gateway.take()).toEqual([]);
  expect(connectionsToProviders()).toEqual([]);
  expect(report).toMatchObject({ fits: true, granted_output: null });
  const records = await ledger.recordsOf('local');
  expect(records.filter(({ user }) => user === 'dry')).toEqual([]);
});

describe('the call that follows', () => {
  test.each(rows)('of $name is what the dry run said', async ({ path, body }) => {
    const { report } = await dryRun(path, body);
    const headers = {
      'x-gateway-user-id': `${path} ${JSON.stringify(body)}`.replace(/\W/g, '').slice(0, 60),
    };
    const response = await gateway.post(path, body, headers);
    await response.text();
    expect(response.status).toBe(200);
    expect(connectionsToProviders()).not.toEqual([]);
    const sent = gateway.take().filter(({ method }) => method === 'POST');
    expect(sent.map((request) => request.body)).toContainEqual(report.sent);
    const [record] = (await ledger.recordsOf('local')).filter(
      ({ user }) => user === headers['x-gateway-user-id'],
    );
    const { model, provider, region, cost } = record ?? {};
    expect(report.targets[0]).toEqual({ model, provider, region });
    expect((cost ?? 0) / 1e9).toBeLessThanOrEqual(report.highest_cost);
    expect(report.highest_cost).toBeGreaterThan(0);
  });
});

/** Makes a dry run of what a client sends. */
const dryFetch: typeof fetch = async (url, { body, ...init } = {}) =>
  fetch(url, { ...init, body: JSON.stringify({ ...JSON.parse(String(body)), extra: { dry_run: true } }) });

describe("OpenAI's SDK reads", () => {
  const client = () =>
    new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.apiKey, maxRetries: 0, fetch: dryFetch });
  const body = { model: chat.model, messages: [{ role: 'user' as const, content: 'Hello' }] };

  test('a chat completion', async () => {
    const { choices, usage } = await client().chat.completions.create(body);
    expect(choices).toMatchObject([{ message: { role: 'assistant', content: '' }, finish_reason: 'stop' }]);
    expect(usage).toMatchObject({ completion_tokens: 0 });
    expect(usage?.prompt_tokens).toBeGreaterThan(0);
  });

  test('a stream of chat', async () => {
    const { choices } = await client().chat.completions.stream(body).finalChatCompletion();
    expect(choices).toMatchObject([{ message: { content: '' }, finish_reason: 'stop' }]);
  });

  test.each([false, true])('a response, streamed: %s, which is not stored', async (stream) => {
    const asked = { model: chat.model, input: 'Hello', store: true };
    const response = stream
      ? await client().responses.stream(asked).finalResponse()
      : await client().responses.create(asked);
    expect(response).toMatchObject({ status: 'completed', store: false, output_text: '' });
    expect(response.output).toMatchObject([
      { type: 'message', content: [{ type: 'output_text', text: '' }] },
    ]);
    const stored = await fetch(`${gateway.url}/v1/responses/${response.id}`, {
      headers: { authorization: `Bearer ${gateway.apiKey}` },
    });
    expect(stored.status).toBe(404);
  });

  test('what parses JSON reads a refusal', async () => {
    const format = { type: 'json_schema', name: 'a', schema: { type: 'object' } } as const;
    const { type, ...json_schema } = format;
    const asked = { ...body, response_format: { type, json_schema } };
    const texts = { model: chat.model, input: 'Hello', text: { format } };
    const chats = client().chat.completions;
    for (const { choices } of [await chats.parse(asked), await chats.stream(asked).finalChatCompletion()])
      expect(choices).toMatchObject([
        { message: { parsed: null, refusal: expect.any(String) }, finish_reason: 'stop' },
      ]);
    for (const response of [
      await client().responses.parse(texts),
      await client().responses.stream(texts).finalResponse(),
    ])
      expect(response).toMatchObject({ status: 'completed', output_parsed: null });
  });

  test.each(['float', 'base64'] as const)('embeddings as %s', async (encoding_format) => {
    const { data, usage } = await client().embeddings.create({
      model: 'openai/text-embedding-3-small',
      input,
      encoding_format,
    });
    expect(data.map(({ index }) => index)).toEqual([0, 1]);
    expect(data.map(({ embedding }) => embedding.length)).toEqual([0, 0]);
    expect(usage.prompt_tokens).toBe(4);
  });

  test('images', async () => {
    const { data } = await client().images.generate({ model: 'openai/gpt-image-2', prompt: 'A cat' });
    expect(data).toEqual([]);
  });
});

test.each([chat.model, claude.model])(
  "Anthropic's SDK reads a message of %s, and its stream",
  async (model) => {
    const client = new Anthropic({
      baseURL: gateway.url,
      apiKey: gateway.apiKey,
      authToken: null,
      maxRetries: 0,
      fetch: dryFetch,
    });
    const body = { model, max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hello' }] };
    const stream = client.messages.stream(body);
    const started: number[] = [];
    stream.on('streamEvent', (event) => {
      if (event.type === 'message_start') started.push(event.message.usage.input_tokens);
    });
    for (const message of [await client.messages.create(body), await stream.finalMessage()]) {
      expect(message).toMatchObject({ content: [{ type: 'text', text: '' }], stop_reason: 'end_turn' });
      expect(message.usage.input_tokens).toBeGreaterThan(0);
      expect(started).toEqual(started.length > 0 ? [message.usage.input_tokens] : []);
    }
  },
);

test("Vercel's AI SDK reads a text and a stream of each API", async () => {
  const settings = { baseURL: `${gateway.url}/v1`, apiKey: gateway.apiKey, fetch: dryFetch };
  const models: readonly LanguageModel[] = [
    createOpenAICompatible({ ...settings, name: 'gateway' })(chat.model),
    createOpenAI(settings).responses(chat.model),
    createAnthropic(settings)(claude.model),
  ];
  for (const model of models) {
    const { text, finishReason } = await generateText({ model, prompt: 'Hello', maxRetries: 0 });
    const streamed = streamText({ model, prompt: 'Hello', maxRetries: 0 });
    expect([text, finishReason]).toEqual(['', 'stop']);
    expect([await streamed.text, await streamed.finishReason]).toEqual(['', 'stop']);
  }
});

describe('a dry run', () => {
  test('names each target, and why one is not asked', async () => {
    const body = { ...claude, provider: { ignore: ['bedrock'] }, extra: { fallbacks: [chat.model] } };
    const { report } = await dryRun('/v1/chat/completions', body);
    const [first, second, ...others] = report.targets;
    expect(first).toEqual({ model: claude.model, provider: 'anthropic', region: 'global' });
    expect(second).toEqual({ model: chat.model, provider: 'openai', region: 'global' });
    expect(others).toContainEqual(
      expect.objectContaining({ model: claude.model, provider: 'bedrock', excluded_by: 'provider.ignore' }),
    );
  });

  test('has the changes, and the categories of debug that are asked for', async () => {
    const body = { ...claude, logit_bias: { 5: 1 }, extra: { debug: ['normalizations', 'cost'] } };
    const { debug, report, headers } = await dryRun('/v1/chat/completions', body);
    expect(report.normalizations).toContainEqual(
      expect.objectContaining({ param: 'logit_bias', action: 'strip' }),
    );
    expect(debug).toMatchObject({ normalizations: report.normalizations, cost: 0 });
    expect(headers.get('x-gateway-normalizations')).toBe('1');
  });

  test('cuts what is long, visibly', async () => {
    const { report } = await dryRun('/v1/chat/completions', {
      ...chat,
      messages: [user('a'.repeat(100_000))],
    });
    expect(report.sent).toMatch(/^\{"model":"gpt-4.1".*a… \(the first 65536 of 100\d{3} characters\)$/s);
  });

  test('fetches no media, and says which', async () => {
    const url = 'https://media.invalid/cat.png';
    const content = [{ type: 'image_url', image_url: { url } }];
    const body = { ...chat, model: 'google/gemini-2.5-flash', messages: [{ role: 'user', content }] };
    const { report } = await dryRun('/v1/chat/completions', body);
    expect(report.not_fetched).toEqual(['messages.0.content.0.image_url.url']);
    const [{ inlineData }] = report.sent.contents[0].parts;
    expect(Buffer.from(inlineData.data, 'base64').toString('latin1')).toMatch(
      /^\x89PNG.* not fetched in a dry run$/s,
    );
  });

  test('shows cached content of Gemini as it would be sent, and creates none', async () => {
    const prefix = { type: 'text', text: 'a text '.repeat(3_000), cache_control: { type: 'ephemeral' } };
    const messages = [user('Hello'), { role: 'system', content: [prefix] }].toReversed();
    const body = { ...chat, model: 'google/gemini-2.5-flash', messages };
    const { report } = await dryRun('/v1/chat/completions', body);
    expect(gateway.take()).toEqual([]);
    const { cachedContent, ...shown } = report.sent;
    expect(cachedContent).toBe('cachedContents/not-created-in-a-dry-run');
    expect((await gateway.post('/v1/chat/completions', body)).status).toBe(200);
    const [, called] = gateway.take().filter(({ method }) => method === 'POST');
    expect(called?.body).toEqual({ ...shown, cachedContent: expect.stringMatching(/^cachedContents\//) });
  });

  test.each([
    ['openai/text-embedding-3-small', true],
    ['cohere/embed-v4.0', false],
  ])('knows whether the tokens of %s are counted as its provider counts them: %s', async (model, exact) => {
    expect((await dryRun('/v1/embeddings', { model, input })).report.exact).toBe(exact);
  });

  test('has no secret, and no header', async () => {
    const { text } = await dryRun('/v1/chat/completions', claude);
    expect(text).not.toMatch(/"sandbox"|api-key|authorization/i);
  });

  test('leaves its idempotency key to the call', async () => {
    const headers = { 'idempotency-key': 'of-the-call' };
    await dryRun('/v1/chat/completions', chat, headers);
    await dryRun('/v1/chat/completions', { ...chat, stream: true }, headers);
    const response = await gateway.post('/v1/chat/completions', chat, headers);
    expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([200, null]);
    gateway.take();
  });

  test.each([
    ['/v1/responses', { model: chat.model, input: 'Hello', background: true }],
    ['/v1/responses/input_tokens', { model: chat.model, input: 'Hello' }],
    ['/v1/responses/compact', { model: chat.model, input: 'Hello' }],
    ['/v1/messages/count_tokens', { model: chat.model, messages: [user('Hello')] }],
  ])('is refused of %s %o', async (path, body) => {
    const response = await gateway.post(path, { ...body, extra: { dry_run: true } });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('extra.dry_run')]);
    expect(gateway.take()).toEqual([]);
  });

  test('fails as its call would', async () => {
    const body = { ...chat, model: 'openai/no-model', extra: { dry_run: true } };
    expect((await gateway.post('/v1/chat/completions', body)).status).toBe(404);
  });
});
