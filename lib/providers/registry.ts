/**
 * Every provider the gateway can call. A function starts without any and loads the ones that its requests go to, with the
 * rest of their family: most of their code is shared, and many small files load slower than a few.
 */
import type { Provider, Providers } from './provider.ts';
import { familyNames, providerNames } from './provider-names.ts';

interface Family {
  readonly load: () => Promise<readonly Provider[]>;
  readonly names: readonly string[];
}

const families: readonly Family[] = [
  { load: async () => (await import('./openai-family.ts')).openaiFamily, names: familyNames.openai },
  { load: async () => (await import('./claude-family.ts')).claudeFamily, names: familyNames.claude },
  { load: async () => (await import('./google-family.ts')).googleFamily, names: familyNames.google },
];

/** The hosts that the operator defined. */
export interface OperatorHosts {
  /** The row of a host as it is stored; undefined where there is none. */
  readonly find: (name: string) => Promise<unknown>;
  /** Called for a row that cannot be used, with the reason. */
  readonly warn: (name: string, reason: string) => void;
}

export function createProviders(operatorHosts?: OperatorHosts): Providers {
  const loaded = new Map<string, Provider>();
  const rows = new Map<string, unknown>();

  /** The row may have changed since it was last loaded. */
  async function loadOperatorHost(name: string): Promise<Provider | undefined> {
    const row = await operatorHosts?.find(name);
    if (row === undefined) return undefined;
    if (rows.get(name) === row) return loaded.get(name);
    const { operatorProvider, readHostRow } = await import('./operator-hosts.ts');
    try {
      const provider = operatorProvider(readHostRow(row, 'ignore'));
      loaded.set(name, provider);
      rows.set(name, row);
      return provider;
    } catch (error) {
      operatorHosts?.warn(name, error instanceof Error ? error.message : 'Malformed host row');
      return undefined;
    }
  }

  return {
    isBuiltIn: (name) => providerNames.includes(name),
    async load(name) {
      const family = families.find(({ names }) => names.includes(name));
      if (!family) return await loadOperatorHost(name);
      if (!loaded.has(name)) for (const provider of await family.load()) loaded.set(provider.name, provider);
      return loaded.get(name);
    },
    get: (name) => loaded.get(name),
  };
}

/** Every provider that ships with the gateway, for checks, commands and the local gateway. */
export async function loadAllProviders(): Promise<ReadonlyMap<string, Provider>> {
  const all = await Promise.all(families.map(({ load }) => load()));
  return new Map(all.flat().map((provider) => [provider.name, provider]));
}
