/** Which rows an operator may write for a host of their own: every fault is reported with the name of its field. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operatorProvider, readHostRow } from '../../lib/providers/hosts/operator-hosts.ts';
import { createProviders } from '../../lib/providers/registry.ts';
import type { HostStore, StoredHost } from '../../lib/stores/catalog/hosts.ts';
import { writeOwnHosts } from '../../local/own-hosts.ts';

const row = { name: 'vllm-a', baseUrl: 'https://llm.example.com/v1' };

test('a row with every member is read unchanged', () => {
  const full = {
    ...row,
    needsKey: false,
    dialect: {
      names: { max_completion_tokens: 'max_tokens' },
      efforts: {
        switch: { on: { think: true }, off: { think: false } },
        effort: { field: 'reasoning.effort' },
      },
      always: { usage: { include: true } },
      errorCodes: { '1113': 'upstream_quota' },
      errorStatuses: { '498': 'upstream_overloaded' },
      reportObject: { object: 'base_resp', code: 'status_code', message: 'status_msg' },
      shortToolIds: true,
    },
    unsupported: ['seed'],
    unsupportedTiers: ['default'],
    replacedEfforts: { medium: 'high' },
    maxTemperature: 1,
    choices: 1,
    takesNames: false,
    takesImageUrls: true,
    takesImagesInResults: true,
    servesMessages: true,
    embeddings: { batchSize: 10, maxBytes: 1000, names: { dimensions: 'size' }, takesUser: false },
    rerank: { path: '/v2/rerank', names: { documents: 'texts' }, always: {}, takes: ['instruction'] },
  };
  expect(readHostRow(full)).toEqual(full);
  expect(operatorProvider(readHostRow(full))).toMatchObject({
    name: 'vllm-a',
    generation: { takesImageUrls: true },
  });
});

test('what a row leaves out is safe: callers’ images are fetched by the gateway, and a key is needed', () => {
  const provider = operatorProvider(readHostRow({ ...row, dialect: { replay: 'reasoning_content' } }));
  expect(provider.generation?.takesImageUrls).toBe(false);
  expect(provider.embeddings).toBeUndefined();
  expect(provider.rerank).toBeUndefined();
  expect(provider.isConfigured({ settings: {} })).toBe(false);
  expect(provider.isConfigured({ apiKey: 'sk-example', settings: {} })).toBe(true);
});

test.each([
  ['https://llm.example.com', 'https://llm.example.com'],
  ['https://llm.example.com/v1///', 'https://llm.example.com/v1'],
  ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
  ['http://[::1]:8000/v1', 'http://[::1]:8000/v1'],
  ['http://10.1.2.3/v1', 'http://10.1.2.3/v1'],
  ['http://localhost:11434/v1', 'http://localhost:11434/v1'],
  ['http://vllm:8000/v1', 'http://vllm:8000/v1'],
  ['http://vllm.llm.svc.cluster.local/v1', 'http://vllm.llm.svc.cluster.local/v1'],
])('the address %s can be used', (baseUrl, used) => {
  expect(readHostRow({ ...row, baseUrl }).baseUrl).toBe(used);
});

test.each<[object | string | null, string]>([
  [null, 'row'],
  ['vllm', 'row'],
  [{ name: undefined }, 'name'],
  [{ name: 'Vllm' }, 'name'],
  [{ name: 'a--b' }, 'name'],
  [{ name: '__proto__' }, 'name'],
  [{ name: 'a'.repeat(41) }, 'name'],
  [{ name: 'openai' }, 'name: is the name of a built-in provider'],
  [{ name: 'groq' }, 'name: is the name of a built-in provider'],
  [{ name: 'self-hosted' }, 'name: is the name of a built-in provider'],
  [{ baseUrl: undefined }, 'baseUrl'],
  [{ baseUrl: 'llm.example.com/v1' }, 'baseUrl'],
  [{ baseUrl: 'ftp://llm.example.com' }, 'baseUrl'],
  [{ baseUrl: 'file:///etc/passwd' }, 'baseUrl'],
  [{ baseUrl: ' https://llm.example.com/v1' }, 'baseUrl'],
  [{ baseUrl: 'https://llm.example.com/v1\n' }, 'baseUrl'],
  [{ baseUrl: 'http://llm.example.com/v1' }, 'baseUrl: must start with https://'],
  [{ baseUrl: 'http://8.8.8.8/v1' }, 'baseUrl: must start with https://'],
  [{ baseUrl: 'http://169.254.169.254/latest' }, 'baseUrl: must start with https://'],
  [{ baseUrl: 'https://user:secret@llm.example.com' }, 'baseUrl: must not contain credentials'],
  [{ baseUrl: 'https://user@llm.example.com' }, 'baseUrl: must not contain credentials'],
  [{ baseUrl: 'https://:secret@llm.example.com' }, 'baseUrl: must not contain credentials'],
  [{ baseUrl: 'https://llm.example.com/v1?key=1' }, 'baseUrl: must not have a query'],
  [{ baseUrl: 'https://llm.example.com/v1#a' }, 'baseUrl: must not have a query'],
  [{ baseUrl: `https://llm.example.com/${'a'.repeat(600)}` }, 'baseUrl'],
  [{ unsupported: ['temperatur'] }, 'unsupported.0'],
  [{ unsupported: 'seed' }, 'unsupported'],
  [{ choices: 0 }, 'choices'],
  [{ choices: 'one' }, 'choices'],
  [{ maxTemperature: 3 }, 'maxTemperature'],
  [{ takesNames: 'no' }, 'takesNames'],
  [{ needsKey: 1 }, 'needsKey'],
  [{ embeddings: true }, 'embeddings'],
  [{ embeddings: { batchSize: 0 } }, 'embeddings.batchSize'],
  [{ rerank: { path: 'rerank' } }, 'rerank.path'],
  [{ rerank: { path: '/../rerank?a' } }, 'rerank.path'],
  [{ rerank: { takes: ['top_p'] } }, 'rerank.takes'],
  [{ apiKey: 'sk-example' }, 'unknown field apiKey'],
  [{ sandbox: {} }, 'unknown field sandbox'],
  [{ dialect: { think: true } }, 'dialect: unknown field think'],
  [{ dialect: { names: { temperatur: 'x' } } }, 'dialect.names'],
  [{ dialect: { names: { temperature: 'a b' } } }, 'dialect.names.temperature'],
  [{ dialect: { efforts: { loud: {} } } }, 'dialect.efforts'],
  [{ dialect: { errorCodes: { 1: 'quota' } } }, 'dialect.errorCodes.1'],
  [{ dialect: { errorStatuses: { 200: 'upstream_quota' } } }, 'dialect.errorStatuses'],
  [{ dialect: { replay: 'somewhere' } }, 'dialect.replay'],
  [{ dialect: { always: { a: 'x'.repeat(20_000) } } }, 'at most 16384 bytes'],
])('%j is refused, and the field is named', (change, message) => {
  const faulty = change !== null && typeof change === 'object' ? { ...row, ...change } : change;
  expect(() => readHostRow(faulty)).toThrow(message);
});

test('a row that a newer gateway wrote is used without the fields that this one does not know', () => {
  expect(readHostRow({ ...row, newer: true }, 'ignore')).toEqual({ ...row, dialect: {} });
});

describe('the hosts of a gateway', () => {
  test('are found again after a change, and a faulty row is reported and answers for no provider', async () => {
    let stored: unknown = row;
    const warnings: string[] = [];
    const providers = createProviders({
      find: async () => stored,
      warn: (name, reason) => warnings.push(`${name}: ${reason}`),
    });
    const baseUrlNow = async () => (await providers.load('vllm-a'))?.baseUrl?.('', { settings: {} });
    expect(await baseUrlNow()).toBe('https://llm.example.com/v1');
    expect(await providers.load('vllm-a')).toBe(providers.get('vllm-a'));
    stored = { ...row, baseUrl: 'https://other.example.com/v1' };
    expect(await baseUrlNow()).toBe('https://other.example.com/v1');
    stored = { ...row, baseUrl: 'nowhere' };
    expect(await baseUrlNow()).toBeUndefined();
    expect(await baseUrlNow()).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('vllm-a: Malformed host row: baseUrl')]);
    stored = { ...row, name: 'another' };
    expect(await providers.load('vllm-a')).toBeUndefined();
    expect(warnings.at(-1)).toBe('vllm-a: The row names another host: another');
    stored = undefined;
    expect(await providers.load('vllm-a')).toBeUndefined();
  });

  test('are gone as soon as their row is found removed, also for a request that is planned then', async () => {
    let stored: unknown = row;
    const providers = createProviders({ find: async () => stored, warn: () => {} });
    expect((await providers.load('vllm-a'))?.name).toBe('vllm-a');
    stored = undefined;
    expect(await providers.load('vllm-a')).toBeUndefined();
    expect(providers.get('vllm-a')).toBeUndefined();
  });

  test('never replace a built-in provider', async () => {
    const find = () => Promise.reject(new Error('The database is not read.'));
    const providers = createProviders({ find, warn: () => {} });
    for (const name of ['openai', 'groq', 'google-vertex', 'self-hosted']) {
      expect((await providers.load(name))?.name).toBe(name);
    }
  });
});

describe('a hosts file', () => {
  async function write(text: string, stored: readonly StoredHost[] = []) {
    const directory = await mkdtemp(join(tmpdir(), 'gateway-'));
    const items = new Map(stored.map((host) => [host.name, host]));
    const store: Omit<HostStore, 'replace'> = {
      get: async (name) => items.get(name),
      list: async () => [...items.values()],
      put: async (host) => void items.set(host.name, host),
      remove: async (name) => items.delete(name),
    };
    try {
      await writeFile(join(directory, 'hosts.json'), text);
      const hosts = await writeOwnHosts(store, directory, undefined);
      return { hosts: hosts.map(({ name }) => name), stored: [...items.keys()] };
    } finally {
      await rm(directory, { recursive: true });
    }
  }

  test.each([
    ['is no JSON', '[', 'not a JSON list'],
    ['is no list', '{}', 'not a JSON list'],
    ['has a faulty row', JSON.stringify([row, { ...row, name: 'b', choices: 0 }]), 'is not valid. choices: '],
    ['has a name twice', JSON.stringify([row, row]), 'two rows with the name vllm-a'],
  ])('that %s stops the start', async (_, text, message) => {
    await expect(write(text)).rejects.toThrow(message);
  });

  test('that is named but does not exist stops the start', async () => {
    const store = { list: async () => [] } as unknown as HostStore;
    await expect(writeOwnHosts(store, '/', '/no/such/hosts.json')).rejects.toThrow('cannot be read');
  });

  test('takes a host away that it no longer has, and leaves those of the command', async () => {
    const earlier: readonly StoredHost[] = [
      { name: 'gone', source: 'file', row: { ...row, name: 'gone' } },
      { name: 'kept', source: 'command', row: { ...row, name: 'kept' } },
    ];
    const { hosts, stored } = await write(JSON.stringify([row]), earlier);
    expect(hosts).toEqual(['vllm-a', 'kept']);
    expect(stored.toSorted()).toEqual(['kept', 'vllm-a']);
  });
});
