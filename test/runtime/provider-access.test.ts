/** The settings of a provider, from the environment and from a parameter store, which is served here over loopback. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFindProviderAccess } from '../../lib/runtime/provider-access.ts';
import { createAwsCall } from '../../lib/transport/aws-call.ts';
import { createHttpClient } from '../../lib/transport/http-client/http-client.ts';
import { createSigner } from '../../lib/transport/sign.ts';

const minute = 60_000;
const client = createHttpClient();
let server: Server;
let endpoint = '';
let stored: Record<string, string> = {};
let asked: string[] = [];
let works = true;
let time = 0;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { Name } = (await json(request)) as { Name: string };
    asked.push(Name);
    const value = stored[Name];
    const body = value === undefined ? { __type: 'ParameterNotFound' } : { Parameter: { Value: value } };
    const status = value === undefined ? 400 : 200;
    response.writeHead(works ? status : 500, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(works ? body : { __type: 'InternalServerError' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await client.close();
  server.close();
});
beforeEach(() => {
  stored = {};
  asked = [];
  works = true;
  time = 0;
});

const accounts: Record<string, { account: string; settings: readonly string[] }> = {
  azure: { account: 'azure', settings: ['api-key', 'base-url'] },
  vertex: { account: 'google-vertex', settings: ['project', 'location', 'api-key'] },
  unknown: { account: 'unknown', settings: [] },
};

function finder(variables: Record<string, string> = {}, inAws = true) {
  const sign = createSigner(async () => ({ accessKeyId: 'test', secretAccessKey: 'test' }));
  const aws = { sendForText: client.sendForText, sign, region: 'eu-west-1', endpoint };
  const call = createAwsCall({ ...aws, service: 'ssm', jsonVersion: '1.1' });
  return createFindProviderAccess({
    variables,
    settingsOf: (name) => accounts[name] ?? { account: name, settings: ['api-key'] },
    now: () => time,
    ...(inAws && { parameters: { call, prefix: '/Gateway/providers' } }),
  });
}

describe('the environment', () => {
  test('gives key, base URL and every other setting of the account', async () => {
    const find = finder({ GOOGLE_VERTEX_PROJECT: 'acme', GOOGLE_VERTEX_API_KEY: 'token' }, false);
    expect(await find('vertex')).toEqual({ apiKey: 'token', settings: { project: 'acme' } });
    const other = finder({ OPENAI_UPSTREAM_URL: 'http://127.0.0.1:1/v1//' }, false);
    expect(await other('openai')).toEqual({ baseUrl: 'http://127.0.0.1:1/v1', settings: {} });
  });

  test('gives nothing for a variable that is empty', async () => {
    expect(await finder({ OPENAI_API_KEY: '' }, false)('openai')).toEqual({ settings: {} });
  });

  test('takes precedence over the parameter store, which is not read', async () => {
    const find = finder({ AZURE_API_KEY: 'own', AZURE_UPSTREAM_URL: 'https://acme.example/openai/v1' });
    expect(await find('azure')).toMatchObject({ apiKey: 'own', baseUrl: 'https://acme.example/openai/v1' });
    expect(asked).toEqual([]);
  });
});

test('complete settings are cached, but nothing for a name without settings: callers could invent any number of them', async () => {
  const find = finder({ OPENAI_API_KEY: 'own' }, false);
  expect(await find('openai')).toBe(await find('openai'));
  expect(await find('unknown')).not.toBe(await find('unknown'));
});

describe('the parameter store', () => {
  test('gives what is stored below the account, and only what is a setting of it', async () => {
    stored = {
      '/Gateway/providers/azure/api-key': 'secret',
      '/Gateway/providers/azure/base-url': 'https://acme.openai.azure.com/openai/v1/',
    };
    expect(await finder()('azure')).toEqual({
      apiKey: 'secret',
      baseUrl: 'https://acme.openai.azure.com/openai/v1',
      settings: {},
    });
    expect(asked.toSorted()).toEqual([
      '/Gateway/providers/azure/api-key',
      '/Gateway/providers/azure/base-url',
    ]);
  });

  test('is not asked before a provider is called, and then for the settings of this one alone', async () => {
    const find = finder();
    stored = { '/Gateway/providers/openai/api-key': 'one', '/Gateway/providers/mistral/api-key': 'other' };
    expect(asked).toEqual([]);
    await find('openai');
    expect(asked).toEqual(['/Gateway/providers/openai/api-key']);
  });

  test('is read once for concurrent requests of a setting', async () => {
    stored = { '/Gateway/providers/openai/api-key': 'one' };
    const find = finder();
    const found = await Promise.all([find('openai'), find('openai'), find('openai')]);
    expect(found.map(({ apiKey }) => apiKey)).toEqual(['one', 'one', 'one']);
    expect(asked).toHaveLength(1);
  });

  test('is read again after five minutes, not earlier', async () => {
    const find = finder();
    stored['/Gateway/providers/openai/api-key'] = 'old';
    expect(await find('openai')).toMatchObject({ apiKey: 'old' });
    stored['/Gateway/providers/openai/api-key'] = 'new';
    time = 4 * minute;
    expect(await find('openai')).toMatchObject({ apiKey: 'old' });
    time = 5 * minute;
    expect(await find('openai')).toMatchObject({ apiKey: 'new' });
  });

  test('is not read at each request for a missing setting', async () => {
    const find = finder();
    for (let request = 0; request < 3; request += 1) expect(await find('openai')).toEqual({ settings: {} });
    expect(asked).toHaveLength(1);
  });

  test('may fail for a while: known settings stay in use, also known absences', async () => {
    const find = finder();
    stored['/Gateway/providers/google-vertex/project'] = 'acme';
    const known = await find('vertex');
    works = false;
    time = 6 * minute;
    expect(await find('vertex')).toEqual(known);
  });

  test('that fails at the first read is a failure of the credentials', async () => {
    works = false;
    await expect(finder()('openai')).rejects.toMatchObject({ kind: 'upstream_credentials' });
  });
});
