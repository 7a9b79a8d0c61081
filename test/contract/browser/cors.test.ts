/** Web pages as clients: what a browser asks and may read, and the official SDK in a real one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../harness/gateways/gateway.ts';
import { browser, type PageServer, startPageServer } from './pages.ts';

let pages: PageServer;
let foreign: PageServer;
let gateway: TestGateway;
beforeAll(async () => {
  [pages, foreign] = await Promise.all([startPageServer(), startPageServer()]);
  gateway = await startTestGateway({ GATEWAY_CORS_ORIGINS: `https://a.example.com,${pages.origin}` });
});
afterAll(async () => {
  await Promise.all([pages?.close(), foreign?.close(), gateway?.close()]);
});

const chatPath = '/v1/chat/completions';
const body = { model: 'anthropic/claude-haiku-4-5', messages: [{ role: 'user', content: 'Hello.' }] };

const allowed = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': '*',
});

const headersOf = async (response: Response) => {
  await response.text();
  return Object.fromEntries(response.headers);
};

describe('a preflight', () => {
  const ask = (path: string, origin: string) =>
    fetch(`${gateway.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-stainless-os',
      },
    });

  test('is answered for every header of a client', async () => {
    const response = await ask(chatPath, pages.origin);
    expect([response.status, await response.clone().text()]).toEqual([204, '']);
    expect(await headersOf(response)).toMatchObject({
      ...allowed(pages.origin),
      'access-control-allow-headers': 'authorization, *',
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
      'access-control-max-age': '7200',
      vary: 'origin',
    });
  });

  test('of another page gets no permission', async () => {
    expect(await headersOf(await ask(chatPath, foreign.origin))).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });
});

describe('an answer to a page', () => {
  const from = (origin: string, path: string, init: RequestInit = {}) =>
    fetch(`${gateway.url}${path}`, { ...init, headers: { origin, ...init.headers } });
  const post = (origin: string, more: object = {}) =>
    gateway.post(chatPath, { ...body, ...more }, { origin });

  test.each([
    [200, {}],
    [200, { stream: true }],
    [400, { temperature: 9 }],
  ])('with status %i to %j can be read', async (status, more) => {
    const response = await post(pages.origin, more);
    expect(response.status).toBe(status);
    expect(await headersOf(response)).toMatchObject({ ...allowed(pages.origin), vary: 'origin' });
  });

  test('that depends on another header, too, says both', async () => {
    const { headers } = await from(pages.origin, '/v1/models');
    expect(headers.get('vary')).toBe('origin, anthropic-version');
  });

  test('that has no key can be read', async () => {
    const response = await from(pages.origin, '/v1/usage');
    expect([response.status, await headersOf(response)]).toEqual([
      401,
      expect.objectContaining(allowed(pages.origin)),
    ]);
  });

  test('by the server itself can be read by every page', async () => {
    for (const init of [{}, { method: 'POST', body: 'x'.repeat(11 * 1024 * 1024) }]) {
      const response = await from(foreign.origin, init.method ? chatPath : '/v1/unknown', init);
      expect([404, 413]).toContain(response.status);
      expect(await headersOf(response)).toMatchObject(allowed('*'));
    }
  });

  test('of an origin that is not listed cannot be read', async () => {
    const headers = await headersOf(await post(foreign.origin));
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).toMatchObject({ vary: 'origin' });
  });
});

test.skipIf(browser === undefined)(
  'the official SDK works in a browser (skipped without Chromium)',
  { timeout: 120_000 },
  async () => {
    const script = `
      import OpenAI from 'openai';
      const options = { baseURL: '${gateway.url}/v1', dangerouslyAllowBrowser: true, maxRetries: 0 };
      const client = new OpenAI({ ...options, apiKey: '${gateway.apiKey}' });
      const body = ${JSON.stringify(body)};
      const { data, response } = await client.chat.completions.create(body).withResponse();
      let streamed = '';
      for await (const chunk of await client.chat.completions.create({ ...body, stream: true }))
        streamed += chunk.choices[0]?.delta.content ?? '';
      const refused = await client.chat.completions.create({ ...body, temperature: 9 }).catch((error) => error);
      const unknown = await new OpenAI({ ...options, apiKey: 'mgw_none' }).models.list().catch((error) => error);
      report({
        object: data.object,
        requestId: response.headers.get('x-request-id'),
        sandbox: response.headers.get('x-gateway-sandbox'),
        streamed,
        refused: [refused.status, refused.param],
        usage: (await fetch('${gateway.url}/v1/usage', { headers: { 'x-api-key': '${gateway.apiKey}' } })).status,
        models: unknown.data?.length > 0,
      });`;
    expect(await pages.open(script)).toEqual({
      object: 'chat.completion',
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      sandbox: 'true',
      streamed: expect.stringMatching(/./),
      refused: [400, 'temperature'],
      usage: 200,
      models: true,
    });
    const denied = `
      report(await fetch('${gateway.url}/v1/models').then(() => 'read', (error) => error.name));`;
    expect(await foreign.open(denied)).toBe('TypeError');
  },
);
