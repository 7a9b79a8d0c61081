/**
 * Malformed requests always get an answer in the error format, quickly, and the log holds nothing of the body. The gateway
 * runs as its own process, like `npm start`, so that its output can be read.
 */
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startGatewayProcess } from '../harness/gateways/gateway-process.ts';
import { postJson } from '../harness/post.ts';
import { startStopwatch } from '../harness/stopwatch.ts';
import { use } from '../harness/use.ts';

const secret = 'the-quick-brown-fox-9d1f';

const gateway = use(startGatewayProcess, ({ stop }) => stop());

interface Seen {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly error: { message: string; type: string; param: string | null; code: string | null };
}

/** Sends raw bytes, and expects an answer in the error format within a second. */
async function send(body: string | Buffer, headers: Record<string, string> = {}): Promise<Seen> {
  const watch = startStopwatch();
  const seen = await new Promise<Seen>((resolve, reject) => {
    const outgoing = request(
      `${gateway.baseUrl}/chat/completions`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.apiKey}`,
          'content-type': 'application/json',
          ...headers,
        },
      },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const { error } = JSON.parse(Buffer.concat(chunks).toString());
        resolve({ status: response.statusCode ?? 0, headers: response.headers, error });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
  expect(watch.waitedMs()).toBeLessThan(1000);
  expect(seen.status).toBeGreaterThanOrEqual(400);
  expect(seen.status).toBeLessThan(500);
  const text = { message: expect.any(String), type: expect.any(String) };
  expect(seen.error).toEqual({ ...text, param: seen.error.param ?? null, code: seen.error.code ?? null });
  expect(seen.headers['x-request-id']).toBeTruthy();
  return seen;
}

const good = { model: 'openai/gpt-4.1', messages: [{ role: 'user', content: secret }] };
const nested = (depth: number) => `${'{"a":'.repeat(depth)}"${secret}"${'}'.repeat(depth)}`;

describe('malformed bodies', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', `{"model": "${secret}`],
    ['JSON with a trailing comma', `{"model": "${secret}",}`],
    ['JSON and more', `${JSON.stringify(good)} ${secret}`],
    ['null', 'null'],
    ['a list', `["${secret}"]`],
    ['a text', `"${secret}"`],
    ['a number', '12'],
    ['an empty object', '{}'],
    ['200 levels of nesting', nested(200)],
    ['200 levels of lists', `{"messages":${'['.repeat(200)}${']'.repeat(200)}}`],
    ['100,000 levels of nesting', nested(100_000)],
    ['a prototype', `{"__proto__":{"x":1},${JSON.stringify(good).slice(1)}`],
    ['a nested prototype', JSON.stringify(good).replace('"role"', '"__proto__":{"a":1},"role"')],
  ])('%s', async (_name, body) => {
    await send(body);
  });

  test('invalid UTF-8', async () => {
    const [before = '', after = ''] = JSON.stringify(good).split(secret);
    await send(Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(after)]));
  });

  test('11 MB', async () => {
    const { status } = await send(JSON.stringify({ ...good, user: 'x'.repeat(11 * 1024 * 1024) }));
    expect(status).toBe(413);
  });

  test('another content type', async () => {
    expect((await send(JSON.stringify(good), { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

describe('invalid fields', () => {
  const wrong: readonly unknown[] = [{}, [], 'x', -1e9, 1.5, true, Number.MAX_VALUE, { a: null }];
  const fields = [
    ...['model', 'messages', 'temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'stream'],
    ...[
      'stream_options',
      'frequency_penalty',
      'presence_penalty',
      'seed',
      'logprobs',
      'top_logprobs',
      'tools',
    ],
    ...[
      'tool_choice',
      'response_format',
      'reasoning_effort',
      'n',
      'parallel_tool_calls',
      'service_tier',
      'store',
    ],
    ...['metadata', 'logit_bias', 'extra', 'functions', 'function_call', 'user', 'stop'],
  ];

  test.each(fields)('%s of another type is rejected by name', async (field) => {
    for (const value of wrong) {
      const body = JSON.stringify({ ...good, [field]: value });
      const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
        body,
      });
      const answer = (await response.json().catch(() => ({}))) as { error?: { param?: string } };
      // Some of these values are valid for some fields.
      if (response.status === 200) continue;
      expect([400, 404]).toContain(response.status);
      expect(answer.error?.param?.split('.')[0]).toBe(field);
    }
  });

  test('null for every field', async () => {
    await send(JSON.stringify(Object.fromEntries(fields.map((field) => [field, null]))));
    for (const field of ['model', 'messages']) {
      const { error } = await send(JSON.stringify({ ...good, [field]: null }));
      expect(error.param).toBe(field);
    }
    for (const messages of [[null], [{ role: null }], [{ role: 'user', content: null }]]) {
      const { error } = await send(JSON.stringify({ ...good, messages }));
      expect(error.param).toMatch(/^messages\.0/);
    }
  });

  test('unknown fields', async () => {
    expect((await send(JSON.stringify({ ...good, temprature: 1 }))).error.param).toBe('temprature');
    const metadata = { ['k'.repeat(65)]: 'v' };
    expect((await send(JSON.stringify({ ...good, metadata }))).error.message).toMatch(
      /^Invalid key in 'metadata': a key must have at most 64 characters\.$/,
    );
    const extra = { colour: 'red' };
    expect((await send(JSON.stringify({ ...good, extra }))).error.param).toBe('extra.colour');
  });
});

test('afterwards the gateway still answers, and its log holds nothing of the requests', async () => {
  const response = await postJson(`${gateway.baseUrl}/chat/completions`, gateway.apiKey, good);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain(secret);
  const log = gateway.output().split(gateway.startedWith).at(-1) ?? '';
  expect(log).toContain('"request_id"');
  expect(log).not.toContain(secret);
  expect(log).not.toContain(gateway.apiKey);
  expect(log).not.toContain('temprature');
});
