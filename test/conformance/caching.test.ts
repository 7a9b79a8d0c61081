/** Prompt caching: marked parts reach the provider, cached tokens are counted once, and unsupported markers are reported. */
import { describe, expect, test } from 'vitest';
import { readChatStream } from '../harness/chat-stream.ts';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const anthropic = 'anthropic/claude-haiku-4-5';
const bedrockClaude = 'anthropic/claude-haiku-4-5:bedrock';
const nova = 'amazon/nova-pro';
const google = 'google/gemini-2.5-flash';

const gateway = useWatchedGateway(bedrockClaude);

interface Body {
  readonly choices: readonly { readonly message: object }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly prompt_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number };
  };
  readonly debug: { readonly normalizations: readonly { readonly param: string; readonly action: string }[] };
}

async function ask(body: object, extra: object = {}) {
  gateway.take();
  const whole = { extra: { debug: ['normalizations'], ...extra }, ...body };
  const response = await gateway.post('/v1/chat/completions', whole);
  return { status: response.status, body: (await response.json()) as Body, sent: gateway.take() };
}

/** Long enough to be cached by every provider, and different for each test. */
const long = (name: string) => `The rules of ${name} are these. `.repeat(400);
const marker = { type: 'ephemeral' };
const tools = [{ type: 'function', function: { name: 'look_up' } }];

/** The paths of all values under a name. */
function pathsOf(value: unknown, name: string, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name ? [path] : pathsOf(inner, name, path === '' ? key : `${path}.${key}`),
  );
}

const conversation = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'One?' },
  { role: 'assistant', content: 'One.' },
  { role: 'user', content: 'Two?' },
];

describe('without markers of the caller', () => {
  test('Claude gets markers on the last tool, the system text and both ends of the turn, and the caller is informed', async () => {
    const { body, sent } = await ask({ model: anthropic, tools, messages: conversation });
    expect(pathsOf(sent[0]?.body, 'cache_control')).toEqual([
      'system.0',
      'messages.0.content.0',
      'messages.2.content.0',
      'tools.0',
    ]);
    expect(body.debug.normalizations).toEqual([
      expect.objectContaining({
        param: 'cache_control',
        action: 'add',
        before: null,
        after: ['tools.0', 'messages.0', 'messages.1', 'messages.3'],
      }),
    ]);
  });

  test.each([
    [bedrockClaude, ['system.1', 'messages.0.content.1', 'messages.2.content.1', 'toolConfig.tools.1']],
    [nova, ['system.1', 'messages.0.content.1', 'messages.2.content.1']],
  ])('%s on Bedrock gets cache points in the supported places', async (model, paths) => {
    const { status, sent } = await ask({ model, tools, messages: conversation });
    expect(status).toBe(200);
    expect(pathsOf(sent[0]?.body, 'cachePoint')).toEqual(paths);
  });

  test.each([anthropic, bedrockClaude])('%s gets none if normalization is disabled', async (model) => {
    const { sent } = await ask({ model, tools, messages: conversation }, { normalize: false });
    expect([...pathsOf(sent[0]?.body, 'cache_control'), ...pathsOf(sent[0]?.body, 'cachePoint')]).toEqual([]);
  });

  test.each([google, 'openai/gpt-4.1'])('%s gets no markers', async (model) => {
    const { sent, body } = await ask({ model, messages: conversation });
    expect(sent).toHaveLength(1);
    expect(body.debug.normalizations).toEqual([]);
  });
});

describe('the caller’s own markers', () => {
  const parts = [
    { type: 'text', text: 'One.', cache_control: { ...marker, ttl: '300s' } },
    { type: 'text', text: 'Two.' },
  ];

  test('stay in place on a part, a message or a tool, with a lifetime that Claude supports', async () => {
    const { status, sent, body } = await ask({
      model: anthropic,
      tools: [{ ...tools[0], cache_control: { ...marker, ttl: '3600s' } }],
      messages: [
        { role: 'user', content: parts },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'More?', cache_control: marker },
      ],
    });
    expect(status).toBe(200);
    expect(sent[0]?.body).toMatchObject({
      tools: [{ cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        { content: [{ cache_control: { type: 'ephemeral', ttl: '5m' } }, { text: 'Two.' }] },
        {},
        { content: [{ cache_control: { type: 'ephemeral' } }] },
      ],
    });
    expect(pathsOf(sent[0]?.body, 'cache_control')).toHaveLength(3);
    expect(body.debug.normalizations).toEqual([]);
  });

  test('become cache points on Bedrock, in the same places', async () => {
    const { status, sent } = await ask({
      model: bedrockClaude,
      messages: [{ role: 'user', content: parts }],
    });
    expect(status).toBe(200);
    expect(sent[0]?.body).toMatchObject({
      messages: [
        { content: [{ text: 'One.' }, { cachePoint: { type: 'default', ttl: '5m' } }, { text: 'Two.' }] },
      ],
    });
  });
});

describe.each([anthropic, bedrockClaude, nova])('the cache usage of %s', (model) => {
  const messages = (name: string) => [
    { role: 'system', content: long(`${model} ${name}`) },
    { role: 'user', content: 'Hello' },
  ];

  test('reports a prefix as written first and read later, always as part of the prompt', async () => {
    const first = await ask({ model, messages: messages('whole') });
    const second = await ask({ model, messages: messages('whole') });
    const { cache_write_tokens: written, cached_tokens: read } = first.body.usage.prompt_tokens_details;
    expect([written > 1_000, read]).toEqual([true, 0]);
    expect(second.body.usage.prompt_tokens_details).toEqual({
      cached_tokens: written,
      cache_write_tokens: 0,
    });
    expect(second.body.usage.prompt_tokens).toBe(first.body.usage.prompt_tokens);
  });

  test('is the same streamed or not', async () => {
    await ask({ model, messages: messages('stream') });
    const whole = await ask({ model, messages: messages('stream') });
    const response = await gateway.post('/v1/chat/completions', {
      model,
      messages: messages('stream'),
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(readChatStream(await response.text()).usage).toEqual(whole.body.usage);
  });
});

describe('cached content of Gemini', () => {
  const body = (name: string, question = 'Who wins?', ttl?: string) => ({
    model: google,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: long(name), cache_control: { ...marker, ...(ttl && { ttl }) } },
      { role: 'assistant', content: 'I have read it.' },
      { role: 'user', content: question },
    ],
  });
  const asked = (sent: readonly { readonly path: string }[]) =>
    sent.map(({ path }) => path.replace(/^.*:/, ''));

  test('is created from everything before the marker, and used by later requests with the same prefix', async () => {
    const first = await ask(body('go', 'Who wins?', '120s'));
    expect(asked(first.sent)).toEqual(['/cachedContents', 'generateContent']);
    expect(first.sent[0]?.body).toMatchObject({
      model: 'models/gemini-2.5-flash',
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: long('go') }] }],
      ttl: '120s',
    });
    const { cachedContent, contents, systemInstruction } = Object(first.sent[1]?.body);
    expect(cachedContent).toMatch(/^cachedContents\//);
    expect(contents).toHaveLength(2);
    expect(systemInstruction).toBeUndefined();
    expect(first.body.debug.normalizations).toEqual([]);

    const second = await ask(body('go', 'And who loses?', '120s'));
    expect(asked(second.sent)).toEqual(['generateContent']);
    expect(Object(second.sent[0]?.body).cachedContent).toBe(cachedContent);
    const { prompt_tokens: prompt, prompt_tokens_details: details } = second.body.usage;
    expect(details.cached_tokens).toBeGreaterThan(1_000);
    expect(details.cached_tokens).toBeLessThanOrEqual(prompt);
  });

  test('is the same for a stream', async () => {
    const short = body('draughts', 'Who wins?', '120s');
    await ask(short);
    gateway.take();
    const response = await gateway.post('/v1/chat/completions', { ...short, stream: true });
    expect(readChatStream(await response.text()).error).toBeUndefined();
    expect(asked(gateway.take())).toEqual(['streamGenerateContent']);
  });
});
