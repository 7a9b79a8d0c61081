/**
 * The local HTTP server: it passes requests to functions, streams what they write, and itself gives the answers that API Gateway
 * gives itself.
 */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Interrupt } from '../../lib/core/interrupt.ts';
import type { Operation } from '../../lib/core/operations.ts';
import type { Handler, HttpRequest, RequestHost } from '../../lib/http/request/http-request.ts';
import { type GatewayServer, startServer } from '../../server/http/server.ts';
import { type LoadHandler, loadInProcessEngine } from '../../server/in-process.ts';
import { writing } from '../harness/http-request.ts';
import { startStopwatch } from '../harness/stopwatch.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const operation = (name: Operation['name'], path: string): Operation => ({
  name,
  path,
  method: 'POST',
  authenticated: false,
  reads: [],
  timeoutSeconds: 60,
});

const operations = [
  operation('models', '/echo'),
  operation('chat-completions', '/slow'),
  operation('responses', '/fails'),
  operation('embeddings', '/stepwise'),
  { ...operation('responses-retrieve', '/kept/{id}'), method: 'GET' as const },
  { ...operation('responses-delete', '/kept/{id}'), method: 'DELETE' as const },
  { ...operation('responses-input-items', '/kept/{id}/items/{item}'), method: 'GET' as const },
];

let lastHost: RequestHost | undefined;

/** What `echo` answers with. */
type Echoed = Omit<HttpRequest, 'header' | 'headerValues'> & {
  readonly two: string | null;
  readonly all: readonly string[];
  readonly requestId: string;
};

const echo: Handler = async (request, host) => {
  lastHost = host;
  const two = request.header('x-two') ?? null;
  const all = request.headerValues('x-two');
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json', 'x-answer': 'yes' },
    multiValueHeaders: { 'set-cookie': ['a=1', 'b=2'] },
    body: JSON.stringify({ ...request, two, all, requestId: host.requestId }),
  };
};

const slow = writing(async (stream, _request, host) => {
  lastHost = host;
  stream.write('');
  for (let index = 0; index < 4 && !stream.destroyed; index++) {
    await pause(50);
    stream.write(`part ${index};`);
  }
});

let nextPart = Promise.withResolvers<void>();

/** Writes each part when the test asks for it. */
const stepwise = writing(async (stream, _request, host) => {
  lastHost = host;
  stream.write('');
  for (let index = 0; index < 3; index++) {
    await nextPart.promise;
    nextPart = Promise.withResolvers();
    stream.write(`part ${index};`);
  }
});

const failsLate = writing(async (stream) => {
  await new Promise((resolve) => stream.write('begun', resolve));
  throw new Error('a secret of the request');
});

const fails: Handler = async (request, host) => {
  if (request.query.when?.[0] === 'late') return await failsLate(request, host);
  throw new Error('a secret of the request');
};

const handlers = new Map<string, Handler>([
  ['models', echo],
  ['chat-completions', slow],
  ['responses', fails],
  ['embeddings', stepwise],
]);

const load: LoadHandler = async ({ name }) => handlers.get(name) ?? echo;

describe('the local HTTP server', () => {
  let server: GatewayServer;

  beforeAll(async () => {
    const invoke = await loadInProcessEngine(operations, load);
    server = await startServer({ operations, invoke, port: 0 });
  });

  afterAll(async () => await server.close(100));

  const post = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, { method: 'POST', ...init });

  async function expectError(response: Response, status: number, type: string) {
    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(await response.json()).toMatchObject({
      error: { type, param: null, message: expect.any(String) },
    });
  }

  test('passes a request to a function', async () => {
    const response = await post('/echo?a=1&a=2&b=x%20y', { headers: { 'X-Two': 'z' }, body: '{"ä":1}' });
    expect(await response.json()).toEqual({
      template: '/echo',
      path: '/echo',
      method: 'POST',
      body: '{"ä":1}',
      query: { a: ['1', '2'], b: ['x y'] },
      pathParameters: {},
      sourceIp: '127.0.0.1',
      two: 'z',
      all: ['z'],
      requestId: lastHost?.requestId,
    });
    expect(lastHost?.remainingMs()).toBeGreaterThan(59_000);
    expect(response.headers.get('x-answer')).toBe('yes');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  test('passes a compressed body as it is', async () => {
    const body = gzipSync('{"ä":1}');
    const response = await post('/echo', { headers: { 'content-encoding': 'gzip' }, body });
    expect(await response.json()).toMatchObject({ body: JSON.parse(JSON.stringify(body)) });
  });

  test('of repeated headers, one value is the last, and all are in their order', async () => {
    const headers = ['host', '127.0.0.1', 'X-Two', 'a', 'x-two', 'b', 'X-TWO', 'c'];
    const sent = httpRequest(`${server.url}/echo`, { headers }).end();
    const [response] = await once(sent, 'response');
    const request = JSON.parse(Buffer.concat(await Array.fromAsync(response)).toString());
    expect(request).toMatchObject({ two: 'c', all: ['a', 'b', 'c'] });
  });

  test('gives a function the memory that it shares, and the end of its client', async () => {
    await got('/echo');
    expect(lastHost).toMatchObject({
      interrupt: expect.any(Interrupt),
      memory: { reserve: expect.any(Function) },
    });
  });

  test('passes every method of a known path to the function', async () => {
    const response = await fetch(`${server.url}/echo`);
    expect(await response.json()).toMatchObject({ method: 'GET', body: '' });
  });

  const got = async (path: string, method = 'GET') =>
    (await (await fetch(`${server.url}${path}`, { method })).json()) as Echoed;

  test('passes path parameters to a function', async () => {
    expect(await got('/kept/one')).toMatchObject({
      template: '/kept/{id}',
      path: '/kept/one',
      pathParameters: { id: 'one' },
    });
    expect(await got('/kept/one/items/two?id=three')).toMatchObject({
      template: '/kept/{id}/items/{item}',
      pathParameters: { id: 'one', item: 'two' },
    });
    expect(await got('/echo')).toMatchObject({ pathParameters: {} });
  });

  test('streams each chunk when it is written, headers first', async () => {
    const response = await post('/stepwise');
    const arrived: string[] = [];
    nextPart.resolve();
    for await (const part of response.body ?? []) {
      arrived.push(new TextDecoder().decode(part));
      nextPart.resolve();
    }
    expect(arrived).toEqual(['part 0;', 'part 1;', 'part 2;']);
  });

  test('does not treat the end of an answer as a disconnected client', async () => {
    await (await post('/echo')).text();
    await pause(20);
    expect(lastHost?.interrupt?.isRaised).toBe(false);
  });

  test('answers 413 for a body over 10 MB, with and without content-length', async () => {
    const large = new Uint8Array(11 * 1024 * 1024);
    const watch = startStopwatch();
    await expectError(await post('/echo', { body: large }), 413, 'invalid_request_error');
    // It ends with the body, and waits for no more of it.
    expect(watch.waitedMs()).toBeLessThan(900);
    const unknownLength = new Blob([large]).stream();
    const options = { body: unknownLength, duplex: 'half' } as RequestInit;
    await expectError(await post('/echo', options), 413, 'invalid_request_error');
  });

  test('answers 413 before a body over 10 MB is sent', async () => {
    const headers = { 'content-length': 10 * 1024 * 1024 + 1 };
    const sent = httpRequest(`${server.url}/echo`, { method: 'POST', headers }).on('error', () => {});
    sent.flushHeaders();
    const [response] = await once(sent, 'response');
    expect([response.statusCode, response.headers.connection]).toEqual([413, 'close']);
    await once(response.resume(), 'end');
  });

  test('answers 431 for headers over 10 KB, even far over', async () => {
    for (const size of [10_300, 100_000]) {
      const response = await post('/echo', { headers: { 'x-large': 'x'.repeat(size) } });
      await expectError(response, 431, 'invalid_request_error');
    }
  });

  test('answers in the error shape for a function that fails, without the reason', async () => {
    const response = await post('/fails');
    expect(await response.clone().text()).not.toContain('secret');
    await expectError(response, 503, 'service_unavailable_error');
  });

  test('closes the connection if a function fails during its answer', async () => {
    const sent = httpRequest(`${server.url}/fails?when=late`, { method: 'POST' }).end();
    const [response] = await once(sent, 'response');
    await expect(Array.fromAsync(response)).rejects.toThrow('aborted');
  });

  test('stops at once when idle, and waits for a running answer', async () => {
    const invoke = await loadInProcessEngine(operations, load);
    const other = await startServer({ operations, invoke, port: 0 });
    const idle = connect(Number(new URL(other.url).port), '127.0.0.1');
    await once(idle, 'connect');
    const answer = await fetch(`${other.url}/slow`, { method: 'POST' });
    const watch = startStopwatch();
    const [text] = await Promise.all([answer.text(), other.close(5_000)]);
    expect(text).toBe('part 0;part 1;part 2;part 3;');
    expect(watch.waitedMs()).toBeLessThan(1_000);
    await expect(fetch(other.url)).rejects.toThrow();
    idle.destroy();
  });
});
