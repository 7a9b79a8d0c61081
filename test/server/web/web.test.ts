/** The built Web Function of chat completions, as a process: its door, its streams, its credentials, and its end. */
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { LedgerRecord } from '../../../lib/core/accounting/ledger.ts';
import { chatAnswer, chatChunk, chatUsage, dataLine } from '../../harness/chat-answers.ts';
import { readChatStream } from '../../harness/chat-stream.ts';
import { openLedger } from '../../harness/ledger.ts';
import { postJson } from '../../harness/post.ts';
import { answerJson, type UpstreamScript } from '../../harness/upstream.ts';
import {
  currentSecret,
  previousSecret,
  signedModel,
  startWebProcess,
  type WebOptions,
  type WebProcess,
  webModel,
} from './web-process.ts';

const path = '/v1/chat/completions';

let web: WebProcess | undefined;
afterEach(async () => {
  await web?.close();
  web = undefined;
});

async function start(options: WebOptions = {}): Promise<WebProcess> {
  web = await startWebProcess('chat-completions', options);
  return web;
}

interface Asking {
  readonly key?: string;
  readonly secret?: string | undefined;
  readonly content?: string;
  readonly user?: string;
  readonly stream?: boolean;
  readonly model?: string;
  readonly signal?: AbortSignal;
}

function ask(
  { url, keys }: WebProcess,
  { key = keys.acme, secret = currentSecret, content = 'Hello', user, stream = false, ...rest }: Asking = {},
): Promise<Response> {
  const { model = webModel, signal } = rest;
  return postJson(
    `${url}${path}`,
    key,
    {
      model,
      stream,
      ...(stream && { stream_options: { include_usage: true } }),
      messages: [{ role: 'user', content }],
    },
    {
      headers: {
        ...(secret !== '' && { 'x-origin-secret': secret }),
        ...(user !== undefined && { 'x-gateway-user-id': user }),
      },
      signal,
    },
  );
}

/** The number in the text of a request: each has tokens and an answer of its own. */
const numberOf = (body: unknown): number => Number(/number (\d+)/.exec(JSON.stringify(body))?.[1] ?? 0);

const usageOf = (number: number) => chatUsage(100 + number, 1_000 + number);

/** Answers each request with its own number, in small pieces with pauses between them. */
function paced(pieces: number, pauseMs: () => number): UpstreamScript {
  return async ({ body }, response) => {
    const number = numberOf(body);
    const chunk = (...given: Parameters<typeof chatChunk>) => dataLine(chatChunk(...given));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: '' }));
    for (let piece = 0; piece < pieces && !response.destroyed; piece++) {
      await pause(pauseMs());
      response.write(chunk({ content: `[${number}]` }));
    }
    response.write(chunk({}, 'stop'));
    response.write(chunk({}, null, { choices: [], usage: usageOf(number) }));
    response.end('data: [DONE]\n\n');
  };
}

const complete = answerJson(chatAnswer('Hi', usageOf(0)));

const requestLines = (process: WebProcess) => process.lines().filter(({ message }) => message === 'request');

async function recordsOf({ database }: WebProcess, tenant: string): Promise<readonly LedgerRecord[]> {
  const ledger = openLedger(database.endpoint);
  const records = await ledger.recordsOf(tenant);
  await ledger.close();
  return records;
}

test('the door: only requests with the current or the previous secret are answered', async () => {
  const process = await start();
  process.upstream.script(complete);
  for (const secret of [currentSecret, previousSecret])
    expect((await ask(process, { secret })).status).toBe(200);
  const logged = requestLines(process).length;
  const wrong = [
    '',
    'wrong',
    currentSecret.toLowerCase(),
    `${currentSecret}x`,
    currentSecret.slice(0, -1),
    `${currentSecret}, ${previousSecret}`,
  ];
  for (const secret of wrong) {
    const response = await ask(process, { secret });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'permission_denied_error', code: null },
    });
  }
  expect(process.upstream.requests).toHaveLength(2);
  // Strangers do not fill the log.
  expect(requestLines(process)).toHaveLength(logged);
}, 60_000);

test('the door: a body without the secret is not read, and neither path nor method makes a difference', async () => {
  const { url } = await start();
  for (const [method, target] of [
    ['POST', path],
    ['POST', '/chat/completions'],
    ['DELETE', '/v1/nothing'],
    ['GET', '/healthz'],
  ]) {
    const sent = request(`${url}${target}`, { method, headers: { 'content-length': '5000000' } });
    sent.on('error', () => {});
    sent.flushHeaders();
    const [response] = await once(sent, 'response');
    expect([response.statusCode, response.headers.connection]).toEqual([403, 'close']);
    response.resume();
    sent.destroy();
  }
}, 60_000);

test('the other operations are not there, and other methods are answered by this one', async () => {
  const { url } = await start();
  const headers = { 'x-origin-secret': currentSecret };
  expect((await fetch(`${url}/v1/models`, { headers })).status).toBe(404);
  expect((await fetch(`${url}${path}`, { headers })).status).toBe(405);
}, 60_000);

test('sixty-four paced streams of two tenants at once: each has its own answer, log line and record', async () => {
  const process = await start();
  process.upstream.script(paced(20, () => 20 + Math.random() * 40));
  const numbers = Array.from({ length: 64 }, (_, index) => index + 1);
  const tenantOf = (number: number) => (number % 2 === 0 ? 'acme' : 'globex');
  const texts = await Promise.all(
    numbers.map(async (number) => {
      const key = process.keys[tenantOf(number)];
      const asking = { key, content: `number ${number}`, user: `user-${number}`, stream: true };
      const response = await ask(process, asking);
      expect(response.status).toBe(200);
      return { text: await response.text(), id: response.headers.get('x-request-id') ?? '' };
    }),
  );
  for (const [index, { text }] of texts.entries()) {
    const seen = readChatStream(text);
    expect(seen.choices.get(0)?.content).toBe(`[${index + 1}]`.repeat(20));
    expect(seen.usage).toMatchObject(usageOf(index + 1));
  }
  expect(new Set(texts.map(({ id }) => id)).size).toBe(64);
  await expect.poll(() => requestLines(process).length).toBe(64);
  for (const tenant of ['acme', 'globex']) {
    const records = await recordsOf(process, tenant);
    expect(records).toHaveLength(32);
    for (const record of records) {
      const number = Number(/\d+/.exec(record.user ?? '')?.[0]);
      expect(tenantOf(number)).toBe(tenant);
      expect(record.requestId).toBe(texts[number - 1]?.id);
      expect(record).toMatchObject({ tenant, user: `user-${number}`, status: 200, streamed: true });
      expect(record.attempts.at(-1)?.usage).toMatchObject({
        promptTokens: 100 + number,
        completionTokens: 1_000 + number,
      });
      const [line, ...more] = requestLines(process).filter((one) => one.request_id === record.requestId);
      expect(more).toEqual([]);
      expect(line).toMatchObject({
        tenant,
        user_id: `user-${number}`,
        prompt_tokens: 100 + number,
        completion_tokens: 1_000 + number,
      });
    }
  }
}, 90_000);

test('a request that fails ends no other', async () => {
  const process = await start();
  const good = paced(20, () => 30);
  process.upstream.script(async (asked, response) => {
    if (numberOf(asked.body) % 2 === 0) return good(asked, response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"id":');
    await pause(100);
    response.destroy();
  });
  const answers = await Promise.all(
    Array.from({ length: 16 }, async (_, number) => {
      const response = await ask(process, { content: `number ${number}`, stream: true });
      return { status: response.status, text: await response.text() };
    }),
  );
  for (const [number, { status, text }] of answers.entries()) {
    if (number % 2 === 0) expect(readChatStream(text).choices.get(0)?.content).toBe(`[${number}]`.repeat(20));
    else expect(status >= 500 || text.includes('"error"')).toBe(true);
  }
}, 60_000);

test('a caller who leaves closes the connection to the provider when the time for its counts is over, and is in the ledger', async () => {
  const process = await start({ environment: () => ({ GATEWAY_READ_ON_MS: '200' }) });
  process.upstream.script(paced(1_000, () => 20));
  const leaving = new AbortController();
  const response = await ask(process, { content: 'number 7', stream: true, signal: leaving.signal });
  const reader = response.body?.getReader();
  for (let read = 0; read < 5; read++) await reader?.read();
  leaving.abort();
  expect(await process.upstream.requests[0]?.over).toBe(false);
  await expect.poll(() => recordsOf(process, 'acme')).toMatchObject([{ status: 499, streamed: true }]);
}, 60_000);

test('credentials that are exchanged in the middle of a run sign the calls from then on', async () => {
  const process = await start({
    credentialSeconds: 3,
    environment: (upstream) => ({ BEDROCK_UPSTREAM_URL: upstream }),
  });
  const message = { role: 'assistant', content: [{ text: 'Hi.' }] };
  const usage = { inputTokens: 1, outputTokens: 1 };
  process.upstream.script(answerJson({ output: { message }, stopReason: 'end_turn', usage }));
  const until = Date.now() + 5_000;
  const statuses = new Set<number>();
  while (Date.now() < until) {
    statuses.add((await ask(process, { model: signedModel })).status);
    await pause(100);
  }
  expect([...statuses]).toEqual([200]);
  const used = process.upstream.requests.map(
    ({ headers }) => /Credential=(KEY\d+)\//.exec(headers.authorization ?? '')?.[1],
  );
  const order = [...new Set(used)];
  expect(order.length).toBeGreaterThanOrEqual(3);
  expect(order).toEqual([...order].sort());
  expect(used).toEqual([...used].sort());
}, 60_000);

test('SIGTERM: what still runs ends with an error in its stream and a record, and the process with 0', async () => {
  const process = await start();
  process.upstream.script(paced(1_000, () => 20));
  const response = await ask(process, { content: 'number 3', stream: true });
  const text = response.text();
  await expect.poll(() => process.upstream.requests.length).toBe(1);
  await pause(200);
  const exited = once(process.child, 'exit');
  const before = Date.now();
  process.child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(Date.now() - before).toBeLessThan(5_000);
  expect(await text).toMatch(/"code":"gateway_stopping"/);
  expect(await recordsOf(process, 'acme')).toMatchObject([{ tenant: 'acme', streamed: true }]);
}, 60_000);

test('an exception that nothing catches ends no other request; the process ends when none runs', async () => {
  const process = await start({ isCrashing: true });
  const { url } = process;
  const headers = { 'x-origin-secret': currentSecret };
  const talking = await fetch(`${url}${path}?words=20`, { method: 'POST', headers });
  const leaving = new AbortController();
  const crashing = fetch(`${url}${path}?crash=1`, { method: 'POST', headers, signal: leaving.signal });
  await expect.poll(() => process.lines().map(({ message }) => message)).toContain('uncaught exception');
  leaving.abort();
  await expect(crashing).rejects.toThrow();
  const exited = once(process.child, 'exit');
  expect(await talking.text()).toMatch(/^(word\n){20}the end\n$/);
  expect(await exited).toEqual([1, null]);
}, 60_000);

test('SIGTERM without requests ends the process at once', async () => {
  const process = await start();
  const exited = once(process.child, 'exit');
  process.child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
}, 60_000);

test('the previous secret may be gone; without the current one, nothing starts', async () => {
  const first = await start({ environment: () => ({ GATEWAY_ORIGIN_SECRETS: 'current,deleted' }) });
  first.upstream.script(complete);
  expect((await ask(first)).status).toBe(200);
  expect((await ask(first, { secret: previousSecret })).status).toBe(403);
  await first.close();
  const second = await start({ environment: () => ({ GATEWAY_ORIGIN_SECRETS: 'deleted,previous' }) });
  expect(second.child.exitCode).toBe(1);
}, 60_000);

test('it waits for permissions that are on their way', async () => {
  const process = await start({ denials: 4 });
  process.upstream.script(complete);
  expect((await ask(process)).status).toBe(200);
}, 60_000);

test('permissions that do not arrive are named in its log', async () => {
  const { child, lines } = await start({ denials: 1_000 });
  expect(child.exitCode).toBe(1);
  expect(lines().at(-1)?.reason).toBe(
    'Secrets Manager denied GetSecretValue for 7 seconds (AccessDeniedException): is not authorized',
  );
}, 60_000);

test.each([
  ['AWS_LAMBDA_HTTP_ENDPOINT', ''],
  ['AWS_LAMBDA_HTTP_ENDPOINT', '3000'],
  ['AWS_LAMBDA_HTTP_ENDPOINT', '0.0.0.0:70000'],
  ['GATEWAY_ORIGIN_SECRETS', ''],
  ['GATEWAY_ORIGIN_SECRETS', 'one,two,three'],
])(
  '%s=%s: it does not start, and logs the name',
  async (name, value) => {
    const { child, lines } = await start({ environment: () => ({ [name]: value }) });
    expect(child.exitCode).toBe(1);
    expect(lines().at(-1)).toMatchObject({ level: 'ERROR', message: 'server did not start' });
    expect(String(lines().at(-1)?.reason)).toContain(name);
  },
  60_000,
);
