/** Clients that send slowly, too much, or something else than HTTP/1.1 requests: each is refused or closed, and others are served. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { Operation } from '../../lib/core/operations.ts';
import type { Handler } from '../../lib/http/request/http-request.ts';
import type { ServerLimits } from '../../server/http/limits.ts';
import { type GatewayServer, startServer } from '../../server/http/server.ts';
import { loadInProcessEngine } from '../../server/in-process.ts';

const operations: readonly Operation[] = (['models', 'embeddings'] as const).map((name) => ({
  name,
  path: `/${name}`,
  method: 'POST',
  authenticated: false,
  reads: [],
  timeoutSeconds: 60,
}));

let released = Promise.withResolvers<void>();

/** Answers with the length of the body; `embeddings` when the test allows it. */
const handler =
  (waits: boolean): Handler =>
  async ({ body }) => {
    if (waits) await released.promise;
    return { statusCode: 200, headers: {}, body: `${body.length}` };
  };

let server: GatewayServer;
const sockets: Socket[] = [];

async function start(limits: Partial<ServerLimits> = {}): Promise<void> {
  const invoke = await loadInProcessEngine(operations, async ({ name }) => handler(name === 'embeddings'));
  server = await startServer({ operations, invoke, port: 0, limits });
}

afterEach(async () => {
  released.resolve();
  released = Promise.withResolvers();
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close(100);
});

interface Client {
  readonly socket: Socket;
  received(): string;
  readonly closed: Promise<unknown>;
}

async function open(text = ''): Promise<Client> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  socket.write(text);
  return { socket, received: () => received, closed };
}

/** Sends on and on, until the server closes the connection. */
async function drip({ socket }: Client, text: string): Promise<void> {
  while (!socket.destroyed && socket.writable) {
    socket.write(text);
    await pause(20);
  }
}

const post = (path = '/models', body = '') => fetch(`${server.url}${path}`, { method: 'POST', body });
const isServed = async () => expect((await post()).status).toBe(200);

const head = (more = '', path = '/models') => `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`;

describe('a client that sends slowly', () => {
  const limits = { maxHeadersMs: 300, maxRequestMs: 600 };

  test.each([
    ['nothing', '', ''],
    ['its headers', 'POST /models HTTP/1.1\r\n', 'x'],
    ['its body', head('content-length: 1000000\r\n'), 'x'],
    ['its chunks', head('transfer-encoding: chunked\r\n'), '1\r\nx\r\n'],
  ])('is answered 408 and closed: %s', async (_, begin, more) => {
    await start(limits);
    const client = await open(begin);
    if (more !== '') await drip(client, more);
    await client.closed;
    expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
    await isServed();
  });

  test('does not count the time of the answer', async () => {
    await start(limits);
    const answer = post('/embeddings', 'a body');
    await pause(1_800);
    released.resolve();
    expect(await (await answer).text()).toBe('6');
  });
});

describe('connections that wait for their client', () => {
  test('are at most so many: the longest waiting is closed', async () => {
    await start({ maxWaiting: 20 });
    const clients = await Promise.all(Array.from({ length: 60 }, () => open()));
    await isServed();
    const left = clients.filter(({ socket }) => !socket.destroyed);
    expect(left.length).toBeLessThanOrEqual(20);
    expect(left.length).toBeGreaterThan(10);
  });

  test('do not count while their request runs', async () => {
    await start({ maxWaiting: 5 });
    const running = Array.from({ length: 30 }, () => post('/embeddings', 'x'));
    await pause(300);
    await Promise.all(Array.from({ length: 10 }, () => open()));
    released.resolve();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(30).fill(200));
  });

  test('hold at most so many bytes of unfinished bodies', async () => {
    const size = 100_000;
    await start({ maxArrivingBytes: 10 * size });
    const half = head(`content-length: ${2 * size}\r\n`) + 'x'.repeat(size);
    const clients = [];
    for (let count = 0; count < 30; count++) clients.push(await open(half));
    await pause(300);
    const left = clients.filter(({ socket }) => !socket.destroyed);
    expect(left.length).toBeLessThanOrEqual(10);
    expect((await post('/models', 'y'.repeat(size))).status).toBe(200);
  });

  test.each([
    ['an answered request', head()],
    ['a refused request', head('', '/none')],
  ])('count as well behind %s of the same connection', async (_, before) => {
    const size = 100_000;
    await start({ maxArrivingBytes: 10 * size });
    const attackers = [];
    for (let count = 0; count < 9; count++) {
      attackers.push(await open(`${before}${head(`content-length: ${10 * size}\r\n`)}${'x'.repeat(size)}`));
    }
    await pause(200);
    const client = await open(head('content-length: 4\r\n'));
    client.socket.write('ab');
    await pause(100);
    for (const { socket } of attackers) socket.write('x'.repeat(size));
    await pause(300);
    client.socket.write('cd');
    await pause(200);
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 /);
    expect(attackers.some(({ socket }) => socket.destroyed)).toBe(true);
  });

  test('give their room back when they have gone', async () => {
    await start({ maxWaiting: 20, maxArrivingBytes: 100_000 });
    for (let round = 0; round < 5; round++) {
      const clients = await Promise.all(
        Array.from({ length: 10 }, () => open(head('content-length: 100000\r\n') + 'x'.repeat(9_000))),
      );
      for (const { socket } of clients) socket.destroy();
      await Promise.all(clients.map(({ closed }) => closed));
    }
    const body = 'z'.repeat(90_000);
    expect(await (await post('/models', body)).text()).toBe('90000');
  });
});

describe('requests that run', () => {
  test('are at most so many: a further one is answered 429', async () => {
    await start({ maxRunning: 3 });
    const running = Array.from({ length: 3 }, () => post('/embeddings'));
    await pause(200);
    const refused = await post();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    released.resolve();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await isServed();
  });

  test('of one connection are fewer, and answered in their order', async () => {
    await start({ maxPipelined: 4 });
    const client = await open(head('', '/embeddings').repeat(500));
    await pause(300);
    await isServed();
    released.resolve();
    while ((client.received().match(/HTTP\/1\.1 /g) ?? []).length < 500) await pause(20);
    const statuses = Array.from(client.received().matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status);
    expect(statuses.slice(0, 4)).toEqual(['200', '200', '200', '200']);
    expect(new Set(statuses.slice(4))).toEqual(new Set(['429']));
  });

  test('of one connection, one after the other, are as many as a client likes', async () => {
    await start({ maxPipelined: 1, maxRunning: 1, maxWaiting: 1 });
    const client = await open();
    for (let count = 1; count <= 100; count++) {
      client.socket.write(head());
      while ((client.received().match(/HTTP\/1\.1 200/g) ?? []).length < count) await pause(1);
    }
  });
});

describe('what is no usual request', () => {
  const absolute = (target: string) => `POST ${target} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  const many = Array.from({ length: 5_000 }, (_, index) => `x-${index}: 1\r\n`).join('');
  const chunked = (text: string) => head('transfer-encoding: chunked\r\n') + text;

  test.each([
    ['an upgrade to WebSocket', head('connection: upgrade\r\nupgrade: websocket\r\n'), /^HTTP\/1\.1 200 /],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['CONNECT', 'CONNECT 169.254.169.254:80 HTTP/1.1\r\nhost: localhost\r\n\r\n', /^(HTTP\/1\.1 40[04] |$)/],
    ['a method of its own', 'BREW /models HTTP/1.1\r\nhost: localhost\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a thousand headers too many', head(many), /^HTTP\/1\.1 431 /],
    ['a long chunk extension', chunked(`1;${'x'.repeat(100_000)}\r\na\r\n0\r\n\r\n`), /^HTTP\/1\.1 413 /],
    ['long trailers', chunked(`1\r\na\r\n0\r\n${many}\r\n`), /^HTTP\/1\.1 431 /],
    ['a chunk of an absurd size', chunked('fffffffffffffffff\r\na'), /^HTTP\/1\.1 400 /],
    ['two lengths', head('content-length: 1\r\ncontent-length: 2\r\n'), /^HTTP\/1\.1 400 /],
    [
      'a length beside chunks',
      head('content-length: 1\r\ntransfer-encoding: chunked\r\n'),
      /^HTTP\/1\.1 400 /,
    ],
    ['a whole URL of this server', absolute('http://localhost/models'), /^HTTP\/1\.1 200 /],
    ['a whole URL of another server', absolute('http://evil.example/models'), /^HTTP\/1\.1 421 /],
    [
      'a whole URL of another server with our name',
      absolute('http://localhost@evil.example/models'),
      /^HTTP\/1\.1 421 /,
    ],
    ['a whole URL inside the network', absolute('http://169.254.169.254/models'), /^HTTP\/1\.1 421 /],
    ['a file as target', absolute('file:///models'), /^HTTP\/1\.1 4(00|21) /],
    ['a target that is no URL', absolute('http://[/models'), /^HTTP\/1\.1 40[04] /],
    ['a path that looks like a host', absolute('//evil.example/models'), /^HTTP\/1\.1 404 /],
    ['a target without end', `POST /${'x'.repeat(200_000)} HTTP/1.1\r\n`, /^HTTP\/1\.1 431 /],
  ])('%s', async (_, text, answer) => {
    await start({ maxHeadersMs: 1_000, maxRequestMs: 1_000 });
    const client = await open(text);
    client.socket.end();
    await client.closed;
    expect(client.received()).toMatch(answer);
    expect(client.received()).not.toContain('xxxxxxxxxx');
    await isServed();
  });
});
