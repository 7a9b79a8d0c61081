/** Code and connections for a request are prepared in parallel while its model row is read. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { warmUp } from '../../lib/pipeline/warm-up.ts';
import type { Providers } from '../../lib/providers/provider.ts';
import { createProviders } from '../../lib/providers/registry.ts';
import { noNames } from '../harness/no-names.ts';

/** The provider's code is loaded to know its settings. */
const accessTo = (providers: Providers) => ({
  findAccess: async (name: string) => {
    await providers.load(name);
    return { settings: {} };
  },
});

type Ways = Parameters<typeof warmUp>[0]['connections'];

function start(model: string, providers = createProviders(), connections: Ways = accessTo(providers)) {
  const asked: string[] = [];
  const catalog = {
    find: (id: string) => {
      asked.push(id);
      return Promise.reject(new Error('The database is away.'));
    },
    list: async () => [],
    ...noNames,
    named: async (name: string) => ({ models: name === 'some-model' ? ['openai/some-model'] : [] }),
  };
  warmUp({ catalog, providers, connections }, { model });
  return asked;
}

test.each(['openai', 'anthropic', 'google'])(
  'the code for a model of %s is loaded while its row is read',
  async (owner) => {
    const providers = createProviders();
    expect(start(`${owner}/some-model`, providers)).toEqual([`${owner}/some-model`]);
    expect(providers.get(owner), 'the read leaves first').toBeUndefined();
    // The first of them is compiled here by the runner.
    await expect.poll(() => providers.get(owner)?.name, { timeout: 20_000 }).toBe(owner);
  },
);

test('a name without an owner is looked up first', async () => {
  const asked = start('some-model');
  await nextTurn();
  expect(asked).toEqual(['openai/some-model']);
});

test.each(['no-model', ''])('for the name %j, which no model has, nothing is loaded', async (name) => {
  expect(start(name)).toEqual([]);
});

test.each(['meta/some-model', 'no-model/'])(
  'for %j no host is looked up in the database, and nothing fails',
  async (model) => {
    const guessed: string[] = [];
    const lookedUp: string[] = [];
    const find = async (name: string) => void lookedUp.push(name);
    const providers = createProviders({ find, warn: () => {} });
    const loadBuiltIn = async (name: string) => {
      guessed.push(name);
      return providers.loadBuiltIn(name);
    };
    start(model, { ...providers, loadBuiltIn });
    await nextTurn();
    expect(guessed).toEqual([model.split('/')[0]]);
    expect(await providers.loadBuiltIn(guessed[0] ?? '')).toBeUndefined();
    expect(lookedUp).toEqual([]);
    // A deployment of the catalog that names it would be looked up.
    expect(await providers.load('meta')).toBeUndefined();
    expect(lookedUp).toEqual(['meta']);
  },
);

test('code that cannot be loaded causes no error before it is needed', async () => {
  const loadBuiltIn = () => Promise.reject(new Error('The disk is away.'));
  expect(start('openai/some-model', { ...createProviders(), loadBuiltIn })).toHaveLength(1);
  await nextTurn();
});

test('a connection is opened to the provider if the gateway has a key for it', async () => {
  const opened: string[] = [];
  const providers = createProviders();
  const preconnect = (url: string) => void opened.push(url);
  for (const apiKey of [undefined, 'a-key']) {
    const findAccess = async (name: string) => {
      await providers.load(name);
      return { ...(apiKey && { apiKey }), settings: {} };
    };
    const owner = apiKey ? 'google' : 'openai';
    start(`${owner}/some-model`, providers, { findAccess, preconnect });
    await expect.poll(() => providers.get(owner)?.name, { timeout: 20_000 }).toBe(owner);
    await nextTurn();
  }
  expect(opened).toEqual(['https://generativelanguage.googleapis.com/v1beta']);
});
