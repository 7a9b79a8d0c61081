/** Models, providers and the playground of the dashboard's API, on a local gateway. */

import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { runGateway } from '../../cli/gateway.ts';
import { createFoundation } from '../../lib/runtime/foundation.ts';
import { createAuditLog } from '../../lib/stores/usage/audit.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { signInByAddress, signInByKey } from '../harness/admin/admin-client.ts';
import { gatewayEnvironment } from '../harness/gateways/environment.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { use } from '../harness/use.ts';

const environmentFile = join(await mkdtemp(join(tmpdir(), 'gateway-env-')), '.env');
const gateway = useGateway({
  GATEWAY_ENVIRONMENT_FILE: environmentFile,
  MISTRAL_API_KEY: 'mistral-hidden',
  MISTRAL_UPSTREAM_URL: 'http://127.0.0.1:9',
});

const operator = use(() => signInByAddress(gateway()));
const viewer = use(() => signInByKey(gateway(), gateway().apiKey));

/** With the database of the gateway: the variables of this process name its tables. */
const command = async (typed: string) => {
  const lines: string[] = [];
  const terminal = {
    write: (line: string) => lines.push(line),
    writeError: (line: string) => lines.push(line),
    readValue: async () => '',
  };
  const code = await runGateway(typed.split(' '), { variables: gatewayEnvironment(), terminal });
  expect([code, lines.join('\n')]).toEqual([0, expect.any(String)]);
  return lines;
};

describe('models', () => {
  test('are listed with what they can do, what they cost and where they are served', async () => {
    const { status, body } = await operator.call('GET', '/models?limit=1000&search=gpt-5.5');
    expect(status).toBe(200);
    const model = body.data.find(({ id }: { id: string }) => id === 'openai/gpt-5.5');
    expect(model).toMatchObject({
      object: 'model',
      owner: 'openai',
      name: 'GPT 5.5',
      status: 'active',
      allowed: true,
      written_by: 'seed',
      capabilities: { operations: expect.arrayContaining(['chat_completions']), web_search: true },
      context: { window: expect.any(Number) },
      price: { input: expect.stringMatching(/^\d+\.\d\d+$/), output: expect.any(String) },
    });
    const place = model.places.find(({ provider }: { provider: string }) => provider === 'openai');
    expect(place.ways[0]).toMatchObject({ upstream_id: 'gpt-5.5', price_known: true });
    // Nothing is known of calls that were not made: that is not health.
    expect(place.health.state).toBe('unknown');
    // The ids of the provider may name an account.
    const seen = (await viewer.call('GET', '/models?search=openai/gpt-5.5')).body.data[0].places;
    expect(seen.flatMap(({ ways }: { ways: { upstream_id: null }[] }) => ways)[0].upstream_id).toBeNull();
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['status=best', 'status'],
    [`search=${'x'.repeat(101)}`, 'search'],
    ['unknown=1', 'unknown'],
  ])('refuse %s, naming the field', async (query, param) => {
    const { status, body } = await operator.call('GET', `/models?${query}`);
    expect([status, body.error.param]).toEqual([400, param]);
  });

  test('of another tenant are not found, whether or not it exists', async () => {
    await command('tenants create other');
    for (const tenant of ['other', 'absent']) {
      const { status, body } = await viewer.call('GET', `/models?tenant=${tenant}`);
      expect([status, body.error.message]).toEqual([404, `Tenant not found: ${tenant}.`]);
    }
  });
});

describe('health', () => {
  test('is known of places that were called, by the codes of what failed, and of no other', async () => {
    const ask = (model: string) =>
      gateway().post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] });
    expect((await ask('openai/gpt-5.5')).status).toBe(200);
    expect((await ask('mistral/mistral-large-2512')).status).toBe(503);
    await gateway().settled();
    const providers = (await operator.call('GET', '/providers')).body.data;
    const of = (id: string) => providers.find((one: { id: string }) => one.id === id).health;
    expect(of('openai')).toMatchObject({ state: 'healthy', failures: 0, last_failure_at: null });
    expect(of('mistral')).toMatchObject({
      state: 'failing',
      failures_by_code: [{ code: 'provider_unreachable', count: of('mistral').attempts }],
      last_failure_at: expect.any(Number),
    });
    expect(of('groq')).toMatchObject({ state: 'unknown', attempts: 0 });
    const [model] = (await operator.call('GET', '/models?search=mistral/mistral-large-2512')).body.data;
    expect(model.places[0].health).toMatchObject({ state: 'failing', attempts: of('mistral').attempts });
    // The counts are of the calls of all tenants.
    const [seen] = (await viewer.call('GET', '/models?search=mistral/mistral-large-2512')).body.data;
    expect(seen.places[0].health).toEqual({
      state: 'failing',
      since: expect.any(Number),
      attempts: null,
      failures: null,
      failures_by_code: [],
      last_failure_at: null,
    });
  });
});

describe('providers', () => {
  test('show what is configured and where that was read, and never a value', async () => {
    const { status, body } = await operator.call('GET', '/providers');
    expect(status).toBe(200);
    const of = (id: string) => body.data.find((one: { id: string }) => one.id === id);
    expect(of('mistral')).toMatchObject({
      configured: true,
      sources: ['variable MISTRAL_API_KEY', 'variable MISTRAL_UPSTREAM_URL'],
    });
    // The sandbox answers for it, which is no configuration.
    expect(of('anthropic')).toMatchObject({
      name: 'Anthropic',
      kind: 'built_in',
      configured: false,
      sources: [],
      settings: [{ name: 'api-key', is_set: false, can_be_stored: true, source: null, fault: null }],
      key: { url: 'https://platform.claude.com/settings/keys' },
      models: expect.any(Number),
      health: { state: 'unknown' },
    });
    expect(of('bedrock')).toMatchObject({ configured: false, sources: [] });
    expect(of('mistral').settings.map(({ name }: { name: string }) => name)).toEqual(['api-key', 'base-url']);
    for (const { name, key } of body.data)
      expect([name, key.how]).toEqual([expect.any(String), expect.any(String)]);
    expect(JSON.stringify(body)).not.toMatch(/mistral-hidden|sandbox/);
  });

  test('take a key, which goes to the file and into no answer, log or audit record', async () => {
    const value = 'sk-ant-hidden-value';
    const { status, body } = await operator.call('PUT', '/providers/anthropic/settings/api-key', {
      body: { value },
    });
    expect([status, body]).toEqual([
      200,
      {
        object: 'provider.setting',
        provider: 'anthropic',
        account: 'anthropic',
        setting: 'api-key',
        location: `ANTHROPIC_API_KEY in ${environmentFile}`,
        effect: 'when the local gateway is started again',
      },
    ]);
    expect(await readFile(environmentFile, 'utf8')).toContain(`ANTHROPIC_API_KEY=${value}\n`);
    const listed = (await operator.call('GET', '/providers')).body;
    expect(listed.data.find(({ id }: { id: string }) => id === 'anthropic')).toMatchObject({
      configured: true,
    });
    expect(JSON.stringify(listed)).not.toContain(value);
    const audit = createAuditLog({
      ...createFoundation(createNodeClient(), gatewayEnvironment()).table('usage'),
      now: Date.now,
    });
    const { records } = await audit.list({ action: 'providers.set', limit: 10 });
    expect(records).toMatchObject([
      { by: { role: 'operator', via: 'address' }, target: 'anthropic/api-key', after: { value: 'set' } },
    ]);
    expect(JSON.stringify(records)).not.toContain(value);
  });

  test('are asked whether they accept the key, and what came of it is on record', async () => {
    const test = async (provider: string) => {
      const { status, body } = await operator.call('POST', `/providers/${provider}/test`);
      return [status, body.ok ?? body.error?.param ?? null, body.failure ?? null];
    };
    expect(await test('mistral')).toEqual([200, false, 'unreachable']);
    expect(await test('absent')).toEqual([400, 'provider', null]);
    // By the sandbox.
    expect(await test('openai')).toEqual([200, true, null]);
    const { body } = await operator.call('GET', '/audit?action=providers.test');
    expect(body.data).toMatchObject([
      { target: 'openai', after: { 'credential_test.status': 200 } },
      { target: 'mistral', after: { 'credential_test.failure': 'unreachable' } },
    ]);
  });

  test('lose a stored key, but none that the environment sets', async () => {
    const value = 'gsk-to-be-removed';
    await operator.call('PUT', '/providers/groq/settings/api-key', { body: { value } });
    const remove = async (provider: string) => {
      const { status, body } = await operator.call('DELETE', `/providers/${provider}/settings/api-key`);
      return [status, body.effect ?? body.error.param];
    };
    expect(await remove('groq')).toEqual([200, 'when the local gateway is started again']);
    expect(await readFile(environmentFile, 'utf8')).not.toContain('GROQ');
    expect(await remove('groq')).toEqual([404, 'setting']);
    expect(await remove('mistral')).toEqual([400, 'setting']);
    expect(await remove('absent')).toEqual([400, 'provider']);
    const { body } = await operator.call('GET', '/audit?action=providers.remove');
    expect(body.data).toMatchObject([{ target: 'groq/api-key', before: { value: 'set' } }]);
  });

  test.each([
    ['/providers/absent/settings/api-key', 'sk', 'provider'],
    ['/providers/anthropic/settings/absent', 'sk', 'setting'],
    ['/providers/anthropic/settings/api-key', '  ', 'value'],
    ['/providers/anthropic/settings/api-key', 'has a space', 'value'],
    ['/providers/anthropic/settings/api-key', 'two\nLINES=1', 'value'],
    ['/providers/anthropic/settings/api-key', 'mgw_0123456789', 'value'],
    ['/providers/anthropic/settings/api-key', 'x'.repeat(4_097), 'value'],
    ['/providers/anthropic/settings/api-key', 'ключ', 'value'],
    ['/providers/google-vertex/settings/location', '169.254.169.254/#', 'value'],
    ['/providers/google-vertex/settings/project', '../../x', 'value'],
    ['/providers/azure/settings/base-url', 'ftp://acme.example', 'value'],
    ['/providers/google-vertex/settings/credentials', '{"private_key": half', 'value'],
    ['/providers/google-vertex/settings/credentials', '{}', 'value'],
  ])('refuse %s with a value that cannot work, and do not quote it', async (path, value, param) => {
    const before = await readFile(environmentFile, 'utf8').catch(() => '');
    const { status, body } = await operator.call('PUT', path, { body: { value } });
    expect([status, body.error.param]).toEqual([400, param]);
    if (value.trim().length > 3) expect(body.error.message).not.toContain(value);
    expect(await readFile(environmentFile, 'utf8').catch(() => '')).toBe(before);
  });
});

describe('the playground', () => {
  test('is chat completions at another path, with the official SDK', async () => {
    const { url, apiKey } = gateway();
    const client = new OpenAI({ baseURL: `${url}/admin/v1/playground`, apiKey });
    const stream = await client.chat.completions.create({
      model: 'openai/gpt-5.5',
      messages: [{ role: 'user', content: 'One word, please.' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
  });

  test('wants a key, and a session is none', async () => {
    const { status } = await operator.call('POST', '/playground/chat/completions', {
      body: { model: 'openai/gpt-5.5', messages: [] },
    });
    expect(status).toBe(401);
  });
});
