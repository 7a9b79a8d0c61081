/** The registry: each provider under its own name, loaded when it is needed. */
import { expect, test } from 'vitest';
import { hostNames } from '../../lib/providers/hosts/hosts.ts';
import { ownNames } from '../../lib/providers/provider-names.ts';
import { createProviders, loadAllProviders } from '../../lib/providers/registry.ts';

const providerNames = [...ownNames, ...hostNames];

test('every provider is found under its name, and no name is without one', async () => {
  const all = await loadAllProviders();
  expect([...all.keys()].sort()).toEqual([...providerNames].sort());
  for (const name of providerNames) {
    const providers = createProviders();
    expect(providers.get(name)).toBeUndefined();
    expect((await providers.load(name))?.name).toBe(name);
    expect(providers.get(name)).toBe(all.get(name));
  }
});

test.each(['unknown', 'constructor', '__proto__', ''])('there is no provider %j', async (name) => {
  expect(await createProviders().load(name)).toBeUndefined();
});
