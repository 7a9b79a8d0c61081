/** Which providers are ready by the settings that are stored, and why others are not. */
import { expect, test } from 'vitest';
import { findProvider, providerStates } from '../../lib/admin/providers/provider-states.ts';
import { storeSetting } from '../../lib/admin/providers/store-setting.ts';
import type { KnownSetting } from '../../lib/core/ports/provider-settings.ts';
import type { StoredHost } from '../../lib/stores/catalog/hosts.ts';

const host = (name: string, row: unknown): StoredHost => ({ name, source: 'command', row });
const hosts = [
  host('own', { name: 'own', baseUrl: 'https://own.example/v1' }),
  host('broken', { name: 'broken' }),
];

const known = (account: string, setting: string, fault?: string): KnownSetting => ({
  account,
  setting,
  source: `variable ${setting}`,
  ...(fault !== undefined && { fault }),
});

async function stateOf(name: string, settings: readonly KnownSetting[], awsCredentials?: string) {
  const states = await providerStates({
    hosts: { list: async () => hosts },
    settings: {
      put: () => Promise.reject(new Error('Nothing is stored.')),
      remove: () => Promise.reject(new Error('Nothing is removed.')),
      list: async (accounts) =>
        settings.filter((one) => accounts.some(({ account }) => account === one.account)),
      ...(awsCredentials !== undefined && { awsCredentials }),
    },
  });
  const found = states.find(({ provider }) => provider.name === name);
  return found && { kind: found.kind, isReady: found.isReady, from: found.from, problem: found.problem };
}

test.each<[string, readonly KnownSetting[], object]>([
  ['openai', [known('openai', 'api-key')], { isReady: true, from: ['variable api-key'], problem: null }],
  ['openai', [], { isReady: false, from: [], problem: null }],
  ['openai', [known('mistral', 'api-key')], { isReady: false, from: [] }],
  [
    'openai',
    [known('openai', 'api-key', 'has a character')],
    { isReady: false, from: [], problem: 'variable api-key has a character' },
  ],
  ['azure', [known('azure', 'api-key')], { isReady: false, problem: 'base-url is missing' }],
  [
    'azure',
    [known('azure', 'api-key'), known('azure', 'base-url')],
    { isReady: true, from: ['variable api-key', 'variable base-url'], problem: null },
  ],
  ['own', [], { kind: 'added' }],
])('%s with %j', async (name, settings, expected) => {
  expect(await stateOf(name, settings)).toMatchObject(expected);
});

test('AWS credentials are enough where a signature is', async () => {
  const role = 'role of the gateway';
  expect(await stateOf('bedrock', [], role)).toMatchObject({ isReady: true, from: [role], problem: null });
  expect(await stateOf('bedrock', [])).toMatchObject({ isReady: false, from: [] });
  expect(await stateOf('openai', [], role)).toMatchObject({ isReady: false, from: [] });
  const key = [known('bedrock', 'api-key')];
  expect(await stateOf('bedrock', key, role)).toMatchObject({ isReady: true, from: ['variable api-key'] });
});

test('a host whose row cannot be used is left out', async () => {
  expect(await stateOf('broken', [])).toBeUndefined();
  const get = async (name: string) => hosts.find((one) => one.name === name);
  const found = await Promise.all(
    ['own', 'broken', 'none', 'openai'].map((name) => findProvider({ get }, name)),
  );
  expect(found.map((provider) => provider?.name)).toEqual(['own', undefined, undefined, 'openai']);
});

test('a setting is stored as the gateway reads it', async () => {
  const stored: object[] = [];
  const parts = {
    settings: {
      put: async (setting: object) => {
        stored.push(setting);
        return { location: 'file', effect: 'now' };
      },
    },
    hosts: { get: async () => undefined },
    audit: { write: async () => {} },
    now: () => 1,
  };
  const by = { id: 'olga', name: 'Olga', role: 'operator', via: 'oidc' };
  const store = (provider: string, setting: string, value: string) =>
    storeSetting(parts, by, { provider, setting, value });
  for (const value of ['https://acme.example/', 'http://127.0.0.1:9'])
    expect(await store('azure', 'base-url', ` ${value}\n`)).toMatchObject({
      setting: 'base-url',
      location: 'file',
    });
  const account = { type: 'service_account', project_id: 'p', private_key: 'k', client_email: 'a@b.example' };
  await store('google-vertex', 'credentials', JSON.stringify(account, null, 2)).catch(() => undefined);
  expect(stored.slice(0, 2)).toEqual([
    { account: 'azure', setting: 'base-url', value: 'https://acme.example/' },
    { account: 'azure', setting: 'base-url', value: 'http://127.0.0.1:9' },
  ]);
  await expect(store('none', 'api-key', 'x')).rejects.toThrow(/The providers are: .*openai/);
  await expect(store('azure', 'none', 'x')).rejects.toThrow(/Its settings are: .*api-key/);
});
