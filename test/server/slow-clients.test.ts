/** Clients that read slowly, stop reading, or disconnect: no function continues without a client, and none hangs. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import type { Answer } from '../../lib/core/endpoint.ts';
import type { Operation } from '../../lib/core/operations.ts';
import type { Handler } from '../../lib/http/request/http-request.ts';
import { serve } from '../../lib/http/serve.ts';
import { type GatewayServer, startServer } from '../../server/http/server.ts';
import { loadInProcessEngine } from '../../server/in-process.ts';
import { writing } from '../harness/http-request.ts';
import { startStopwatch } from '../harness/stopwatch.ts';

const operation: Operation = {
  name: 'models',
  path: '/long',
  method: 'POST',
  authenticated: false,
  reads: [],
  timeoutSeconds: 60,
};

/** More than the system buffers for a connection. */
const pieces = 400;
const piece = Buffer.alloc(64 * 1024, 'a');

let server: GatewayServer;
let made = 0;
let outcomes: string[] = [];

const long = writing(async (stream) => {
  const writePieces = async function* () {
    for (; made < pieces; made++) yield piece;
  };
  await pipeline(Readable.from(writePieces()), stream).then(
    () => outcomes.push('ended'),
    ({ code }) => outcomes.push(code),
  );
});

beforeEach(async () => {
  made = 0;
  outcomes = [];
  const invoke = await loadInProcessEngine([operation], async () => long);
  server = await startServer({ operations: [operation], invoke, port: 0 });
});
afterEach(() => server.close(100));

/** An answer that is not read yet, after the function has filled the buffers. */
async function unread(): Promise<IncomingMessage> {
  const sent = httpRequest(`${server.url}/long`, { method: 'POST' }).on('error', () => {});
  const [response]: IncomingMessage[] = await once(sent.end(), 'response');
  if (!response) throw new Error('No answer arrived.');
  response.on('error', () => {});
  let full = -1;
  while (full !== made) {
    full = made;
    await pause(200);
  }
  expect(full).toBeLessThan(pieces);
  return response;
}

test('an answer waits for a slow reader, which receives all of it', async () => {
  const response = await unread();
  let bytes = 0;
  for await (const part of response) bytes += part.length;
  expect(bytes).toBe(pieces * piece.length);
  expect(outcomes).toEqual(['ended']);
});

test.each(['destroy', 'resetAndDestroy'] as const)(
  'a client that disconnects without reading ends the function: %s',
  async (leave) => {
    const response = await unread();
    const full = made;
    const watch = startStopwatch();
    response.socket[leave]();
    await expect.poll(() => outcomes, { timeout: 20_000 }).toEqual(['ERR_STREAM_PREMATURE_CLOSE']);
    expect(watch.waitedMs()).toBeLessThan(1_000);
    expect(made).toBeLessThan(full + 2);
  },
);

test.each<[string, (socket: Socket) => void]>([
  ['closes its connection', (socket) => socket.destroy()],
  ['resets its connection', (socket) => socket.resetAndDestroy()],
  ['half-closes its connection', (socket) => socket.end()],
])(
  'a client that %s in the middle of its body calls no function, and the next client is served',
  async (_, leave) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /long HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nhalf');
    await pause(50);
    leave(socket);
    await pause(50);
    expect([made, outcomes]).toEqual([0, []]);
    socket.destroy();
    const next = await fetch(`${server.url}/long`, { method: 'POST' });
    expect((await next.arrayBuffer()).byteLength).toBe(pieces * piece.length);
  },
);

/** A function of the gateway that answers with one JSON object, larger than the buffers. */
function serveLong(lines: object[], answering: (answer: Answer) => Promise<Answer>): Handler {
  const log = (_message: string, fields: object) => void lines.push(fields);
  const answer: Answer = { type: 'json', body: { text: 'a'.repeat(pieces * piece.length) } };
  const schema = z.object({});
  return serve(
    operation,
    { schema, read: (input: object) => input, answer: () => answering(answer) },
    {
      findApiKey: async () => undefined,
      log: { info: log, warn: log, error: log },
      now: () => Date.now(),
    },
  );
}

/** The same, behind its own server. */
async function startLong(answering: (answer: Answer) => Promise<Answer>) {
  const lines: object[] = [];
  const invoke = await loadInProcessEngine([operation], async () => serveLong(lines, answering));
  const ends: string[] = [];
  const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
  const served = await startServer({
    operations: [operation],
    invoke: (invocation) => {
      invocation.response.once('close', onClose);
      return invoke(invocation).finally(() => void ends.push('ended'));
    },
    port: 0,
  });
  onTestFinished(() => served.close(100));
  const headers = { 'content-type': 'application/json' };
  const sent = httpRequest(`${served.url}/long`, { method: 'POST', headers }).on('error', () => {});
  return { served, sent: sent.end('{}'), closed, ends, lines };
}

test('a client that disconnects without reading one long JSON answer ends the function', async () => {
  const { sent, ends } = await startLong(async (answer) => answer);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  await pause(100);
  expect([response?.statusCode, ends]).toEqual([200, []]);
  response?.on('error', () => {}).destroy();
  await expect.poll(() => ends, { timeout: 20_000 }).toEqual(['ended']);
});

test('a JSON answer after its client has disconnected has status 499', async () => {
  const { sent, closed, ends, lines } = await startLong(async (answer) => {
    sent.destroy();
    await closed;
    return answer;
  });
  await expect.poll(() => ends, { timeout: 20_000 }).toEqual(['ended']);
  expect(lines).toMatchObject([{ status: 499 }]);
});

test('so has one that is made after a server that stops has closed its connection', async () => {
  const { served, closed, ends, lines } = await startLong(async (answer) => {
    await closed;
    return answer;
  });
  await expect.poll(() => served.requests().running).toBe(1);
  await served.close(0);
  await expect.poll(() => ends, { timeout: 20_000 }).toEqual(['ended']);
  expect(lines).toMatchObject([{ status: 499 }]);
});

/** Answers with one text, larger than the buffers. */
async function startUnread(operation: Operation, maxUnreadMs: number, answerAfterMs = 0) {
  const text = 'a'.repeat(pieces * piece.length);
  const invoke = await loadInProcessEngine([operation], async () => async () => {
    await pause(answerAfterMs);
    return { statusCode: 200, headers: {}, body: text };
  });
  const served = await startServer({ operations: [operation], invoke, port: 0, limits: { maxUnreadMs } });
  onTestFinished(() => served.close(100));
  return served;
}

test('answers whose client reads nothing do not wait without end, also those that were asked for in advance', async () => {
  const served = await startUnread(operation, 500);
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1').pause();
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write('POST /long HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 0\r\n\r\n'.repeat(10));
  await expect.poll(() => served.requests().running).toBe(10);
  await expect.poll(() => served.requests().running, { timeout: 10_000 }).toBe(0);
});

test('a client that takes a little all the time gets everything, and so does one whose answer comes late', async () => {
  const served = await startUnread(operation, 500, 1_200);
  const sent = httpRequest(`${served.url}/long`, { method: 'POST' }).on('error', () => {});
  const [response]: IncomingMessage[] = await once(sent.end(), 'response');
  let bytes = 0;
  let breaks = 0;
  for await (const part of response ?? []) {
    bytes += part.length;
    if (bytes > breaks * 4_000_000) {
      breaks += 1;
      await pause(250);
    }
  }
  expect(bytes).toBe(pieces * piece.length);
  expect(breaks).toBeGreaterThan(4);
});
