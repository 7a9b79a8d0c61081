/** What Anthropic's clients get beside a message: errors in their form, headers, and the ways in that they use. */
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { newApiKey } from '../../lib/core/names/api-key.ts';
import { captureLog } from '../harness/captured-log.ts';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { answerJson } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';

const { gateway, upstream } = useUpstreamGateway(['OPENAI', 'ANTHROPIC']);
const log = use(captureLog);
beforeEach(() => upstream.script(answered));

const answered = answerJson({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4.1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
});

const gpt = 'openai/gpt-4.1';
const claude = 'anthropic/claude-haiku-4-5';
const body = { model: gpt, max_tokens: 100, messages: [{ role: 'user', content: 'Hello.' }] };

interface AnthropicError {
  readonly type: string;
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly param: string | null;
    readonly code: string | null;
    readonly details?: object;
  };
  readonly request_id: string;
}

async function errorOf(response: Response): Promise<AnthropicError & { readonly status: number }> {
  const error = (await response.json()) as AnthropicError;
  expect(error).toMatchObject({ type: 'error', error: { message: expect.stringMatching(/./) } });
  // All three name the request.
  const ids = ['request-id', 'x-request-id'].map((name) => response.headers.get(name));
  expect(ids).toEqual([error.request_id, error.request_id]);
  return { ...error, status: response.status };
}

const refused = async (fields: object, headers: Record<string, string> = {}) =>
  errorOf(await gateway.post('/v1/messages', { ...body, ...fields }, headers));

describe('the id of a request', () => {
  test.each([false, true])('is where both families of SDKs read it (stream: %s)', async (stream) => {
    const response = await gateway.post('/v1/messages', {
      ...body,
      stream,
      model: 'google/gemini-3.5-flash',
    });
    await response.text();
    const id = response.headers.get('request-id');
    expect([response.status, id]).toEqual([200, expect.stringMatching(/^[\w-]{36}$/)]);
    expect(response.headers.get('x-request-id')).toBe(id);
  });

  test.each(['/v1/models', '/v1/models/claude-haiku-4-5'])('is there on %s too', async (path) => {
    const { headers } = await fetch(`${gateway.url}${path}`);
    expect(headers.get('request-id')).toBe(headers.get('x-request-id'));
  });

  test('is where only OpenAI’s read it on the other operations', async () => {
    const { headers } = await gateway.post('/v1/chat/completions', { ...body, max_tokens: undefined });
    expect([headers.get('request-id'), headers.get('x-request-id')]).toEqual([null, expect.any(String)]);
  });
});

describe('an error of the caller', () => {
  test.each<[string, object, string]>([
    ['messages', { messages: undefined }, 'messages'],
    ['max_tokens', { max_tokens: 'many' }, 'max_tokens'],
    ['a role', { messages: [{ role: 'robot', content: 'Hello.' }] }, 'messages.0.role'],
    ['a block', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'messages.0.content.0.text'],
  ])('in %s begins with its path', async (_, fields, param) => {
    const { status, error } = await refused(fields);
    expect(error).toMatchObject({ type: 'invalid_request_error', param });
    expect([status, error.message]).toEqual([400, expect.stringMatching(new RegExp(`^${param}: \\S`))]);
  });

  test('of an unknown model is a 404 that names those that are close', async () => {
    const { status, error } = await refused({ model: 'claude-haiku-4-6' });
    expect([status, error]).toEqual([
      404,
      {
        type: 'not_found_error',
        message: expect.stringMatching(/^model: .*claude-haiku-4-6.*'anthropic\/claude-haiku-4-5'/),
        param: 'model',
        code: 'model_not_found',
      },
    ]);
  });

  test('in the body is one', async () => {
    const response = await gateway.post('/v1/messages', '{"model":');
    expect(await errorOf(response)).toMatchObject({ status: 400, error: { type: 'invalid_request_error' } });
  });

  test('in the type of the body is a 415, and in the method a 405', async () => {
    const text = await gateway.post('/v1/messages', body, { 'content-type': 'text/plain' });
    expect(await errorOf(text)).toMatchObject({ status: 415, error: { type: 'invalid_request_error' } });
    const headers = { authorization: `Bearer ${gateway.apiKey}` };
    const read = await fetch(`${gateway.url}/v1/messages`, { headers });
    expect(await errorOf(read)).toMatchObject({ status: 405, error: { type: 'invalid_request_error' } });
    expect(read.headers.get('allow')).toBe('POST');
  });

  test('of size is a 413, from the gateway and from API Gateway in its place', async () => {
    const bytes = gzipSync(Buffer.alloc(64 * 1024 ** 2));
    const packed = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.apiKey}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: bytes,
    });
    const large = await gateway.post('/v1/messages', 'a'.repeat(11 * 1024 ** 2));
    for (const response of [packed, large])
      expect(await errorOf(response)).toMatchObject({ status: 413, error: { code: 'request_too_large' } });
  });
});

describe('a key', () => {
  const send = (headers: Record<string, string>) =>
    fetch(`${gateway.url}/v1/messages?beta=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
      body: JSON.stringify(body),
    });
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

  test('is taken from either header, and from both', async () => {
    const { apiKey } = gateway;
    for (const headers of [
      bearer(apiKey),
      { 'x-api-key': apiKey },
      { ...bearer(apiKey), 'x-api-key': apiKey },
      { ...bearer('sk-ant-placeholder'), 'x-api-key': apiKey },
      { ...bearer(apiKey), 'x-api-key': 'sk-ant-placeholder' },
    ])
      expect((await send(headers)).status, JSON.stringify(Object.keys(headers))).toBe(200);
  });

  test.each([
    ['is missing', () => ({}), 'Missing API key'],
    ['is unknown', () => ({ 'x-api-key': newApiKey() }), 'unknown, disabled or expired'],
    ['is of another service', () => bearer('sk-ant-placeholder'), "start with 'mgw_'"],
    [
      'differs from another one',
      () => ({ ...bearer(gateway.apiKey), 'x-api-key': newApiKey() }),
      'Several different API keys',
    ],
  ])('that %s is an authentication_error', async (_, headersOf, words) => {
    const { status, error } = await errorOf(await send(headersOf()));
    expect([status, error]).toEqual([
      401,
      {
        type: 'authentication_error',
        message: expect.stringContaining(words),
        param: null,
        code: 'invalid_api_key',
      },
    ]);
    expect(upstream.requests).toEqual([]);
  });
});

describe('an error of a provider', () => {
  test('that is overloaded is a 529, with the wait that it asks for', async () => {
    upstream.script(answerJson({ error: { message: 'Busy.' } }, 503, { 'retry-after': '20' }));
    const response = await gateway.post('/v1/messages', body);
    expect(response.headers.get('retry-after')).toBe('20');
    expect(await errorOf(response)).toMatchObject({ status: 529, error: { type: 'overloaded_error' } });
  });

  test('that rejects our credentials is not the caller’s 401', async () => {
    const own = { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } };
    upstream.script(answerJson(own, 401));
    const { status, error } = await refused({ model: claude });
    expect([status, error.type]).toEqual([500, 'api_error']);
    expect(error.message).not.toContain('x-api-key');
  });

  test('is in Anthropic’s own words where they are about the request', async () => {
    const message = 'messages.1.content.0: Invalid `signature` in `thinking` block';
    const error = { type: 'invalid_request_error', message, details: { error_code: 'some_code' } };
    upstream.script(answerJson({ type: 'error', error, request_id: 'req_upstream' }, 400));
    const seen = await refused({ model: claude });
    expect(seen).toMatchObject({ status: 400, error: { ...error } });
    expect(seen.request_id).not.toBe('req_upstream');
  });
});

describe('an error in a stream', () => {
  const sse = (events: readonly object[]) =>
    events.map((event) => `event: ${'type' in event ? event.type : ''}\ndata: ${JSON.stringify(event)}\n\n`);
  const chunk = (delta: object) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta }],
  });
  const start = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 1 },
  };

  test.each([
    [
      'of Anthropic’s',
      claude,
      sse([
        { type: 'message_start', message: start },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Once' } },
        { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      ]),
    ],
    [
      'of another provider',
      gpt,
      [
        `data: ${JSON.stringify(chunk({ role: 'assistant', content: 'Once' }))}\n\n`,
        `data: ${JSON.stringify({ error: { message: 'Busy.', type: 'server_error', code: 'server_overloaded' } })}\n\n`,
      ],
    ],
  ])('%s is the last event, with the form and the id of every error', async (_, model, events) => {
    upstream.script((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of events) response.write(event);
      response.end();
    });
    const response = await gateway.post('/v1/messages', { ...body, model, stream: true });
    const text = await response.text();
    const [, data = '{}'] = /event: error\ndata: (.*)\n\n$/.exec(text) ?? [];
    expect(JSON.parse(data), text).toEqual({
      type: 'error',
      error: {
        type: expect.stringMatching(/^(overloaded|api)_error$/),
        message: expect.stringMatching(/./),
        param: null,
        code: expect.any(String),
      },
      request_id: response.headers.get('request-id'),
    });
    expect(text).not.toContain('message_stop');
  });
});

describe('a prompt that is too long', () => {
  const tooLong = (message: string) =>
    answerJson({ error: { message, code: 'context_length_exceeded' } }, 400);

  test('has the words that Claude Code shortens a conversation for, with the numbers of the provider', async () => {
    upstream.script(
      tooLong(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens.",
      ),
    );
    expect(await refused({})).toMatchObject({
      status: 400,
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 130012 tokens > 128000 maximum',
        code: 'context_length_exceeded',
      },
    });
  });

  test('has our estimate and the limit of the catalog where the provider names no numbers', async () => {
    upstream.script(tooLong('Your input exceeds the context window of this model.'));
    const { error } = await refused({ messages: [{ role: 'user', content: 'a word '.repeat(300_000) }] });
    const [, used, maximum] = /^prompt is too long: (\d+) tokens > (\d+) maximum$/.exec(error.message) ?? [];
    expect([Number(maximum), Number(used) > 1_047_576]).toEqual([1_047_576, true]);
  });

  test('has a number above the limit also where the estimate is below it', async () => {
    upstream.script(tooLong('Your input exceeds the context window of this model.'));
    expect((await refused({})).error.message).toBe('prompt is too long: 1047577 tokens > 1047576 maximum');
  });

  test('has Anthropic’s own words on a model of Anthropic’s', async () => {
    const message =
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again';
    upstream.script(answerJson({ type: 'error', error: { type: 'invalid_request_error', message } }, 400));
    expect((await refused({ model: claude })).error.message).toBe(message);
  });
});

describe('a way in', () => {
  test.each(['/v1/messages', '/messages', '/v1/messages/', '/v1/messages?beta=true', '//v1/messages'])(
    'POST %s is one',
    async (path) => {
      expect((await gateway.post(path, body)).status).toBe(200);
    },
  );

  test('with the version twice is a 404 that both families of SDKs read, and that explains it', async () => {
    const error = await errorOf(await gateway.post('/v1/v1/messages?beta=true', body));
    expect(error).toMatchObject({
      status: 404,
      error: { type: 'not_found_error', message: expect.stringContaining('Did you mean /v1/messages?') },
    });
  });

  test.each([
    ['HEAD', '/'],
    ['GET', '/'],
    ['HEAD', '/api/hello'],
  ])('%s %s is answered, and is no error in the log', async (method, path) => {
    const before = log.lines.length;
    expect((await fetch(`${gateway.url}${path}`, { method })).status).toBe(404);
    expect(log.lines.slice(before).filter((line) => line.includes('"level":"ERROR"'))).toEqual([]);
  });
});

describe('the session of Claude Code', () => {
  const linesOf = (id: string | null) => log.lines.filter((line) => line.includes(id ?? '-')).join();

  test.each([
    [{ 'x-claude-code-session-id': 'claude-session' }, 'claude-session'],
    [{ 'x-claude-code-session-id': 'claude-session', 'x-gateway-session-id': 'own-session' }, 'own-session'],
  ])('%j is the session %s of the request', async (headers, session) => {
    const response = await gateway.post('/v1/messages', body, headers);
    const id = response.headers.get('x-request-id');
    await expect.poll(() => linesOf(id), { timeout: 20_000 }).toContain(`"session_id":"${session}"`);
  });
});
