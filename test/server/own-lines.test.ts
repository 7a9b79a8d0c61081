/** What a server does where Lambda and API Gateway would: its own log lines, time limits of functions, and idle connections. */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type Operation, operationNamed } from '../../lib/core/operations.ts';
import type { Handler } from '../../lib/http/request/http-request.ts';
import { type GatewayServer, type ServerOptions, startServer } from '../../server/http/server.ts';
import { loadInProcessEngine } from '../../server/in-process.ts';
import { writing } from '../harness/http-request.ts';

let server: GatewayServer | undefined;
afterEach(() => server?.close(100));

const answered: Handler = async ({ sourceIp }) => ({
  statusCode: 200,
  headers: {},
  body: JSON.stringify(sourceIp),
});

interface Line {
  readonly level: 'info' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

async function start(handler: Handler = answered, options: Partial<ServerOptions> = {}) {
  const lines: Line[] = [];
  const note = (level: Line['level']) => (message: string, fields: Line['fields']) =>
    void lines.push({ level, message, fields });
  const operations: Operation[] = [{ ...operationNamed('chat-completions'), timeoutSeconds: 1 }];
  const invoke = await loadInProcessEngine(operations, async () => handler);
  const log = { info: note('info'), error: note('error') };
  server = await startServer({ operations, invoke, port: 0, log, ...options });
  return { lines, url: server.url };
}

const chat = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/chat/completions`, { method: 'POST', body: 'a secret', headers });

test('a request that no function answers has one line, without its words', async () => {
  const { url, lines } = await start(answered, { trustedProxies: 1 });
  const response = await fetch(`${url}/v1/a-secret?a=secret`, {
    headers: { 'x-forwarded-for': '203.0.113.5', 'x-secret': 'secret' },
  });
  expect(response.status).toBe(404);
  expect(lines).toEqual([
    {
      level: 'info',
      message: 'request',
      fields: {
        request_id: response.headers.get('x-request-id'),
        method: 'GET',
        status: 404,
        source_ip: '203.0.113.5',
        gateway_response: 'UNKNOWN_ROUTE',
        total_ms: expect.any(Number),
      },
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('a function gets the address of the client, and its own request has no line of the server', async () => {
  const { url, lines } = await start(answered, { trustedProxies: 1 });
  expect(await (await chat(url, { 'x-forwarded-for': '203.0.113.5' })).json()).toBe('203.0.113.5');
  expect(lines).toEqual([]);
});

test('answers are counted by operation and status, those of the server by their type, and clients who left', async () => {
  const { url } = await start(async (request, host) => {
    if (request.body === 'wait') await new Promise<void>((resolve) => host.interrupt?.listen(resolve));
    return await answered(request, host);
  });
  const leaving = new AbortController();
  const left = fetch(`${url}/v1/chat/completions`, { method: 'POST', body: 'wait', signal: leaving.signal });
  await expect.poll(() => server?.requests().running).toBe(1);
  leaving.abort();
  await expect(left).rejects.toThrow();
  for (const path of ['/v1/chat/completions', '/v1/unknown'])
    await (await fetch(url + path, { method: 'POST' })).text();
  await expect
    .poll(() => server?.counted())
    .toMatchObject({
      responses: {
        'operation="chat-completions",status="200"': 1,
        'operation="chat-completions",status="499"': 1,
        'operation="none",status="404"': 1,
      },
      refusals: { 'reason="unknown_route"': 1 },
    });
});

test('a function that fails is an error in the log, with the places in the code and without its message', async () => {
  const { url, lines } = await start(async () => {
    throw new TypeError('a secret\n    at the place of a secret');
  });
  const { status, headers } = await chat(url);
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  expect(lines).toMatchObject([
    { level: 'error', message: 'function failed', fields: { stack: expect.arrayContaining(['TypeError']) } },
    { level: 'error', message: 'request', fields: { status: 503, gateway_response: 'INTEGRATION_FAILURE' } },
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('a function that never answers is ended by the time limit of its operation', async () => {
  const { url, lines } = await start(async () => await new Promise(() => {}));
  const response = await chat(url);
  expect([response.status, await response.json()]).toMatchObject([
    503,
    { error: { code: 'gateway_timeout' } },
  ]);
  expect(lines.at(-1)).toMatchObject({ level: 'error', fields: { gateway_response: 'INTEGRATION_TIMEOUT' } });
});

test('a function counts the requests that it has ended where its server does', async () => {
  const counts: unknown[] = [];
  const note: Handler = async (request, host) => {
    counts.push(host.count);
    return await answered(request, host);
  };
  const operations = [operationNamed('chat-completions')];
  const count = () => {};
  for (const given of [count, undefined]) {
    const invoke = await loadInProcessEngine(operations, async () => note, given);
    const { url } = await start(answered, { invoke });
    await (await chat(url)).text();
    await server?.close(100);
  }
  expect(counts).toEqual([count, undefined]);
});

test('an answer that never ends is cut there', async () => {
  const { url } = await start(
    writing((stream) => {
      stream.write('begun');
      return new Promise(() => {});
    }),
  );
  const response = await chat(url);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

test('names of the server: every one where a balancer stands before it, else its own', async () => {
  const status = (url: string) =>
    new Promise((resolve) => {
      request(`${url}/v1/chat/completions`, { method: 'POST', headers: { host: 'gateway.example' } })
        .once('response', (response) => resolve(response.resume().statusCode))
        .end();
    });
  const { url } = await start(answered, { allowedHosts: 'any' });
  expect(await status(url)).toBe(200);
  await server?.close(100);
  const other = await start();
  expect(await status(other.url)).toBe(421);
});

test('the time for headers does not count between two requests of a connection', async () => {
  const limits = { maxHeadersMs: 500, maxRequestMs: 500, keepAliveMs: 10_000 };
  const { url } = await start(answered, { limits });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports: unknown[] = [];
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      request(`${url}/v1/chat/completions`, { method: 'POST', agent })
        .once('error', reject)
        .once('response', (response) => {
          ports.push(response.socket.localPort);
          response.resume().once('end', resolve);
        })
        .end('{}');
    });
  await ask();
  // Node looks each second.
  await pause(2_500);
  await ask();
  agent.destroy();
  expect(ports[1]).toBe(ports[0]);
});
