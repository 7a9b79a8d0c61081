/** The sandbox in the Cohere protocol, and what Azure and Vertex require in the protocols that they share. */
import { describe, expect, test } from 'vitest';
import { readSse, useSandbox, weatherSample, weatherSchema } from './client.ts';

const clientOf = useSandbox();
const bearer = { authorization: 'Bearer key' };
const user = (content: unknown) => ({ role: 'user', content });
const cohere = clientOf('/cohere/v2', bearer);
const chat = { model: 'command-a-03-2025', messages: [user('Hello, sandbox')] };
const weather = { type: 'function', function: { name: 'get_weather', parameters: weatherSchema } };

interface Answer {
  readonly message: {
    readonly content?: readonly { readonly text?: string; readonly thinking?: string }[];
    readonly tool_plan?: string;
    readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
  };
  readonly finish_reason: string;
  readonly usage: { readonly tokens: { readonly input_tokens: number } };
}

const ask = async (more: object) => (await (await cohere('/chat', { ...chat, ...more })).json()) as Answer;

describe('the Cohere sandbox', () => {
  test('plans and calls tools', async () => {
    const { message, finish_reason } = await ask({ tools: [weather], tool_choice: 'REQUIRED' });
    expect(finish_reason).toBe('TOOL_CALL');
    expect(message.tool_plan).toContain('get_weather');
    expect(JSON.parse(message.tool_calls?.[0]?.function.arguments ?? '')).toEqual(weatherSample);
  });

  test('thinks if requested, and not if disabled', async () => {
    const model = 'command-a-reasoning-08-2025';
    expect((await ask({ model })).message.content?.[0]?.thinking).toBeTruthy();
    const silent = await ask({ model, thinking: { type: 'disabled' } });
    expect(silent.message.content?.[0]?.thinking).toBeUndefined();
  });

  test('streams typed events', async () => {
    const response = await cohere('/chat', {
      ...chat,
      stream: true,
      tools: [weather],
      tool_choice: 'REQUIRED',
    });
    const events = readSse<{ type: string }>(await response.text());
    for (const { event, data } of events) expect(event).toBe(data.type);
    expect(new Set(events.map(({ event }) => event))).toEqual(
      new Set([
        'message-start',
        'tool-plan-delta',
        'tool-call-start',
        'tool-call-delta',
        'tool-call-end',
        'message-end',
      ]),
    );
  });

  test.each([
    [{ n: 2 }, 422, /'n' is not a valid field/],
    [{ p: 1 }, 400, /'p' must be between/],
    [{ frequency_penalty: 0.1, presence_penalty: 0.1 }, 400, /cannot specify both/],
    [{ messages: [] }, 400, /must not be empty/],
    [{ messages: [user('')] }, 400, /at least 1 token/],
    [
      { messages: [user([{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }])] },
      400,
      /image/,
    ],
    [
      { messages: [user('a'), { role: 'tool', tool_call_id: 'x', content: 'b' }] },
      400,
      /tool call id not found/,
    ],
    [{ tools: [weather], tool_choice: 'auto' }, 400, /tool_choice/],
    [{ tools: [weather], response_format: { type: 'json_object' } }, 400, /not supported with tools/],
    [{ response_format: { type: 'json_schema' } }, 400, /response_format/],
    [{ thinking: { type: 'enabled' } }, 400, /thinking/],
    [{ model: 'gpt-4.1' }, 404, /not found/],
  ])('refuses %j as Cohere does', async (more, status, message) => {
    const response = await cohere('/chat', { ...chat, ...more });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      id: expect.any(String),
      message: expect.stringMatching(message),
    });
  });

  test('refuses who has no key', async () => {
    expect((await cohere('/chat', chat, {})).status).toBe(401);
  });
});

describe('the Azure sandbox', () => {
  const azure = clientOf('/azure/openai/v1', { 'api-key': 'key' });
  const body = { model: 'gpt-4.1', messages: [user('Hello')] };

  test('adds the results of the content filter', async () => {
    const whole = await (await azure('/chat/completions', body)).json();
    expect(whole).toMatchObject({ prompt_filter_results: [{}], choices: [{ content_filter_results: {} }] });
    const response = await azure('/chat/completions', { ...body, stream: true });
    const [first] = readSse<object>(await response.text());
    expect(first?.data).toMatchObject({ id: '', choices: [], prompt_filter_results: [{}] });
  });

  test('takes its key in its own header only', async () => {
    const response = await azure('/chat/completions', body, bearer);
    expect([response.status, await response.json()]).toMatchObject([401, { error: { code: '401' } }]);
  });
});

describe('the Vertex sandbox', () => {
  const vertex = clientOf('/google-vertex/v1/projects/acme/locations/global/publishers', bearer);
  const claude = { anthropic_version: 'vertex-2023-10-16', max_tokens: 50, messages: [user('Hello')] };
  const rawPredict = '/anthropic/models/claude-haiku-4-5@20251001:rawPredict';
  const gemini = '/google/models/gemini-2.5-flash:generateContent';

  test('serves Gemini and Claude', async () => {
    const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
    expect((await vertex(gemini, { contents })).status).toBe(200);
    const answer = await (await vertex(rawPredict, claude)).json();
    expect(answer).toMatchObject({ type: 'message', model: 'claude-haiku-4-5@20251001' });
  });

  test.each([
    [{ ...claude, model: 'claude-haiku-4-5' }],
    [{ ...claude, anthropic_version: undefined }],
    [{ ...claude, stream: true }],
    [{ ...claude, output_config: { format: { type: 'json_schema', schema: {} } } }],
    [{ ...claude, tools: [{ name: 'a', strict: true, input_schema: { type: 'object' } }] }],
    [
      {
        ...claude,
        messages: [user([{ type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }])],
      },
    ],
  ])('refuses %j of Claude', async (body) => {
    expect((await vertex(rawPredict, body)).status).toBe(400);
  });

  test('refuses ids of calls, paths without a publisher, and who has no token', async () => {
    const contents = [{ role: 'model', parts: [{ functionCall: { id: 'one', name: 'a', args: {} } }] }];
    expect((await vertex(gemini, { contents })).status).toBe(400);
    expect((await vertex('/meta/models/llama:rawPredict', claude)).status).toBe(404);
    expect((await vertex(rawPredict, claude, {})).status).toBe(401);
  });
});
