/** What Anthropic's clients get beside a message: errors in their form, headers, and the ways in that they use. */
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { captureLog } from '../harness/captured-log.ts';
import { chatAnswer } from '../harness/chat-answers.ts';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { answerJson } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';

const { gateway, upstream } = useUpstreamGateway('OPENAI');
const log = use(captureLog);
beforeEach(() => upstream.script(answered));

const answered = answerJson(chatAnswer('Hello.'));

const body = { model: 'openai/gpt-4.1', max_tokens: 100, messages: [{ role: 'user', content: 'Hello.' }] };

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
});

describe('a way in', () => {
  test.each(['/v1/messages', '/messages', '/v1/messages/', '/v1/messages?beta=true', '//v1/messages'])(
    'POST %s is one',
    async (path) => {
      expect((await gateway.post(path, body)).status).toBe(200);
    },
  );

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
