/** The settings of a provider, from the environment and from the parameter store of a fake AWS. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { failureFields } from '../../lib/core/errors/failure-fields.ts';
import { createFindProviderAccess, maxStoreWaitMs } from '../../lib/runtime/provider-access.ts';
import { createStoredSettings, failurePauseMs, maxParameters } from '../../lib/runtime/stored-settings.ts';
import { createAwsCall } from '../../lib/transport/aws/aws-call.ts';
import { createSigner } from '../../lib/transport/aws/sign-action.ts';
import { createHttpClient } from '../../lib/transport/http-client/http-client.ts';
import { operator, startFakeAws } from '../harness/aws/fake-aws.ts';
import { type FakeParameters, ssm } from '../harness/aws/services/ssm.ts';
import { startStopwatch } from '../harness/stopwatch.ts';
import { use } from '../harness/use.ts';
import { failureOf } from '../transport/upstream.ts';

const minute = 60_000;
const client = createHttpClient();
const parameters: FakeParameters = new Map();
let time = 0;
let warned: unknown[] = [];

const aws = use(() => startFakeAws({ services: [ssm({ parameters })] }));

afterAll(async () => {
  await client.close();
});
beforeEach(() => {
  parameters.clear();
  aws.forgetCalls();
  aws.faults.clear();
  time = 0;
  warned = [];
});

const store = (path: string, value: string) => parameters.set(`/Gateway/providers/${path}`, { value });
const reads = () => aws.calls.filter(({ action }) => action === 'ssm:GetParametersByPath');

const accounts: Record<string, { account: string; settings: readonly string[] }> = {
  azure: { account: 'azure', settings: ['api-key', 'base-url'] },
  vertex: { account: 'google-vertex', settings: ['project', 'location', 'api-key'] },
  unknown: { account: 'unknown', settings: [] },
};

const sign = createSigner(async () => operator);

function finder(variables: Record<string, string> = {}, inAws = true) {
  const options = { sendForText: client.sendForText, sign, region: 'eu-west-1', endpoint: aws.url };
  const call = createAwsCall({ ...options, service: 'ssm', jsonVersion: '1.1' });
  const now = () => time;
  const stored = { call, prefix: '/Gateway/providers', now, warn: (cause: unknown) => warned.push(cause) };
  return createFindProviderAccess({
    variables,
    settingsOf: (name) =>
      accounts[name] ?? { account: name, settings: ['api-key'], maySign: name === 'bedrock' },
    sign,
    now,
    ...(inAws && { findStored: createStoredSettings(stored) }),
  });
}

describe('the environment', () => {
  test('gives key, base URL and every other setting of the account', async () => {
    const find = finder({ GOOGLE_VERTEX_PROJECT: 'acme', GOOGLE_VERTEX_API_KEY: 'token' }, false);
    expect(await find('vertex')).toEqual({ apiKey: 'token', settings: { project: 'acme' }, sign });
    const other = finder({ OPENAI_UPSTREAM_URL: 'http://127.0.0.1:1/v1//' }, false);
    expect(await other('openai')).toEqual({ baseUrl: 'http://127.0.0.1:1/v1', settings: {}, sign });
  });

  test('gives nothing for a variable that is empty', async () => {
    expect(await finder({ OPENAI_API_KEY: '' }, false)('openai')).toEqual({ settings: {}, sign });
  });

  test('takes precedence over the parameter store, which is not read', async () => {
    const find = finder({ AZURE_API_KEY: 'own', AZURE_UPSTREAM_URL: 'https://acme.example/openai/v1' });
    expect(await find('azure')).toMatchObject({ apiKey: 'own', baseUrl: 'https://acme.example/openai/v1' });
    expect(aws.calls).toEqual([]);
  });
});

test('complete settings are cached, but nothing for a name without settings: callers could invent any number of them', async () => {
  const find = finder({ OPENAI_API_KEY: 'own' }, false);
  expect(await find('openai')).toBe(await find('openai'));
  expect(await find('unknown')).not.toBe(await find('unknown'));
});

describe('the parameter store', () => {
  test('gives what is stored below the account, and only what is a setting of it', async () => {
    store('azure/api-key', 'secret');
    store('azure/base-url', 'https://acme.openai.azure.com/openai/v1/');
    store('azure/other', 'unused');
    store('openai/base-url', 'https://elsewhere.example');
    const find = finder();
    expect(await find('azure')).toMatchObject({
      apiKey: 'secret',
      baseUrl: 'https://acme.openai.azure.com/openai/v1',
      settings: {},
    });
    expect(await find('openai')).toEqual({ settings: {}, sign });
  });

  test('is not asked before a provider is called, and then once for all settings of all', async () => {
    const find = finder();
    for (const name of ['openai', 'mistral', 'groq']) store(`${name}/api-key`, `key of ${name}`);
    expect(aws.calls).toEqual([]);
    const found = await Promise.all([find('openai'), find('mistral'), find('vertex'), find('openai')]);
    expect(found.map(({ apiKey }) => apiKey)).toEqual([
      'key of openai',
      'key of mistral',
      undefined,
      'key of openai',
    ]);
    expect(await find('groq')).toMatchObject({ apiKey: 'key of groq' });
    expect(aws.calls.map(({ action, input }) => [action, input])).toEqual([
      [
        'ssm:GetParametersByPath',
        { Path: '/Gateway/providers', Recursive: true, WithDecryption: true, MaxResults: 10 },
      ],
    ]);
  });

  test('is read page by page, as it gives them', async () => {
    for (let host = 0; host < 25; host += 1) store(`host-${host}/api-key`, `key ${host}`);
    expect(await finder()('host-24')).toMatchObject({ apiKey: 'key 24' });
    expect(reads()).toHaveLength(3);
  });

  test('with more settings than are remembered is a failure, and not read forever', async () => {
    for (let host = 0; host <= maxParameters; host += 1) store(`host-${host}/api-key`, `key ${host}`);
    await expect(finder()('host-1')).rejects.toMatchObject({ kind: 'upstream_credentials' });
    expect(reads()).toHaveLength(maxParameters / 10);
    expect(String(warned[0])).toContain('more than 1000 settings');
  });

  test('may have been filled from a file: white space around a value is left out, and a blank one is missing', async () => {
    store('openai/api-key', ' key\n');
    store('azure/api-key', ' \n');
    const find = finder();
    expect(await find('openai')).toMatchObject({ apiKey: 'key' });
    expect(await find('azure')).toEqual({ settings: {}, sign });
  });

  test('no longer gives a key that was deleted, after five minutes', async () => {
    const find = finder();
    store('openai/api-key', 'old');
    expect(await find('openai')).toMatchObject({ apiKey: 'old' });
    parameters.clear();
    time = 5 * minute;
    expect(await find('openai')).toEqual({ settings: {}, sign });
  });

  test('is read again after five minutes, not earlier', async () => {
    const find = finder();
    store('openai/api-key', 'old');
    expect(await find('openai')).toMatchObject({ apiKey: 'old' });
    store('openai/api-key', 'new');
    time = 4 * minute;
    expect(await find('openai')).toMatchObject({ apiKey: 'old' });
    time = 5 * minute;
    expect(await find('openai')).toMatchObject({ apiKey: 'new' });
  });

  test('is not read at each request for a missing setting', async () => {
    const find = finder();
    for (let request = 0; request < 3; request += 1)
      expect(await find('openai')).toEqual({ settings: {}, sign });
    expect(reads()).toHaveLength(1);
  });

  test('may fail for a while: known settings stay in use, also known absences', async () => {
    const find = finder();
    store('google-vertex/project', 'acme');
    const known = await find('vertex');
    aws.faults.add('ssm:*', 'unavailable');
    time = 6 * minute;
    expect(await find('vertex')).toEqual(known);
    expect(warned).toHaveLength(1);
  });

  test('that throttles a burst of new functions is tried again until it answers', async () => {
    store('openai/api-key', 'one');
    aws.faults.add('ssm:GetParametersByPath', 'throttled', { times: 7 });
    expect(await finder()('openai')).toMatchObject({ apiKey: 'one' });
    expect(reads()).toHaveLength(8);
    expect(warned).toEqual([]);
  });

  test('that fails at the first read is not asked by each target of each request', async () => {
    const find = finder();
    store('openai/api-key', 'one');
    aws.faults.add('ssm:*', 'denied');
    for (let request = 0; request < 5; request += 1)
      await expect(find('openai')).rejects.toMatchObject({ kind: 'upstream_credentials' });
    expect([reads().length, warned.length]).toEqual([1, 1]);
    aws.faults.clear();
    time += failurePauseMs;
    expect(await find('openai')).toMatchObject({ apiKey: 'one' });
  });

  test('that fails in the middle of its pages gives nothing of them', async () => {
    let fails = false;
    const pageAfter = (token: unknown) => ({
      Parameters: [{ Name: `/p/openai/${token ?? 'api-key'}`, Value: fails ? 'new' : 'old' }],
      ...(token === undefined && { NextToken: 'base-url' }),
    });
    const find = createStoredSettings({
      call: async (_, { NextToken }: { readonly NextToken?: unknown }) => {
        if (fails && NextToken) throw new Error('page two');
        return pageAfter(NextToken);
      },
      prefix: '/p',
      now: () => time,
      warn: (cause) => warned.push(cause),
    });
    const known = await find();
    expect(known.size).toBe(2);
    fails = true;
    time = 6 * minute;
    expect(await find()).toBe(known);
    expect(warned).toHaveLength(1);
  });

  test('that fails at the first read is a failure of the credentials, which names the call', async () => {
    aws.faults.add('ssm:*', 'denied');
    const error = await failureOf(finder()('openai'));
    expect(error).toMatchObject({ kind: 'upstream_credentials' });
    const failed = {
      service: 'ssm',
      action: 'GetParametersByPath',
      code: 'AccessDeniedException',
      status: 400,
    };
    expect(failureFields(error).aws_error).toEqual(failed);
    expect(warned.map((cause) => failureFields(cause).aws_error)).toEqual([failed]);
  });
});

describe('a provider for which a signature is enough', () => {
  test('has its key where one is stored, also while the store fails later', async () => {
    const find = finder();
    store('bedrock/api-key', 'bearer');
    expect(await find('bedrock')).toMatchObject({ apiKey: 'bearer' });
    aws.faults.add('ssm:*', { delayMs: 3_000 });
    time = 6 * minute;
    expect(await find('bedrock')).toMatchObject({ apiKey: 'bearer' });
  });

  test.each(['denied', 'unavailable', 'disconnected'] as const)(
    'does not need the store: %s',
    async (fault) => {
      const find = finder();
      aws.faults.add('ssm:*', fault);
      expect(await find('bedrock')).toEqual({ settings: {}, sign });
      expect(warned).toHaveLength(1);
      await expect(find('openai')).rejects.toMatchObject({ kind: 'upstream_credentials' });
    },
  );

  test('waits for it once, and not with every request', async () => {
    const find = finder();
    store('bedrock/api-key', 'bearer');
    aws.faults.add('ssm:*', { delayMs: 2_500 });
    expect(await find('bedrock')).toEqual({ settings: {}, sign });
    const watch = startStopwatch();
    for (let request = 0; request < 20; request += 1) await find('bedrock');
    expect(watch.waitedMs()).toBeLessThan(maxStoreWaitMs);
    aws.faults.clear();
    const later = () => {
      time += 6_000;
      return find('bedrock');
    };
    await expect.poll(later, { timeout: 10_000 }).toMatchObject({ apiKey: 'bearer' });
  });
});
