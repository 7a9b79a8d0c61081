/** Which hosts the local server answers for: its own addresses, and the names that its operator lists. */
import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { isLoopback, readAllowedHosts } from '../../server/addresses.ts';
import { type GatewayServer, startServer } from '../../server/http/server.ts';

let server: GatewayServer | undefined;
afterEach(() => server?.close(100));

async function start(options: { readonly host?: string; readonly allowedHosts?: readonly string[] } = {}) {
  const operation = {
    name: 'models' as const,
    method: 'GET' as const,
    path: '/v1/models',
    authenticated: false,
    reads: [],
    timeoutSeconds: 30,
  };
  server = await startServer({
    operations: [operation],
    invoke: async ({ response }) => void response.writeHead(200).end('{}'),
    port: 0,
    ...options,
  });
}

/** The status and the text of an answer to a request with this Host. */
function ask(host: string, method = 'GET'): Promise<readonly [number | undefined, string]> {
  const { port } = new URL(server?.url ?? '');
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/v1/models', method, headers: { host } })
      .once('error', reject)
      .once('response', async (response) => {
        const parts = await Array.fromAsync(response);
        resolve([response.statusCode, Buffer.concat(parts).toString()]);
      })
      .end();
  });
}

const statusOf = async (host: string, method?: string) => (await ask(host, method))[0];

describe('on loopback', () => {
  test.each(['127.0.0.1', '127.0.0.1:1234', 'localhost', 'LOCALHOST:80', '[::1]', '[::1]:8787'])(
    '%s is answered',
    async (host) => {
      await start();
      expect(await statusOf(host)).toBe(200);
    },
  );

  test.each([
    'evil.example',
    'evil.example:8787',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.example#127.0.0.1',
    'evil.example:127.0.0.1',
    '127.0.0.1@evil.example',
    '192.0.2.7',
    '0.0.0.0',
    '[2001:db8::7]',
    'ö'.repeat(2),
  ])('"%s" is refused', async (host) => {
    await start();
    for (const method of ['GET', 'POST', 'OPTIONS']) expect(await statusOf(host, method)).toBe(421);
  });

  test('the refusal has the form of all errors, and explains how to allow the name', async () => {
    await start();
    const [status, text] = await ask('evil.example');
    expect(status).toBe(421);
    expect(text).not.toContain('evil');
    expect(JSON.parse(text)).toEqual({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        code: null,
        param: null,
        message: expect.stringContaining('GATEWAY_ALLOWED_HOSTS'),
      },
      request_id: expect.stringMatching(/^[\w-]{36}$/),
    });
  });

  test('a name that the operator lists is answered', async () => {
    await start({ allowedHosts: readAllowedHosts('Gateway.internal, host.docker.internal,[2001:db8::7]') });
    expect(await statusOf('gateway.internal:8787')).toBe(200);
    expect(await statusOf('host.docker.internal')).toBe(200);
    expect(await statusOf('[2001:db8::7]:80')).toBe(200);
    expect(await statusOf('evil.example')).toBe(421);
  });
});

describe('on other addresses', () => {
  // Other systems have one loopback address.
  test.skipIf(process.platform !== 'linux')(
    'the address of HOST is answered, and is the base URL',
    async () => {
      await start({ host: '127.0.0.2' });
      expect(server?.url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
      expect((await fetch(`${server?.url}/v1/models`)).status).toBe(200);
    },
  );

  test('on all of them, addresses are answered, and names are not', async () => {
    await start({ host: '0.0.0.0' });
    expect(server?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    for (const host of ['192.0.2.7:8787', '[2001:db8::7]', 'localhost'])
      expect(await statusOf(host)).toBe(200);
    for (const host of ['evil.example', '1.evil.example', '[evil.example]', '2001:db8::[7]', '[192].0.2.7'])
      expect(await statusOf(host)).toBe(421);
  });

  test('only loopback needs no warning', () => {
    expect(['127.0.0.1', '127.1.2.3', 'localhost', '::1'].filter(isLoopback)).toHaveLength(4);
    const open = ['0.0.0.0', '::', '192.168.1.5', 'gateway.example.com', '127.0.0.1.example.com'];
    expect(open.filter(isLoopback)).toEqual([]);
  });
});

test('a list has at most twenty names', () => {
  expect(readAllowedHosts(Array(20).fill('a').join())).toHaveLength(20);
  expect(readAllowedHosts(' , ')).toEqual([]);
});

test.each(['https://a.example', 'a.example:80', 'a/b', '*', Array(21).fill('a').join()])(
  'a list of names with %s is refused',
  (text) => {
    expect(() => readAllowedHosts(text)).toThrow('GATEWAY_ALLOWED_HOSTS');
  },
);
