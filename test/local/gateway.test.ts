/** The whole local gateway in one process: the real functions between the HTTP server and the sandbox. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalGateway, startGateway } from '../../local/gateway.ts';
import { chooseFirstModel } from '../../local/terminal/greeting.ts';
import { newDirectory } from '../harness/new-directory.ts';

const modelOf = (provider: string) => chooseFirstModel([{ provider, kind: 'sandbox' }]);

const sandboxed = ['openai', 'google', 'bedrock'];

describe('the local gateway', () => {
  // A provider that accepts a request and never answers.
  const silent = createServer(() => {});
  let gateway: LocalGateway;
  const directory = newDirectory();

  beforeAll(async () => {
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const upstream = { ANTHROPIC_UPSTREAM_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: 'key' };
    gateway = await startGateway({
      port: 0,
      dataDirectory: directory,
      environment: { ...upstream, GATEWAY_READ_ON_MS: '100' },
    });
  });

  afterAll(async () => {
    await gateway.close();
    silent.close();
  });

  const complete = (fields: object, init: RequestInit = {}) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...fields }),
      ...init,
    });

  test.each(sandboxed)('is answered by the sandbox of %s', async (provider) => {
    const model = modelOf(provider);
    const response = await complete({ model });
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(await response.json()).toMatchObject({
      model,
      choices: [{ message: { content: expect.stringContaining(`${provider} sandbox`) } }],
    });
  });

  test.each(sandboxed)('streams the sandbox of %s in chunks', async (provider) => {
    const arrivals = async () => {
      const response = await complete({ model: modelOf(provider), stream: true });
      return (await Array.fromAsync(response.body ?? [])).length;
    };
    // A reader that was busy gets several chunks as one.
    await expect.poll(arrivals, { timeout: 60_000 }).toBeGreaterThan(5);
  });

  test('lists its models without a key', async () => {
    const response = await fetch(`${gateway.url}/v1/models`);
    expect(await response.json()).toMatchObject({ object: 'list', data: expect.any(Array) });
  });

  test('reports what answers for each provider', () => {
    expect(gateway.providers).toContainEqual({ provider: 'openai', kind: 'sandbox' });
    expect(gateway.providers).toContainEqual({ provider: 'anthropic', kind: 'upstream' });
  });

  test.each([true, false])(
    'stops the upstream call when the client disconnects and the time for its counts is over (stream: %s)',
    async (stream) => {
      const client = new AbortController();
      const asked = once(silent, 'request') as Promise<[unknown, ServerResponse]>;
      const model = modelOf('anthropic');
      const request = complete({ model, stream }, { signal: client.signal }).catch(() => {});
      const [, upstream] = await asked;
      const stopped = once(upstream, 'close');
      client.abort();
      await stopped;
      await request;
    },
  );
});
