/** Code and connections for a request are prepared in parallel while its model row is read. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { prepare } from '../../lib/operations/route.ts';
import type { Providers } from '../../lib/providers/provider.ts';
import { createProviders } from '../../lib/providers/registry.ts';

/** The provider's code is loaded to know its settings. */
const accessTo = (providers: Providers) => ({
  findAccess: async (name: string) => {
    await providers.load(name);
    return { settings: {} };
  },
});

type Ways = Parameters<typeof prepare>[0]['connections'];

function start(model: string, providers = createProviders(), connections: Ways = accessTo(providers)) {
  const asked: string[] = [];
  const catalog = {
    find: (id: string) => {
      asked.push(id);
      return Promise.reject(new Error('The database is away.'));
    },
    list: async () => [],
  };
  prepare({ catalog, providers, connections }, { model });
  return asked;
}

test.each(['openai', 'anthropic', 'google'])(
  'the code for a model of %s is loaded while its row is read',
  async (maker) => {
    const providers = createProviders();
    expect(start(`${maker}/some-model`, providers)).toEqual([`${maker}/some-model`]);
    expect(providers.get(maker), 'the read leaves first').toBeUndefined();
    // The first of them is compiled here by the test runner.
    await expect.poll(() => providers.get(maker)?.name, { timeout: 20_000 }).toBe(maker);
  },
);

test.each(['meta/some-model', 'no-model', ''])(
  'nothing is loaded for %j, and nothing fails',
  async (model) => {
    const asked: string[] = [];
    const providers = {
      ...createProviders(),
      load: async (name: string) => {
        asked.push(name);
        return createProviders().load(name);
      },
    };
    start(model, providers);
    await nextTurn();
    expect(asked).toHaveLength(1);
    expect(await providers.load(asked[0] ?? '')).toBeUndefined();
  },
);

test('code that cannot be loaded causes no error before it is needed', async () => {
  const load = () => Promise.reject(new Error('The disk is away.'));
  expect(start('openai/some-model', { ...createProviders(), load })).toHaveLength(1);
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
    const maker = apiKey ? 'google' : 'openai';
    start(`${maker}/some-model`, providers, { findAccess, preconnect });
    await expect.poll(() => providers.get(maker)?.name, { timeout: 20_000 }).toBe(maker);
    await nextTurn();
  }
  expect(opened).toEqual(['https://generativelanguage.googleapis.com/v1beta']);
});
