/** Both HTTP clients over real connections: their three timeouts, and what happens when one side closes. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpResponse } from '../../lib/core/ports/http.ts';
import { createHttpClient, type HttpClientOptions } from '../../lib/transport/http-client/http-client.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { readBody } from '../../lib/transport/read-body.ts';
import { calm, failureOf, reset, startTcp, startUpstream, type Upstream } from './upstream.ts';

function withUndici(options: HttpClientOptions = {}) {
  const client = createHttpClient(options);
  onTestFinished(() => client.close());
  return client;
}

function withNode() {
  const client = createNodeClient();
  onTestFinished(() => client.close());
  return client;
}

const clients = [
  { name: 'undici', createClient: () => withUndici() },
  { name: 'Node', createClient: withNode },
];

const get = (url: string) => ({ method: 'GET', url, headers: {} }) as const;
const read = (response: HttpResponse) => readBody(response, 1_000_000);

/** Longer than a busy machine needs, and shorter than idle connections are kept. */
const patienceMs = 15_000;

/** Resolves when the first connection is closed. */
async function closed({ sockets }: Pick<Upstream, 'sockets'>): Promise<void> {
  await until(() => sockets.length > 0);
  const [socket] = sockets;
  if (socket && !socket.destroyed) await once(socket, 'close', { signal: AbortSignal.timeout(patienceMs) });
}

async function until(condition: () => boolean): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  while (!condition()) await sleep(5, undefined, { signal });
}

describe.each(clients)('a request over $name', ({ createClient }) => {
  test('arrives with its method, path, headers and body, and asks for no compression', async () => {
    const seen: unknown[] = [];
    const upstream = await startUpstream(async (request, response) => {
      const { method, url, headers } = request;
      seen.push({ method, url, encoding: headers['accept-encoding'], key: headers['x-key'] });
      for await (const chunk of request) seen.push(String(chunk));
      response.end();
    });
    const url = `${upstream.url}/model/a.b-v1%3A0/converse?alt=sse`;
    const headers = { 'x-key': 'k' };
    await createClient().send({ method: 'POST', url, headers, body: 'grüße' }, { timeouts: calm });
    expect(seen).toEqual([
      { method: 'POST', url: '/model/a.b-v1%3A0/converse?alt=sse', encoding: 'identity', key: 'k' },
      'grüße',
    ]);
  });

  test('may have a body that is made while it is sent, with its length', async () => {
    const seen: unknown[] = [];
    const upstream = await startUpstream(async (request, response) => {
      const parts = await Array.fromAsync(request, String);
      seen.push(request.headers['content-length'], parts.join(''));
      response.end();
    });
    const body = { byteLength: 300_007, pieces: () => ['grüße', Buffer.alloc(300_000, 65)] };
    const { status } = await createClient().send(
      { method: 'POST', url: `${upstream.url}/`, headers: {}, body },
      { timeouts: calm },
    );
    expect([status, seen]).toEqual([200, ['300007', `grüße${'A'.repeat(300_000)}`]]);
  });

  test('goes where its own URL leads, whatever the one before did', async () => {
    const { send } = createClient();
    const [one, other] = await Promise.all(
      ['one', 'other'].map((name) => startUpstream(({ url }, response) => response.end(`${name} ${url}`))),
    );
    const urls = [`${one?.url}/a?b=c`, `${one?.url}/a?b=c`, `${other?.url}/a?b=c`, `${one?.url}/a`];
    const answers: string[] = [];
    for (const url of urls) answers.push(await read(await send(get(url), { timeouts: calm })));
    expect(answers).toEqual(['one /a?b=c', 'one /a?b=c', 'other /a?b=c', 'one /a']);
  });

  test('keeps an encoding that the caller chose', async () => {
    const upstream = await startUpstream(({ headers }, response) => response.end(headers['accept-encoding']));
    const request = { ...get(upstream.url), headers: { 'accept-encoding': 'gzip' } };
    expect(await read(await createClient().send(request, { timeouts: calm }))).toBe('gzip');
  });

  test('is answered with status, joined headers and body', async () => {
    const upstream = await startUpstream((_request, response) => {
      response.writeHead(
        429,
        [
          ['X-One', 'a'],
          ['x-one', 'b'],
          ['Retry-After', '3'],
        ].flat(),
      );
      response.end('later');
    });
    const response = await createClient().send(get(upstream.url), { timeouts: calm });
    expect(response).toMatchObject({ status: 429, headers: { 'x-one': 'a, b', 'retry-after': '3' } });
    expect(await read(response)).toBe('later');
  });

  test('is not redirected', async () => {
    const upstream = await startUpstream((_request, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await createClient().send(get(upstream.url), { timeouts: calm })).toMatchObject({ status: 302 });
  });

  test('is not answered by early hints', async () => {
    const upstream = await startUpstream((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.end('whole');
    });
    const response = await createClient().send(get(upstream.url), { timeouts: calm });
    expect([response.status, await read(response)]).toEqual([200, 'whole']);
  });

  test('uses the connection of the one before', async () => {
    const upstream = await startUpstream((_request, response) => response.end('x'));
    const { send } = createClient();
    for (let count = 0; count < 3; count += 1) await read(await send(get(upstream.url), { timeouts: calm }));
    expect(upstream.sockets).toHaveLength(1);
  });

  test('uses another connection if an idle one was reset, and the process survives', async () => {
    const upstream = await startUpstream((_request, response) => response.end('x'));
    const { send } = createClient();
    await read(await send(get(upstream.url), { timeouts: calm }));
    await sleep(50);
    await reset(upstream.sockets[0]);
    expect(await read(await send(get(upstream.url), { timeouts: calm }))).toBe('x');
    expect(upstream.sockets).toHaveLength(2);
  });

  test('that cannot be sent is an internal error that does not show the header', async () => {
    const request = { ...get('http://127.0.0.1:9'), headers: { authorization: 'Bearer secret\n' } };
    const error = await failureOf(createClient().send(request, { timeouts: calm }));
    expect(error).toMatchObject({ kind: 'internal', message: expect.not.stringContaining('secret') });
  });
});

describe.each(clients)('the connect timeout over $name', ({ createClient }) => {
  test('ends a TLS handshake that hangs', async () => {
    const upstream = await startTcp(() => {});
    const url = upstream.url.replace('http:', 'https:');
    const error = await failureOf(createClient().send(get(url), { timeouts: { ...calm, connectMs: 80 } }));
    expect(error).toMatchObject({ kind: 'upstream_unreachable', code: 'provider_unreachable' });
  });

  test('does not fire while a thousand responses of one provider are running', async () => {
    const upstream = await startUpstream((_request, response) => response.write('busy'));
    const { send } = createClient();
    const all = Array.from({ length: 1_000 }, () => send(get(upstream.url), { timeouts: calm }));
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('stops when the request is on a socket', async () => {
    const upstream = await startUpstream(async (_request, response) => {
      await sleep(1_800);
      response.end('slow');
    });
    const response = await createClient().send(get(upstream.url), {
      timeouts: { ...calm, connectMs: 1_500 },
    });
    expect(await read(response)).toBe('slow');
  });
});

describe.each(clients)('the first-byte timeout over $name', ({ createClient }) => {
  const timeouts = { ...calm, firstByteMs: 1_000 };

  test('fires when no headers arrive, and closes the connection', async () => {
    const upstream = await startUpstream(() => {});
    const error = await failureOf(createClient().send(get(upstream.url), { timeouts }));
    expect(error).toMatchObject({ kind: 'upstream_timeout', code: 'provider_timeout' });
    await closed(upstream);
  });

  test('fires when headers arrive and then no body', async () => {
    const upstream = await startUpstream((_request, response) => response.flushHeaders());
    const response = await createClient().send(get(upstream.url), { timeouts });
    expect(await failureOf(read(response))).toMatchObject({ kind: 'upstream_timeout' });
    await closed(upstream);
  });

  test('does not fire for a response without a body', async () => {
    const upstream = await startUpstream((_request, response) => response.writeHead(204).end());
    const response = await createClient().send(get(upstream.url), { timeouts });
    await sleep(1_300);
    expect(await read(response)).toBe('');
  });
});

describe.each(clients)('the idle timeout over $name', ({ createClient }) => {
  const timeouts = { ...calm, idleMs: 1_000 };

  test('fires between two chunks, after the earlier data has been read', async () => {
    const upstream = await startUpstream((_request, response) => response.write('half'));
    const response = await createClient().send(get(upstream.url), { timeouts });
    const chunks: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body) chunks.push(new TextDecoder().decode(chunk));
    })();
    expect(await failureOf(reading)).toMatchObject({ kind: 'upstream_timeout' });
    expect(chunks).toEqual(['half']);
    await closed(upstream);
  });

  test('starts over with each chunk, so that a long stream lives', async () => {
    const upstream = await startUpstream(async (_request, response) => {
      for (let count = 0; count < 12; count += 1) {
        response.write('.');
        await sleep(120);
      }
      response.end();
    });
    expect(await read(await createClient().send(get(upstream.url), { timeouts }))).toBe('.'.repeat(12));
  });

  test('does not fire while the reader is slow', async () => {
    const whole = 'x'.repeat(900_000);
    const upstream = await startUpstream((_request, response) => response.end(whole));
    const response = await createClient().send(get(upstream.url), { timeouts });
    await sleep(1_300);
    expect((await read(response)).length).toBe(whole.length);
  });
});

describe.each(clients)('a lost connection over $name', ({ createClient }) => {
  test('that was refused is an unreachable provider, and the message names no host', async () => {
    const error = await failureOf(createClient().send(get('http://127.0.0.1:9/'), { timeouts: calm }));
    expect(error).toMatchObject({
      kind: 'upstream_unreachable',
      message: expect.not.stringMatching(/127|localhost/),
    });
  });

  test('before the headers is an unreachable provider', async () => {
    const upstream = await startUpstream((request) => request.socket.destroy());
    const error = await failureOf(createClient().send(get(upstream.url), { timeouts: calm }));
    expect(error).toMatchObject({ kind: 'upstream_unreachable' });
  });

  test('in a chunked body is a cut stream, after what came before is read', async () => {
    const upstream = await startUpstream((request, response) => {
      response.write('half');
      setTimeout(() => request.socket.destroy(), 30);
    });
    const response = await createClient().send(get(upstream.url), { timeouts: calm });
    const chunks: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body) chunks.push(new TextDecoder().decode(chunk));
    })();
    expect(await failureOf(reading)).toMatchObject({ kind: 'upstream_cut', code: 'provider_stream_cut' });
    expect(chunks).toEqual(['half']);
  });

  test('in a body of known length is a cut stream', async () => {
    const upstream = await startUpstream((request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half');
      setTimeout(() => request.socket.end(), 30);
    });
    const response = await createClient().send(get(upstream.url), { timeouts: calm });
    expect(await failureOf(read(response))).toMatchObject({ kind: 'upstream_cut' });
  });
});

describe.each(clients)('a caller that disconnects over $name', ({ createClient }) => {
  test('before the start causes no request', async () => {
    const upstream = await startUpstream((_request, response) => response.end());
    const sending = createClient().send(get(upstream.url), { timeouts: calm, signal: AbortSignal.abort() });
    expect(await failureOf(sending)).toMatchObject({ kind: 'client_closed' });
    expect(upstream.sockets).toHaveLength(0);
  });

  test('before the headers closes the connection upstream', async () => {
    const upstream = await startUpstream(() => {});
    const caller = new AbortController();
    const sending = createClient().send(get(upstream.url), { timeouts: calm, signal: caller.signal });
    await until(() => upstream.sockets.length === 1);
    setTimeout(() => caller.abort(), 30);
    expect(await failureOf(sending)).toMatchObject({ kind: 'client_closed' });
    await closed(upstream);
  });

  test('in the middle of the body closes the connection upstream', async () => {
    const upstream = await startUpstream((_request, response) => response.write('half'));
    const caller = new AbortController();
    const response = await createClient().send(get(upstream.url), { timeouts: calm, signal: caller.signal });
    setTimeout(() => caller.abort(), 30);
    expect(await failureOf(read(response))).toMatchObject({ kind: 'client_closed' });
    await closed(upstream);
  });

  test('after the end changes nothing', async () => {
    const upstream = await startUpstream((_request, response) => response.end('whole'));
    const caller = new AbortController();
    const { send } = createClient();
    const response = await send(get(upstream.url), { timeouts: calm, signal: caller.signal });
    await sleep(50);
    caller.abort();
    expect(await read(response)).toBe('whole');
    await read(await send(get(upstream.url), { timeouts: calm }));
    expect(upstream.sockets).toHaveLength(1);
  });

  test('while a handshake hangs does not block others', async () => {
    const upstream = await startTcp(() => {});
    const url = upstream.url.replace('http:', 'https:');
    const caller = new AbortController();
    const { send } = createClient();
    const sending = send(get(url), { timeouts: calm, signal: caller.signal });
    await until(() => upstream.sockets.length === 1);
    caller.abort();
    expect(await failureOf(sending)).toMatchObject({ kind: 'client_closed' });
    const next = send(get(url), { timeouts: { ...calm, connectMs: 200 } });
    expect(await failureOf(next)).toMatchObject({ kind: 'upstream_unreachable' });
    await until(() => upstream.sockets.length > 1);
    expect(upstream.sockets).toHaveLength(2);
  });
});

describe('callers that wait for a free connection', () => {
  test('get the connect timeout', async () => {
    const upstream = await startUpstream((_request, response) => response.write('busy'));
    const { send } = withUndici({ connections: 1 });
    await send(get(upstream.url), { timeouts: calm });
    const error = await failureOf(send(get(upstream.url), { timeouts: { ...calm, connectMs: 80 } }));
    expect(error).toMatchObject({ kind: 'upstream_unreachable' });
  });

  test('and leave get an error at once, are never sent, and do not block later requests', async () => {
    const paths: (string | undefined)[] = [];
    let release = () => {};
    const upstream = await startUpstream((request, response) => {
      paths.push(request.url);
      if (request.url === '/first') release = () => response.end();
      else response.end('done');
    });
    const { send } = withUndici({ connections: 1 });
    const first = send(get(`${upstream.url}/first`), { timeouts: calm });
    await until(() => paths.length === 1);
    const caller = new AbortController();
    const leaving = Array.from({ length: 20 }, () =>
      failureOf(send(get(`${upstream.url}/left`), { timeouts: calm, signal: caller.signal })),
    );
    const patient = send(get(`${upstream.url}/patient`), { timeouts: calm });
    caller.abort();
    for (const error of await Promise.all(leaving)) expect(error).toMatchObject({ kind: 'client_closed' });
    release();
    await read(await first);
    expect(await read(await patient)).toBe('done');
    expect(await read(await send(get(`${upstream.url}/later`), { timeouts: calm }))).toBe('done');
    expect(paths).toEqual(['/first', '/patient', '/later']);
    expect(upstream.sockets).toHaveLength(1);
  });

  test('and leave together with its subject do not block later requests', async () => {
    const upstream = await startUpstream((request, response) => {
      if (request.url === '/patient') response.end('done');
      else response.write('half');
    });
    const { send } = withUndici({ connections: 1 });
    const caller = new AbortController();
    const options = { timeouts: calm, signal: caller.signal };
    await send(get(`${upstream.url}/first`), options);
    const leaving = Array.from({ length: 20 }, () => failureOf(send(get(`${upstream.url}/left`), options)));
    const patient = send(get(`${upstream.url}/patient`), { timeouts: calm });
    caller.abort();
    await Promise.all(leaving);
    expect(await read(await patient)).toBe('done');
    await closed(upstream);
  });
});

describe.each(clients)('a reader over $name', ({ createClient }) => {
  test('that stops early closes the connection upstream', async () => {
    const upstream = await startUpstream((_request, response) => response.write('half'));
    const response = await createClient().send(get(upstream.url), { timeouts: calm });
    for await (const _chunk of response.body) break;
    await closed(upstream);
  });

  test('that is slow makes the sender wait, and loses nothing', async () => {
    const total = 64 * 1024 * 1024;
    const upstream = await startUpstream((_request, response) => response.end(Buffer.alloc(total, 'x')));
    const response = await createClient().send(get(upstream.url), { timeouts: calm });
    await sleep(400);
    const [socket] = upstream.sockets;
    const unsent = socket?.writableLength ?? 0;
    expect(unsent).toBeGreaterThan(total / 2);
    let received = 0;
    for await (const chunk of response.body) received += chunk.length;
    expect(received).toBe(total);
  });
});
