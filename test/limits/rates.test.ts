/** Requests and tokens a minute, and requests at a time, through the gateway and the official SDK. */
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { chatChunk, dataLine } from '../harness/chat-answers.ts';
import { maxTokens, question, until, usage, useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();

/** An SDK that counts what it sends. */
function sdk(apiKey: string, maxRetries: number) {
  const sent: string[] = [];
  const client = new OpenAI({
    baseURL: `${gateway.url()}/v1`,
    apiKey,
    maxRetries,
    fetch: (url, init) => {
      sent.push(String(url));
      return fetch(url, init);
    },
  });
  return { client, sent };
}

test('of forty requests at once ten pass where ten a minute may', async () => {
  const { secret } = await gateway.newKey({ tenant: { requestsPerMinute: 10 } });
  const responses = await Promise.all(Array.from({ length: 40 }, () => gateway.ask(secret)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(30);
  expect(gateway.upstream.requests).toHaveLength(10);
});

describe('a caller with one request per minute', () => {
  test('gets a 429 with the time until the minute ends', async () => {
    const { secret } = await gateway.newKey({ key: { requestsPerMinute: 1 } });
    gateway.clock.set({ seconds: 18 });
    const first = await gateway.ask(secret);
    expect(first.status).toBe(200);
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    const refused = await gateway.ask(secret);
    expect(refused.status).toBe(429);
    const { error } = (await refused.json()) as { error: { message: string } };
    expect(error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
    expect(error.message).toContain('1 request per minute');
    const { headers } = refused;
    expect(headers.get('retry-after')).toBe('42');
    expect(headers.get('x-ratelimit-reset-requests')).toBe('42s');
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('0');
  });
});

test('tokens a minute count what was used, not what might have been', async () => {
  const { secret, key } = await gateway.newKey({ key: { tokensPerMinute: maxTokens + usage.total_tokens } });
  for (const requests of [1, 2]) {
    const response = await gateway.ask(secret);
    expect(response.status).toBe(200);
    await response.text();
    await until(async () => (await gateway.usageOf(key))?.tokens === requests * usage.total_tokens);
  }
});

test('a request larger than the limit of a minute gets an error that asks for a smaller request, not for a retry', async () => {
  const leastTokens = maxTokens - question.max_completion_tokens + 16;
  const { secret } = await gateway.newKey({ key: { tokensPerMinute: leastTokens - 1 } });
  const response = await gateway.ask(secret);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { message: string } };
  expect(error).toMatchObject({ type: 'invalid_request_error', code: 'tokens_per_minute_exceeded' });
  expect(error.message).toContain(`${leastTokens} tokens`);
});

describe('requests at a time', () => {
  test('are limited, also while they stream, and free their slot at the end', async () => {
    const { secret, tenant } = await gateway.newKey({ tenant: { concurrentRequests: 2 } });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    gateway.upstream.script(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(dataLine(chatChunk({ role: 'assistant', content: 'Some' })));
      await released;
      response.write(dataLine(chatChunk({ content: 'thing.' }, 'stop')));
      response.end(`${dataLine({ id: '1', choices: [], usage })}data: [DONE]\n\n`);
    });
    const streams = await Promise.all([1, 2].map(() => gateway.ask(secret, { ...question, stream: true })));
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    const refused = await gateway.ask(secret);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.text()).toContain('2 concurrent requests');
    expect(await gateway.usageOf(tenant)).toMatchObject({ running: 2 });
    release();
    const texts = await Promise.all(streams.map((stream) => stream.text()));
    for (const text of texts) expect(text).toContain('[DONE]');
    // The slots were free before the streams ended.
    expect((await gateway.ask(secret, { ...question, stream: true })).status).toBe(200);
  });

  test('free their slot if the caller leaves a stream', async () => {
    const { secret, key } = await gateway.newKey({ key: { concurrentRequests: 1 } });
    gateway.hold();
    const leave = new AbortController();
    const left = gateway
      .ask(secret, { ...question, stream: true }, { signal: leave.signal })
      .catch(() => 'left');
    await until(() => gateway.upstream.requests.length === 1);
    expect((await gateway.ask(secret)).status).toBe(429);
    leave.abort();
    expect(await left).toBe('left');
    await until(async () => (await gateway.usageOf(key))?.running === 0);
  });
});

test('a count of tokens, which has no record, holds nothing once it is answered', async () => {
  const { secret, key } = await gateway.newKey({ key: { concurrentRequests: 1, requestsPerMinute: 9 } });
  gateway.upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":3}');
  });
  const path = '/v1/responses/input_tokens';
  for (let count = 0; count < 2; count += 1) {
    const response = await gateway.ask(secret, { model: 'openai/gpt-5.5', input: 'Hi.' }, { path });
    expect([response.status, await response.text()]).toMatchObject([200, expect.any(String)]);
    await until(async () => (await gateway.usageOf(key))?.running === 0);
  }
  expect(await gateway.usageOf(key)).toMatchObject({ requests: 2, tokens: 0 });
  const tomorrow = () => Date.now() + 86_400_000;
  const limits = createLimitStore({ call: gateway.store.call, table: 'usage', now: tomorrow });
  expect(await limits.freeLeaked(key, async () => 0, false)).toEqual({ state: 'none', amount: 0 });
});

describe('the official SDK', () => {
  test('waits as long as the 429 says, and then gets its answer', async () => {
    const { secret } = await gateway.newKey({ key: { concurrentRequests: 1 } });
    const release = gateway.hold();
    const first = gateway.ask(secret);
    await until(() => gateway.upstream.requests.length === 1);
    const { client, sent } = sdk(secret, 2);
    const started = performance.now();
    const second = client.chat.completions.create(question);
    await until(() => sent.length === 1);
    setTimeout(release, 300);
    expect((await second).choices[0]?.message.content).toBe('Something.');
    expect(performance.now() - started).toBeGreaterThan(990);
    expect(sent).toHaveLength(2);
    await (await first).text();
  });

  test('does not try again after a 402', async () => {
    const { secret } = await gateway.newKey({ key: { credit: 1 } });
    const { client, sent } = sdk(secret, 2);
    await expect(client.chat.completions.create(question)).rejects.toMatchObject({
      status: 402,
      code: 'insufficient_quota',
    });
    expect(sent).toHaveLength(1);
  });

  test('does not try again after a budget that starts again later', async () => {
    const { secret } = await gateway.newKey({ key: { monthlyBudget: 1 } });
    const { client, sent } = sdk(secret, 2);
    await expect(client.chat.completions.create(question)).rejects.toMatchObject({
      status: 429,
      code: 'insufficient_quota',
    });
    expect(sent).toHaveLength(1);
  });
});

test.each([
  ['/v1/responses', { model: 'openai/gpt-5.5', input: 'Hi.' }],
  ['/v1/embeddings', { model: 'cohere/embed-v4.0', input: 'Hi.' }],
  ['/v1/images/generations', { model: 'google/gemini-2.5-flash-image', prompt: 'A cat.' }],
])('%s is limited too', async (path, body) => {
  const { secret, key } = await gateway.newKey({ key: { requestsPerMinute: 1, credit: 1e12 } });
  gateway.upstream.script((_request, response) => void response.writeHead(400).end());
  await (await gateway.ask(secret, body, { path })).text();
  expect(await gateway.usageOf(key)).toMatchObject({ requests: 1, running: 0 });
  expect((await gateway.ask(secret, body, { path })).status).toBe(429);
});
