/** How a real server stops: what runs ends well, or with an error that is reported and recorded. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { usageOf } from '../../lib/core/accounting/ledger.ts';
import { readChatStream } from '../harness/chat-stream.ts';
import { startServedGateway } from '../harness/gateways/served-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { startStopwatch } from '../harness/stopwatch.ts';
import { use } from '../harness/use.ts';
import { type PacedAnswer, paceAnswer, readAnswer } from './paced-answer.ts';

let answer: PacedAnswer;

const gateway = use(() => startServedGateway());
const ledger = use(() => openLedger(gateway.database.endpoint));
beforeEach(() => {
  answer = paceAnswer();
  gateway.upstream.script(answer.script);
});

const statusOf = (url: string) =>
  fetch(url).then(
    async (response) => [response.status, await response.json()],
    () => 'refused',
  );

/** The record of a request, once it is final. */
async function recordOf(response: Response) {
  const id = response.headers.get('x-request-id');
  const found = (await ledger.recordsOf('served')).find(({ requestId }) => requestId === id);
  return found ?? expect.fail('There is no record.');
}

test('a running stream ends well, while checks and new connections are turned away', async () => {
  const server = await gateway.serve({ GATEWAY_DRAIN_SECONDS: '12' });
  const response = await gateway.chat(server.url);
  const stream = readAnswer(response);
  await stream.has(200);
  server.signal('SIGTERM');
  await server.line('server stops');
  // Until balancers have noticed, there are answers, and each closes its connection.
  const draining = [503, { status: 'unavailable', reason: 'draining' }];
  while (JSON.stringify(await statusOf(`${server.url}/readyz`)) !== JSON.stringify(draining)) await pause(20);
  const late = await fetch(`${server.url}/v1/openapi.json`);
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
  await late.text();
  while ((await statusOf(`${server.url}/healthz`)) !== 'refused') await pause(50);
  expect(stream.text()).not.toContain('[DONE]');
  answer.finish();
  const { error, choices } = readChatStream(await stream.whole);
  expect([error, choices.get(0)?.finish]).toEqual([undefined, 'stop']);
  expect(await server.ended).toBe(0);
  const record = await recordOf(response);
  expect([record.status, record.error, usageOf(record)?.completionTokens]).toEqual([200, undefined, 9]);
});

test('a stream that is still running at the limit ends with an error, and is in the ledger', async () => {
  const server = await gateway.serve({ GATEWAY_DRAIN_SECONDS: '1' });
  const response = await gateway.chat(server.url);
  const stream = readAnswer(response);
  await stream.has(200);
  server.signal('SIGTERM');
  const { error } = readChatStream(await stream.whole);
  expect(error).toMatchObject({ type: 'service_unavailable_error', code: 'gateway_stopping' });
  expect(await server.ended).toBe(0);
  expect(answer.open()).toBe(0);
  expect(await recordOf(response)).toMatchObject({ error: 'gateway_stopping' });
});

test('a request that has no answer yet at the limit gets a 503 that clients repeat', async () => {
  gateway.upstream.script(() => {});
  const server = await gateway.serve({ GATEWAY_DRAIN_SECONDS: '1' });
  const answered = gateway.chat(server.url);
  while (gateway.upstream.requests.length === 0) await pause(20);
  server.signal('SIGINT');
  const response = await answered;
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.json()).toMatchObject({ error: { code: 'gateway_stopping' } });
  expect(await server.ended).toBe(0);
});

test('a request whose body is still arriving at the limit is answered, and keeps nothing waiting', async () => {
  const server = await gateway.serve({ GATEWAY_DRAIN_SECONDS: '1' });
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket
    .on('error', () => {})
    .on('data', (text) => {
      received += text;
    });
  socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n{');
  await pause(300);
  const watch = startStopwatch();
  server.signal('SIGTERM');
  expect(await server.ended).toBe(0);
  // The client may send for a second more. A request that was stopped and does not end has four seconds.
  expect(watch.waitedMs()).toBeLessThan(4_000);
  expect(received).toMatch(/^HTTP\/1\.1 503 /);
  expect(received).toMatch(/retry-after: 1\r\n/i);
  expect(received).toContain('"code":"gateway_stopping"');
});

test('a worker that is killed while it stops is reported', async () => {
  const server = await gateway.serve();
  const stream = readAnswer(await gateway.chat(server.url));
  await stream.has(200);
  server.signal('SIGTERM');
  await server.line('server stops');
  process.kill(Number(server.lines.find(({ message }) => message === 'worker ready')?.pid), 'SIGKILL');
  await expect(stream.whole).rejects.toThrow();
  expect(await server.ended).toBe(1);
  expect(server.lines.at(-1)).toMatchObject({ level: 'ERROR', message: 'worker ended', signal: 'SIGKILL' });
});

test('a second signal ends it at once', async () => {
  const server = await gateway.serve({ GATEWAY_DRAIN_SECONDS: '900' });
  const stream = readAnswer(await gateway.chat(server.url));
  await stream.has(200);
  server.signal('SIGTERM');
  await server.line('server stops');
  server.signal('SIGTERM');
  expect(await server.ended).toBe(1);
  await expect(stream.whole).rejects.toThrow();
});

test('without requests it ends as soon as balancers have had a moment', async () => {
  const server = await gateway.serve({ GATEWAY_DRAIN_SECONDS: '0' });
  server.signal('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('without its primary process, a worker lets its streams end', async () => {
  const server = await gateway.serve();
  const stream = readAnswer(await gateway.chat(server.url));
  await stream.has(200);
  server.child.kill('SIGKILL');
  const length = stream.text().length;
  await stream.has(length + 500);
  answer.finish();
  expect(readChatStream(await stream.whole).error).toBeUndefined();
});

/** Begins a response in the background. Asks any server for it afterwards. */
async function createInBackground(url: string) {
  const headers = { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'served/model', input: 'Go on.', background: true });
  const created = await fetch(`${url}/v1/responses`, { method: 'POST', headers, body });
  const { id } = (await created.json()) as { id: string };
  while (answer.open() === 0) await pause(20);
  return async () => {
    const { url: other, signal, ended } = await gateway.serve();
    const found = await (await fetch(`${other}/v1/responses/${id}`, { headers })).json();
    signal('SIGTERM');
    await ended;
    return found;
  };
}

test('a response that is created in the background ends well while its server stops', async () => {
  const server = await gateway.serve({ GATEWAY_DRAIN_SECONDS: '12' });
  const found = await createInBackground(server.url);
  server.signal('SIGTERM');
  await server.line('server stops');
  answer.finish();
  expect(await server.ended).toBe(0);
  expect(await found()).toMatchObject({ status: 'completed', background: true });
});

test('one that still runs at the limit has failed, and says why', async () => {
  const server = await gateway.serve({ GATEWAY_DRAIN_SECONDS: '1' });
  const found = await createInBackground(server.url);
  server.signal('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(answer.open()).toBe(0);
  expect(await found()).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('The gateway restarts') },
  });
});
