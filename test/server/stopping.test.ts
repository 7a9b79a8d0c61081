/** How a server stops, and what the functions of requests that run then are told. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { operationNamed } from '../../lib/core/operations.ts';
import type { Invocation } from '../../server/http/handle-request.ts';
import { type GatewayServer, startServer } from '../../server/http/server.ts';
import { startStopwatch } from '../harness/stopwatch.ts';

const operation = operationNamed('chat-completions');

let server: GatewayServer;
/** The requests that run, and how each ends. */
let calls: { readonly invocation: Invocation; end(): void }[];

beforeEach(async () => {
  calls = [];
  const invoke = async (invocation: Invocation) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    calls.push({ invocation, end: resolve });
    await promise;
    if (!invocation.response.destroyed) invocation.response.writeHead(200).end('{}');
  };
  server = await startServer({ operations: [operation], invoke, port: 0 });
});
afterEach(async () => {
  endAll();
  await server.close(100);
});

const endAll = () => {
  for (const { end } of calls.splice(0)) end();
};

const ask = (signal?: AbortSignal) =>
  fetch(`${server.url}${operation.path}`, { method: 'POST', body: '{}', ...(signal && { signal }) });

/** A request whose function runs. */
async function begin() {
  const client = new AbortController();
  const before = calls.length;
  const answer = ask(client.signal);
  answer.catch(() => {});
  await expect.poll(() => calls.length).toBe(before + 1);
  const [call] = calls.slice(-1);
  if (!call) throw new Error('No function was called.');
  return { answer, call, leave: () => client.abort() };
}

test('requests are counted while they run, and since the start', async () => {
  expect(server.requests()).toEqual({ running: 0, all: 0 });
  const { answer, call } = await begin();
  expect(server.requests()).toEqual({ running: 1, all: 1 });
  call.end();
  await (await answer).text();
  await expect.poll(() => server.requests()).toEqual({ running: 0, all: 1 });
});

test('one whose client has left runs until its function has ended', async () => {
  const { call, leave } = await begin();
  leave();
  await expect.poll(() => call.invocation.interrupt.hasLeft).toBe(true);
  expect(server.requests().running).toBe(1);
  call.end();
  await expect.poll(() => server.requests().running).toBe(0);
});

test('the function of a client who left is told so, and once more when the server stops', async () => {
  const { call, leave } = await begin();
  leave();
  const { interrupt } = call.invocation;
  await expect.poll(() => interrupt.hasLeft).toBe(true);
  expect(interrupt.stopped).toBe(undefined);
  const closed = server.close(0);
  await expect.poll(() => interrupt.stopped).toMatchObject({ kind: 'gateway_stopping' });
  call.end();
  await closed;
});

test('requests that run may end within the time, and their connections are closed', async () => {
  const { answer, call } = await begin();
  const watch = startStopwatch();
  const closed = server.close(5_000);
  expect(server.isDraining()).toBe(true);
  call.end();
  const { status, headers } = await answer;
  expect([status, headers.get('connection')]).toEqual([200, 'close']);
  await closed;
  expect(call.invocation.interrupt.isRaised).toBe(false);
  expect(watch.waitedMs()).toBeLessThan(2_000);
});

test('after the time, a function gets an error to report, and time for it', async () => {
  const { answer, call } = await begin();
  const { interrupt } = call.invocation;
  interrupt.listen(call.end);
  await server.drain({ noticeMs: 0, limitMs: 50, endMs: 5_000 });
  expect(interrupt.stopped).toMatchObject({ kind: 'gateway_stopping' });
  expect((await answer).status).toBe(200);
});

test('a function that does not end then is cut off', async () => {
  const { answer } = await begin();
  const watch = startStopwatch();
  await server.drain({ noticeMs: 0, limitMs: 50, endMs: 50 });
  await expect(answer).rejects.toThrow();
  expect(watch.waitedMs()).toBeGreaterThan(100);
  expect(watch.waitedMs()).toBeLessThan(2_000);
});

test('new connections are served for the notice, and none after it', async () => {
  const closed = server.drain({ noticeMs: 200, limitMs: 200, endMs: 0 });
  const { answer, call } = await begin();
  call.end();
  const { status, headers } = await answer;
  expect([status, headers.get('connection')]).toEqual([200, 'close']);
  await closed;
  await expect(ask()).rejects.toThrow();
});

test('a request whose body is not there is refused when the server stops', async () => {
  const sent = httpRequest(`${server.url}${operation.path}`, { method: 'POST' }).on('error', () => {});
  sent.write('{');
  await expect.poll(() => server.requests().running).toBe(1);
  const answered: Promise<IncomingMessage[]> = once(sent, 'response');
  const closed = server.close(0);
  const [response] = await answered;
  expect(response?.statusCode).toBe(503);
  expect(Buffer.concat(await Array.fromAsync(response ?? [])).toString()).toContain('gateway_stopping');
  expect(calls).toEqual([]);
  await closed;
});
