/** The ways in which clients reach the gateway: the header of their key, and compressed bodies. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newApiKey } from '../../lib/core/api-key.ts';
import { useAccess } from '../harness/access.ts';
import { type CapturedLog, captureLog } from '../harness/captured-log.ts';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const gateway = useWatchedGateway();
const access = useAccess();

let log: CapturedLog;
beforeAll(() => {
  log = captureLog();
});
afterAll(() => log.release());

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

  test('with another coding is a 415 that names the header', async () => {
    const response = await send('compress', gzipSync(JSON.stringify(body)));
    expect([response.status, await response.text()]).toEqual([
      415,
      expect.stringContaining("'Content-Encoding'"),
    ]);
  });

  test('that holds a thousand times its size is a 413', async () => {
    const bomb = gzipSync(Buffer.alloc(128 * 1024 ** 2));
    expect(bomb.length).toBeLessThan(134 * 1024);
    expect((await send('gzip', bomb)).status).toBe(413);
  });
});
