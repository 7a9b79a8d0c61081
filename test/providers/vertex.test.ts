/** Requests to Vertex: the URL, the token and the body. A server on loopback stands in for Google. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { decodeJwt, decodeProtectedHeader, importSPKI, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { GenerationRequest } from '../../lib/core/generation/request.ts';
import type { ProviderAccess } from '../../lib/core/ports/provider-access.ts';
import { googleVertexAnthropic } from '../../lib/providers/google-vertex/claude.ts';
import { googleVertex } from '../../lib/providers/google-vertex/gemini.ts';
import { createFindToken } from '../../lib/providers/google-vertex/token.ts';
import { rootOf } from '../../lib/providers/provider.ts';
import { createHttpClient } from '../../lib/transport/http-client/http-client.ts';
import { listen } from '../harness/listening.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
}

const client = createHttpClient();
let server: Server;
let tokenUrl = '';
let received: Received[] = [];
let status = 200;
let time = 0;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    received.push({ headers: request.headers, form: new URLSearchParams(await text(request)) });
    response.writeHead(status, { 'content-type': 'application/json' });
    const token = { access_token: `token ${received.length}`, expires_in: 3600, token_type: 'Bearer' };
    response.end(JSON.stringify(status === 200 ? token : { error: 'invalid_grant' }));
  });
  tokenUrl = `${await listen(server)}/token`;
});
afterAll(async () => {
  await client.close();
  server.close();
});
beforeEach(() => {
  received = [];
  status = 200;
  time = Date.now();
});

const credentials = () =>
  JSON.stringify({
    type: 'service_account',
    client_email: 'gateway@acme.iam.example',
    private_key: privateKey,
    private_key_id: 'key-1',
    token_uri: tokenUrl,
  });
const findToken = () => createFindToken({ send: client.send, now: () => time });

const access = (settings: Record<string, string>, more: Partial<ProviderAccess> = {}): ProviderAccess => ({
  settings,
  ...more,
});

describe('a token', () => {
  test('is given for a claim that the service account signed', async () => {
    expect(await findToken()(credentials())).toBe('token 1');
    const [{ headers, form } = { headers: {}, form: new URLSearchParams() }] = received;
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const assertion = form.get('assertion') ?? '';
    const key = await importSPKI(publicKey, 'RS256');
    await jwtVerify(assertion, key, { issuer: 'gateway@acme.iam.example', audience: tokenUrl });
    expect(decodeProtectedHeader(assertion)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    const claim = decodeJwt(assertion);
    expect(claim.scope).toBe('https://www.googleapis.com/auth/cloud-platform');
    expect((claim.exp ?? 0) - (claim.iat ?? 0)).toBe(3600);
  });

  test('is fetched once for requests that come together, and kept until five minutes before its end', async () => {
    const find = findToken();
    expect(await Promise.all([find(credentials()), find(credentials())])).toEqual(['token 1', 'token 1']);
    time += 54 * 60_000;
    expect(await find(credentials())).toBe('token 1');
    time += 2 * 60_000;
    expect(await find(credentials())).toBe('token 2');
  });

  test('that was refused is a failure of our credentials, and asked for again by the next request', async () => {
    const find = findToken();
    status = 400;
    await expect(find(credentials())).rejects.toMatchObject({ kind: 'upstream_credentials' });
    status = 200;
    expect(await find(credentials())).toBe('token 2');
  });

  test.each([
    ['no JSON', '{"private_key": "half'],
    ['no key in them', '{"client_email": "a@b.example"}'],
    ['a broken key', JSON.stringify({ client_email: 'a@b.example', private_key: 'half a key' })],
  ])('is not asked for where the credentials are %s, and they are not quoted', async (_, broken) => {
    const error = await findToken()(broken).catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: 'upstream_credentials' });
    expect(`${error.message} ${error.cause}`).not.toContain('half');
    expect(received).toEqual([]);
  });
});

describe('authorization', () => {
  const request = { method: 'POST', url: 'http://127.0.0.1:1/', headers: {} } as const;

  test('is a ready token, or one of the service account', async () => {
    const ready = await googleVertex.authorize(request, access({}, { apiKey: 'ready' }), 'global');
    expect(ready.headers).toEqual({ authorization: 'Bearer ready' });
    const own = access({ credentials: credentials() }, { findToken: findToken() });
    const exchanged = await googleVertexAnthropic.authorize(request, own, 'global');
    expect(exchanged.headers).toEqual({ authorization: 'Bearer token 1' });
  });

  test('needs a project, and a token or credentials', () => {
    for (const { isConfigured } of [googleVertex, googleVertexAnthropic]) {
      expect(isConfigured(access({ project: 'acme', credentials: '{}' }))).toBe(true);
      expect(isConfigured(access({ project: 'acme' }, { apiKey: 'ready' }))).toBe(true);
      expect(isConfigured(access({ project: 'acme' }))).toBe(false);
      expect(isConfigured(access({ credentials: '{}' }))).toBe(false);
    }
  });
});

describe('the address', () => {
  test.each([
    ['global', {}, 'https://aiplatform.googleapis.com/v1beta1/projects/acme/locations/global'],
    [
      'global',
      { location: 'europe-west4' },
      'https://europe-west4-aiplatform.googleapis.com/v1beta1/projects/acme/locations/europe-west4',
    ],
    [
      'global',
      { location: 'eu' },
      'https://aiplatform.eu.rep.googleapis.com/v1beta1/projects/acme/locations/eu',
    ],
    [
      'us-east5',
      { location: 'eu' },
      'https://us-east5-aiplatform.googleapis.com/v1beta1/projects/acme/locations/us-east5',
    ],
  ])('of the region %s with %j', (region, settings, expected) => {
    expect(rootOf(googleVertex, region, access({ project: 'acme', ...settings }))).toBe(expected);
  });

  test('is below an upstream that was named, project included', () => {
    const proxied = access({ project: 'acme' }, { baseUrl: 'http://127.0.0.1:1/v1' });
    const root = 'http://127.0.0.1:1/v1/projects/acme/locations/global';
    expect(rootOf(googleVertex, 'global', proxied)).toBe(root);
    expect(rootOf(googleVertexAnthropic, 'global', proxied)).toBe(root);
  });

  test('ends in the model, by publisher and method', () => {
    const gemini = googleVertex.generation?.protocol;
    expect(gemini?.path('gemini-2.5-flash', false)).toBe(
      '/publishers/google/models/gemini-2.5-flash:generateContent',
    );
    const claude = googleVertexAnthropic.generation?.protocol;
    expect(claude?.path('claude-haiku-4-5@20251001', true)).toBe(
      '/publishers/anthropic/models/claude-haiku-4-5@20251001:streamRawPredict',
    );
    expect(claude?.path('claude-haiku-4-5@20251001', false)).toMatch(/:rawPredict$/);
  });
});

describe('a body for Claude', () => {
  const encode = (request: GenerationRequest, model = testTarget()) =>
    googleVertexAnthropic.generation?.protocol.encode(request, model) ?? {};

  test('has the version of the API and no model; a stream says so', () => {
    const body = encode(testRequest({}, { stream: true }));
    expect(body).toMatchObject({ anthropic_version: 'vertex-2023-10-16', stream: true });
    expect(body).not.toHaveProperty('model');
  });

  test('asks for JSON by a tool, because the mode for it is off in most organisations', () => {
    const traits = { refuses: [], refusesWhileReasoning: [], structuredOutput: 'schema' } as const;
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const format = { type: 'json_schema', json_schema: { name: 'answer', schema } } as const;
    const body = encode(testRequest({ response_format: format }), testTarget({ traits }));
    expect(body).not.toHaveProperty('output_config');
    expect(body.tool_choice).toMatchObject({ type: 'tool' });
  });
});

describe('a failure of Claude on Vertex', () => {
  const read = (status: number, body: object) =>
    googleVertexAnthropic.generation?.protocol.readFailure({
      status,
      headers: {},
      body: JSON.stringify(body),
    });

  test('is understood in the form of Google and in that of Anthropic', () => {
    const google = { error: { code: 429, message: 'Quota exceeded.', status: 'RESOURCE_EXHAUSTED' } };
    expect(read(429, google)?.kind).toMatch(/upstream_(rate_limited|quota)/);
    const anthropic = {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long' },
    };
    expect(read(400, anthropic)?.kind).toBe('upstream_context_length');
  });
});
