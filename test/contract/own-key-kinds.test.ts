/** Each kind of own key on its way: added over the admin API, tested, and what the provider gets of it with a request. */
import { generateKeyPairSync } from 'node:crypto';
import { importSPKI, jwtVerify } from 'jose';
import { beforeEach, expect, test } from 'vitest';
import { signInAs } from '../harness/admin/admin-client.ts';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { use } from '../harness/use.ts';

const providers = ['ANTHROPIC', 'AZURE', 'BEDROCK', 'GOOGLE', 'GOOGLE_VERTEX', 'OPENAI'];
// What answers in place of them answers for own keys, too.
const { gateway, upstream } = useUpstreamGateway(
  providers,
  Object.fromEntries(providers.map((name) => [`${name}_SANDBOX`, 'true'])),
);

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const account = JSON.stringify({
  type: 'service_account',
  client_email: 'gateway@theirs.iam.example',
  private_key: privateKey,
  private_key_id: 'key-1',
});

let apiKey: string;
let tenant = '';
let tenants = 0;
let isRevoked = false;

const operator = use(() => signInAs(gateway, { id: 'olga', name: 'Olga', role: 'operator' }));

beforeEach(async () => {
  tenants += 1;
  tenant = `kind-${tenants}`;
  isRevoked = false;
  await operator.call('POST', '/tenants', { body: { tenant } });
  apiKey = (await operator.call('POST', '/keys', { body: { tenant } })).body.key;
  upstream.script(({ path, headers }, response) => {
    const status =
      path === '/token' ? (isRevoked ? 400 : 200) : JSON.stringify(headers).includes('sk-bad') ? 401 : 418;
    const token = { access_token: 'exchanged', expires_in: 3600, token_type: 'Bearer' };
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(status === 200 ? token : { error: 'invalid_grant' }));
  });
});

const key = 'sk-own-0123456789abcdef';
const bearer = { authorization: `Bearer ${key}` };

const vertexModel = 'google/gemini-3.5-flash';

const kinds = [
  ['openai', { 'api-key': key }, 'openai/gpt-4.1', '/chat/completions', bearer],
  ['azure', { 'api-key': key, resource: 'mine' }, 'openai/gpt-4.1', '/chat/completions', { 'api-key': key }],
  ['anthropic', { 'api-key': key }, 'anthropic/claude-haiku-4-5', '/messages', { 'x-api-key': key }],
  [
    'google',
    { 'api-key': key },
    'google/gemini-2.5-flash',
    '/models/gemini-2.5-flash:generateContent',
    { 'x-goog-api-key': key },
  ],
  [
    'bedrock',
    { 'api-key': key },
    'anthropic/claude-haiku-4-5',
    expect.stringMatching(/^\/model\/[^/]*claude-haiku-4-5[^/]*\/converse$/),
    bearer,
  ],
  [
    'google-vertex',
    { credentials: account, project: 'theirs', location: 'europe-west4' },
    vertexModel,
    '/projects/theirs/locations/europe-west4/publishers/google/models/gemini-3.5-flash:generateContent',
    { authorization: 'Bearer exchanged' },
  ],
] as const;

const ask = (model: string) =>
  gateway.post(
    '/v1/chat/completions',
    { model, messages: [{ role: 'user', content: 'Hi' }] },
    { authorization: `Bearer ${apiKey}` },
  );

test.each(kinds)('of %s', async (provider, settings, model, path, headers) => {
  const credentials = `/tenants/${tenant}/credentials`;
  const added = await operator.call('POST', credentials, { body: { provider, settings } });
  expect(added.status).toBe(200);
  await (await ask(model)).text();
  const calls = upstream.requests.filter((request) => request.path !== '/token');
  expect(calls.length).toBeGreaterThan(0);
  for (const call of calls) {
    expect(call).toMatchObject({ path, headers });
    expect(JSON.stringify(call.headers)).not.toMatch(/a-provider-key|AWS4-HMAC/);
  }
  const tested = await operator.call('POST', `${credentials}/${added.body.id}/test`, { body: {} });
  expect(tested.body).toMatchObject({
    object: 'credential_test',
    ok: provider === 'google-vertex',
  });
});

test('the accounts of the gateway are tested in the same way, and each result is on record', async () => {
  const test = async (provider: string) => {
    const { body } = await operator.call('POST', `/providers/${provider}/test`);
    return [body.ok, body.status, body.failure];
  };
  upstream.script(({ path }, response) => {
    response.writeHead(path === '/models' ? 200 : 401).end('{}');
  });
  expect(await test('anthropic')).toEqual([true, 200, null]);
  expect(await test('bedrock')).toEqual([false, 401, 'refused']);
  expect(upstream.requests.map(({ path, headers }) => [path, JSON.stringify(headers)])).toEqual([
    ['/models', expect.stringContaining('"x-api-key":"a-provider-key"')],
    ['/foundation-models', expect.stringContaining('Bearer a-provider-key')],
  ]);
  const { body } = await operator.call('GET', '/audit?action=providers.test');
  expect(body.data).toMatchObject([
    { target: 'bedrock', after: { 'credential_test.failure': 'refused' } },
    { target: 'anthropic', after: { 'credential_test.status': 200 } },
  ]);
});

test('a service account signs for its token, once for many requests, and is refused where Google refuses it', async () => {
  const settings = { credentials: account, project: 'theirs', location: 'europe-west4' };
  const body = { provider: 'google-vertex', settings };
  await operator.call('POST', `/tenants/${tenant}/credentials`, { body });
  await (await ask(vertexModel)).text();
  await (await ask(vertexModel)).text();
  const exchanges = upstream.requests.filter(({ path }) => path === '/token');
  expect(exchanges).toHaveLength(1);
  const assertion = new URLSearchParams(exchanges[0]?.text).get('assertion') ?? '';
  const { payload } = await jwtVerify(assertion, await importSPKI(publicKey, 'RS256'), {
    audience: 'https://oauth2.googleapis.com/token',
  });
  expect(payload.iss).toBe('gateway@theirs.iam.example');
});

test('a service account that Google refuses is refused as an own key, and the gateway’s is not called', async () => {
  isRevoked = true;
  const settings = { credentials: account, project: 'theirs', location: 'europe-west4' };
  const body = { provider: 'google-vertex', settings };
  await operator.call('POST', `/tenants/${tenant}/credentials`, { body });
  const answer = await ask(vertexModel);
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ error: { code: 'own_provider_key' } });
  expect(new Set(upstream.requests.map(({ path }) => path))).toEqual(new Set(['/token']));
});
