/** What the server answers by itself: unknown addresses, other pages of browsers, and requests from elsewhere. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { operationNamed, operations } from '../../lib/core/operations.ts';
import { adminGatewayResponses, gatewayResponses } from '../../server/http/gateway-responses.ts';
import { createIsFromOrigin } from '../../server/http/origin-secret.ts';
import {
  type GatewayServer,
  type ReceivedRequest,
  type ServerOptions,
  startServer,
} from '../../server/http/server.ts';

let server: GatewayServer | undefined;
afterEach(() => server?.close(100));

/** A server whose functions answer with their names. */
async function start(options: Partial<ServerOptions> = {}): Promise<string> {
  server = await startServer({
    operations,
    invoke: async ({ response, operation }) => void response.writeHead(200).end(operation.name),
    port: 0,
    log: { info: () => {}, error: () => {} },
    ...options,
  });
  return server.url;
}

describe('an unknown address', () => {
  test.each([
    ['/v1/audio/voices', 'The gateway does not have this operation.'],
    ['/v1/images/variations', 'The gateway does not have this operation.'],
    ['/v1/filesystem/else', 'The base URL ends in /v1.'],
    ['/', 'The base URL ends in /v1.'],
    ['/v1/v1/chat/completions', 'Did you mean /v1/chat/completions?'],
    ['/openai/v1/chat/completions', 'Did you mean /v1/chat/completions?'],
    ['/v1/chat/completion', 'Did you mean /v1/chat/completions?'],
    [
      '/v1/v1/messages',
      'Did you mean /v1/messages? The base URL of Anthropic clients, such as Claude Code, ends before /v1.',
    ],
  ])('%s is answered with a hint', async (path, hint) => {
    const response = await fetch(`${await start()}${path}?beta=true`, { method: 'POST' });
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        type: 'error',
        error: {
          type: 'not_found_error',
          code: null,
          param: null,
          message: `Unknown request URL: POST ${path}. ${hint}`,
        },
        request_id: response.headers.get('request-id'),
      },
    ]);
    expect(response.headers.get('x-request-id')).toBe(response.headers.get('request-id'));
  });

  test('is repeated in part only', async () => {
    const response = await fetch(`${await start()}/${'x'.repeat(300)}`);
    expect(await response.text()).toContain(`GET /${'x'.repeat(199)}. `);
  });
});

describe('other pages', () => {
  const page = 'https://page.example';
  const preflight = (url: string, path: string, origin = page) =>
    fetch(url + path, { method: 'OPTIONS', headers: { origin } });
  const openTo = ({ headers }: Response) => headers.get('access-control-allow-origin');

  test('may call if they are listed, and read what the server answers by itself', async () => {
    const url = await start({ corsOrigins: [page] });
    const allowed = await preflight(url, '/v1/chat/completions');
    expect([allowed.status, openTo(allowed), allowed.headers.get('access-control-max-age')]).toEqual([
      204,
      page,
      '7200',
    ]);
    expect(openTo(await preflight(url, '/v1/chat/completions', 'https://other.example'))).toBeNull();
    expect(openTo(await fetch(`${url}/v1/unknown`))).toBe('*');
    const called = await fetch(`${url}/v1/models`, { headers: { origin: page } });
    expect(await called.text()).toBe('models');
  });

  test('may not if none is listed: the function answers', async () => {
    const url = await start();
    expect(await (await preflight(url, '/v1/chat/completions')).text()).toBe('chat-completions');
    expect(openTo(await fetch(`${url}/v1/unknown`))).toBeNull();
  });

  test('may not call what is not of the public API', async () => {
    const admin = { ...operationNamed('models'), path: '/admin/v1/models' };
    const url = await start({ operations: [admin], corsOrigins: ['*'] });
    expect(await (await preflight(url, admin.path)).text()).toBe('models');
  });
});

test('a request that does not come from API Gateway is refused without its body, and counted', async () => {
  const secret = 'origin-secret-0123456789';
  const url = await start({ isFromOrigin: createIsFromOrigin([secret]) });
  const ask = (given: string) =>
    fetch(`${url}/v1/models`, { method: 'POST', headers: { 'x-origin-secret': given }, body: 'a' });
  const refused = await ask('another');
  expect([refused.status, refused.headers.get('connection')]).toEqual([403, 'close']);
  expect(await (await ask(secret)).text()).toBe('models');
  await expect.poll(() => server?.counted().refusals).toEqual({ 'reason="access_denied"': 1 });
});

test('each request is reported when it has arrived', async () => {
  const received: ReceivedRequest[] = [];
  const url = await start({ onRequest: (request) => void received.push(request) });
  const response = await fetch(`${url}/v1/unknown?a=1`, { method: 'POST' });
  expect(received).toMatchObject([
    { method: 'POST', path: '/v1/unknown', requestId: response.headers.get('x-request-id') },
  ]);
});

/** The answer to a request of this head, and its body. */
async function ask(url: string, head: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(`${head}\r\nconnection: close\r\n\r\n`);
  const [answer = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { answer, body };
}

test('the values of headers may have 10,240 bytes together', async () => {
  const url = await start({ allowedHosts: 'any' });
  const others = 'close'.length + 'a'.length;
  const statusOf = async (length: number) => {
    const { answer } = await ask(
      url,
      `GET /v1/models HTTP/1.1\r\nhost: a\r\nx-long-name: ${'x'.repeat(length)}`,
    );
    return answer.slice(9, 12);
  };
  expect([await statusOf(10_240 - others), await statusOf(10_241 - others)]).toEqual(['200', '431']);
});

test.each([
  ['GET http://[ HTTP/1.1\r\nhost: a', 404, 'Unknown request URL: GET /.'],
  [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(60_000)}`, 431, 'could not be accepted'],
  ['GET / HTTP/1.1\r\nhost: a\r\ncontent-length: x', 400, 'could not be accepted'],
])('what cannot be parsed is answered in the shape of all errors (%#)', async (head, status, message) => {
  const url = await start({ allowedHosts: 'any' });
  const { answer, body } = await ask(url, head);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
  expect(answer.toLowerCase()).toContain('\r\nconnection: close');
  const { error, request_id } = JSON.parse(body);
  expect(error.message).toContain(message);
  expect(answer).toContain(`x-request-id: ${request_id}`);
});

test('where people sign in, five answers are others, and all the rest the same', () => {
  const others = gatewayResponses.filter((row, index) => adminGatewayResponses[index] !== row);
  expect(adminGatewayResponses.map(({ type }) => type)).toEqual(gatewayResponses.map(({ type }) => type));
  expect(others.map(({ type }) => type)).toEqual([
    'MISSING_AUTHENTICATION_TOKEN',
    'INVALID_SIGNATURE',
    'EXPIRED_TOKEN',
    'RESOURCE_NOT_FOUND',
    'UNAUTHORIZED',
  ]);
  const [signedOut] = adminGatewayResponses.filter(({ type }) => type === 'EXPIRED_TOKEN');
  expect(signedOut).toMatchObject({
    status: 401,
    code: 'signed_out',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
});
