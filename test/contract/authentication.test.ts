/** The ways in which clients reach the gateway: the header of their key, compressed bodies, URLs and methods. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { newApiKey } from '../../lib/core/names/api-key.ts';
import { useAccess } from '../harness/access.ts';
import { captureLog } from '../harness/captured-log.ts';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';
import { use } from '../harness/use.ts';

const gateway = useWatchedGateway();
const access = useAccess();

const log = use(captureLog);

const body = { model: 'openai/gpt-4.1', messages: [{ role: 'user', content: 'Hello.' }] };

/** `authorization` is that of the gateway's first key unless it is given. */
const chat = (headers: Record<string, string>) => gateway.post('/v1/chat/completions', body, headers);

const newSecret = async () => (await access.newKey()).authorization.replace('Bearer ', '');

describe('a key', () => {
  test.each(['x-api-key', 'api-key'])(
    'is taken from %s, and goes neither upstream nor into the log',
    async (name) => {
      const secret = await newSecret();
      gateway.take();
      const before = log.lines.length;
      expect((await chat({ authorization: '', [name]: secret })).status).toBe(200);
      expect(JSON.stringify(gateway.take())).not.toContain(secret);
      await expect.poll(() => log.lines.slice(before).join(), { timeout: 20_000 }).toContain('"request_id"');
      expect(log.lines.join()).not.toContain(secret);
    },
  );

  test('that differs from another one is refused, and neither is shown', async () => {
    const secret = newApiKey();
    const response = await chat({ 'x-api-key': secret });
    const text = await response.text();
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(text).toContain('Several different API keys');
    expect(text + log.lines.join()).not.toContain(secret);
    expect(gateway.take()).toEqual([]);
  });
});

describe('a compressed body', () => {
  const send = async (coding: string, bytes: Buffer<ArrayBuffer>) => {
    const headers = { 'x-api-key': await newSecret(), 'content-type': 'application/json' };
    return gateway.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { ...headers, 'content-encoding': coding },
      body: bytes,
    });
  };

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('with %s is served', async (coding, encode) => {
    const response = await send(coding, encode(JSON.stringify(body)));
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ object: 'chat.completion' }),
    ]);
  });
});

describe('a URL', () => {
  const post = (path: string) => gateway.post(path, body);

  test.each([
    '/v1/chat/completions/',
    '/v1//chat/completions',
    '//v1/chat/completions',
    '/chat/completions',
    '//chat//completions/',
  ])('%s is served', async (path) => {
    expect((await post(path)).status).toBe(200);
  });

  test.each(['/v1/models/', '/models', '//models', '/openapi.json'])('GET %s is served', async (path) => {
    expect((await gateway.fetch(path)).status).toBe(200);
  });
});

describe('HEAD', () => {
  const headers = async () => ({ 'x-api-key': await newSecret() });

  test.each(['/v1/models', '/v1/openapi.json', '/v1/usage'])(
    'of %s has the head of GET alone',
    async (path) => {
      const [got, head] = await Promise.all(
        ['GET', 'HEAD'].map(async (method) => gateway.fetch(path, { method, headers: await headers() })),
      );
      const typeOf = (response?: Response) => [response?.status, response?.headers.get('content-type')];
      expect(typeOf(head)).toEqual(typeOf(got));
      expect([await head?.text(), typeOf(head)[0]]).toEqual(['', 200]);
    },
  );

  test('of a stored response reads all of it, and is logged as answered', async () => {
    const { authorization } = await access.newKey();
    const made = await gateway.post(
      '/v1/responses',
      { model: body.model, input: 'Hello.' },
      { authorization },
    );
    const { id } = (await made.json()) as { id: string };
    const response = await gateway.fetch(`/v1/responses/${id}`, {
      method: 'HEAD',
      headers: { authorization },
    });
    expect([response.status, await response.text()]).toEqual([200, '']);
    const requestId = response.headers.get('x-request-id') ?? '-';
    const line = () => log.lines.find((one) => one.includes(requestId));
    await expect.poll(line, { timeout: 20_000 }).toContain('"status":200');
  });

  test('of what does not exist has the status alone', async () => {
    const response = await gateway.fetch('/v1/responses/resp_none', {
      method: 'HEAD',
      headers: await headers(),
    });
    expect([response.status, await response.text()]).toEqual([404, '']);
  });

  test.each([
    ['/v1/chat/completions', 'HEAD', 'POST'],
    ['/v1/models', 'POST', 'GET, HEAD'],
    ['/v1/responses/resp_1', 'PUT', 'GET, HEAD, DELETE'],
  ])('of %s: %s is a 405 that lists the methods %s', async (path, method, allowed) => {
    const response = await gateway.fetch(path, { method, headers: await headers() });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed]);
  });
});
