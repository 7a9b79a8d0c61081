/** Exchanges whose whole response is read at once, over both HTTP clients: their timeouts, their limit, and lost connections. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpClient } from '../../lib/transport/http-client/http-client.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { calm, failureOf, reset, startTcp, startUpstream } from './upstream.ts';

const clients = [
  { name: 'undici', create: () => createHttpClient() },
  { name: 'Node', create: () => createNodeClient() },
];

describe.each(clients)('an exchange over $name', ({ create }) => {
  const maxBytes = 100_000;

  function open(timeouts = calm) {
    const client = create();
    onTestFinished(() => client.close());
    return (url: string, body = 'x', headers = {}) =>
      client.sendForText({ method: 'POST', url: `${url}/`, headers, body }, { timeouts, maxBytes });
  }

  test('gives status, headers and text, and asks for no compression', async () => {
    const seen: unknown[] = [];
    const upstream = await startUpstream(async (request, response) => {
      const { method, url, headers } = request;
      const chunks = await Array.fromAsync(request);
      seen.push([method, url, headers['accept-encoding'], headers['x-key'], String(Buffer.concat(chunks))]);
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(201, { 'x-one': 'a' }).end('grüße');
    });
    const response = await open()(upstream.url, 'für', { 'x-key': 'k' });
    expect(response).toMatchObject({ status: 201, headers: { 'x-one': 'a' }, text: 'grüße' });
    expect(seen).toEqual([['POST', '/', 'identity', 'k', 'für']]);
  });

  test('joins the pieces of a text, also within a character', async () => {
    const bytes = Buffer.from('{"a":"ü"}');
    const upstream = await startUpstream(async (_request, response) => {
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        await sleep(5);
      }
      response.end();
    });
    expect((await open()(upstream.url)).text).toBe('{"a":"ü"}');
  });

  test('may have no body', async () => {
    const upstream = await startUpstream((_request, response) => response.end());
    expect(await open()(upstream.url)).toMatchObject({ status: 200, text: '' });
  });

  test('leaves its connection to the next one', async () => {
    const upstream = await startUpstream((_request, response) => response.end('x'));
    const send = open();
    for (let count = 0; count < 5; count += 1) await send(upstream.url);
    expect(upstream.sockets).toHaveLength(1);
  });

  test('takes another connection if an idle one was reset', async () => {
    const upstream = await startUpstream((_request, response) => response.end('x'));
    const send = open();
    await send(upstream.url);
    await sleep(50);
    await reset(upstream.sockets[0]);
    expect((await send(upstream.url)).text).toBe('x');
    expect(upstream.sockets).toHaveLength(2);
  });

  test('ends above its limit', async () => {
    const upstream = await startUpstream((_request, response) => response.end('x'.repeat(maxBytes + 1)));
    const error = await failureOf(open()(upstream.url));
    expect(error).toMatchObject({ kind: 'upstream_invalid_answer', mayRetry: false });
  });

  test('ends when the connection takes too long', async () => {
    const upstream = await startTcp(() => {});
    const url = upstream.url.replace('http:', 'https:');
    const error = await failureOf(open({ ...calm, connectMs: 80 })(url));
    expect(error).toMatchObject({ kind: 'upstream_unreachable' });
  });

  test.each([
    ['headers', () => {}],
    ['a body', (response: { flushHeaders(): void }) => response.flushHeaders()],
  ])('ends when there are no %s in time', async (_name, answer) => {
    const upstream = await startUpstream((_request, response) => answer(response));
    const error = await failureOf(open({ ...calm, firstByteMs: 300 })(upstream.url));
    expect(error).toMatchObject({ kind: 'upstream_timeout' });
  });

  test('ends when nothing follows, and not while something does', async () => {
    const send = open({ ...calm, idleMs: 1_000 });
    const slow = await startUpstream(async (_request, response) => {
      for (let count = 0; count < 12; count += 1) {
        response.write('.');
        await sleep(120);
      }
      response.end();
    });
    const silent = await startUpstream((_request, response) => response.write('half'));
    const [whole, error] = await Promise.all([send(slow.url), failureOf(send(silent.url))]);
    expect(whole.text).toBe('.'.repeat(12));
    expect(error).toMatchObject({ kind: 'upstream_timeout' });
  });

  test('is cut by a lost connection', async () => {
    const before = await startUpstream((request) => request.socket.destroy());
    const within = await startUpstream((request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half');
      setTimeout(() => request.socket.destroy(), 30);
    });
    const send = open();
    expect(await failureOf(send(before.url))).toMatchObject({ kind: 'upstream_unreachable' });
    expect(await failureOf(send(within.url))).toMatchObject({ kind: 'upstream_cut' });
  });

  test('that cannot be sent is an internal error that does not show the header', async () => {
    const error = await failureOf(open()('http://127.0.0.1:9', 'x', { authorization: 'Bearer secret\n' }));
    expect(error).toMatchObject({ kind: 'internal', message: expect.not.stringContaining('secret') });
  });
});
