/** Connections that are open before the request that needs them. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createHttpClient } from '../../lib/transport/http-client/http-client.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { readBody } from '../../lib/transport/read-body.ts';
import { calm, failureOf, listen, reset, startUpstream } from './upstream.ts';

const certificate = readFileSync(new URL('test-only-certificate.pem', import.meta.url));

const tls = { ca: certificate };
const clients = [
  { name: 'undici', create: () => createHttpClient({ tls }) },
  { name: 'Node', create: () => createNodeClient(tls) },
];

describe.each(clients)('over $name', ({ create }) => {
  function client() {
    const made = create();
    onTestFinished(() => made.close());
    const ask = async (url: string) =>
      await readBody(await made.send({ method: 'GET', url, headers: {} }, { timeouts: calm }), 1_000);
    return { ask, preconnect: (url: string) => made.preconnect?.(url), close: () => made.close() };
  }

  const answering = () => startUpstream((_request, response) => void response.end('an answer'));

  test('the request uses the connection that was opened early', async () => {
    const upstream = await answering();
    const { ask, preconnect } = client();
    preconnect(`${upstream.url}/v1`);
    await vi.waitFor(() => expect(upstream.sockets).toHaveLength(1), { timeout: 20_000 });
    expect(await ask(`${upstream.url}/v1/models`)).toBe('an answer');
    expect(await ask(`${upstream.url}/v1/models`)).toBe('an answer');
    expect(upstream.sockets).toHaveLength(1);
  });

  test('a TLS handshake takes place early', async () => {
    const server = createServer(
      { key: certificate, cert: certificate },
      (_request, response) => void response.end('an answer'),
    );
    const handshakes = vi.fn();
    server.on('secureConnection', handshakes);
    const { port, sockets } = await listen(server);
    const { ask, preconnect } = client();
    preconnect(`https://127.0.0.1:${port}/v1`);
    await vi.waitFor(() => expect(handshakes).toHaveBeenCalledTimes(1), { timeout: 20_000 });
    expect(await ask(`https://127.0.0.1:${port}/v1/models`)).toBe('an answer');
    expect(sockets).toHaveLength(1);
  });

  test('the request waits for a connection that is being opened, and opens no second one', async () => {
    const upstream = await answering();
    const { ask, preconnect } = client();
    for (let time = 0; time < 3; time += 1) preconnect(upstream.url);
    expect(await ask(upstream.url)).toBe('an answer');
    expect(upstream.sockets).toHaveLength(1);
  });

  test('a connection that was closed in the meantime is replaced', async () => {
    const upstream = await answering();
    const { ask, preconnect } = client();
    preconnect(upstream.url);
    await vi.waitFor(() => expect(upstream.sockets).toHaveLength(1), { timeout: 20_000 });
    const [socket] = upstream.sockets;
    socket?.end();
    // The client has closed its side too.
    if (socket) await once(socket, 'close');
    expect(await ask(upstream.url)).toBe('an answer');
    expect(upstream.sockets).toHaveLength(2);
  });

  test('a connection that was reset in the meantime is replaced, and the process survives', async () => {
    const upstream = await answering();
    const { ask, preconnect } = client();
    preconnect(upstream.url);
    await vi.waitFor(() => expect(upstream.sockets).toHaveLength(1), { timeout: 20_000 });
    // The client has the connection, and nothing uses it.
    await sleep(50);
    await reset(upstream.sockets[0]);
    expect(await ask(upstream.url)).toBe('an answer');
    expect(upstream.sockets).toHaveLength(2);
  });

  test('the request reports that no connection can be opened', async () => {
    const { ask, preconnect } = client();
    preconnect('http://127.0.0.1:1');
    await sleep(50);
    expect(await failureOf(ask('http://127.0.0.1:1'))).toMatchObject({ kind: 'upstream_unreachable' });
  });

  test('an unused connection is closed, at the latest with the client', async () => {
    const upstream = await answering();
    const { preconnect, close } = client();
    preconnect(upstream.url);
    await vi.waitFor(() => expect(upstream.sockets).toHaveLength(1), { timeout: 20_000 });
    const [socket] = upstream.sockets;
    await close();
    if (socket && !socket.destroyed) await once(socket, 'close', { signal: AbortSignal.timeout(4_000) });
    expect(socket?.destroyed).toBe(true);
  });

  test('an unused connection is closed after a few seconds', async () => {
    const upstream = await answering();
    const { preconnect } = client();
    const opened = performance.now();
    preconnect(upstream.url);
    await vi.waitFor(() => expect(upstream.sockets[0]?.destroyed).toBe(true), { timeout: 60_000 });
    expect(performance.now() - opened).toBeGreaterThan(4_000);
  });
});
