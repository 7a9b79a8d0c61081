/**
 * Every provider the gateway can call. A function starts without any and loads the ones that its requests go to, with the
 * rest of their family: most of their code is shared, and many small files load slower than a few.
 */
import type { Provider, Providers } from './provider.ts';
import { familyNames } from './provider-names.ts';

type LoadFamily = () => Promise<readonly Provider[]>;

const loadOpenaiFamily: LoadFamily = async () => (await import('./openai-family.ts')).openaiFamily;
const loadCompatibleFamily: LoadFamily = async () =>
  (await import('./hosts/compatible-family.ts')).compatibleFamily;
const loadClaudeFamily: LoadFamily = async () => (await import('./claude/claude-family.ts')).claudeFamily;
const loadGoogleFamily: LoadFamily = async () => (await import('./google-family.ts')).googleFamily;

const families: readonly { readonly names: readonly string[]; readonly load: LoadFamily }[] = [
  { names: familyNames.openai, load: loadOpenaiFamily },
  { names: familyNames.compatible, load: loadCompatibleFamily },
  { names: familyNames.claude, load: loadClaudeFamily },
  { names: familyNames.google, load: loadGoogleFamily },
];

/** The family of a provider; undefined for a name that is not built in. The host table is loaded when it is needed. */
async function familyOf(name: string): Promise<LoadFamily | undefined> {
  const family = families.find(({ names }) => names.includes(name));
  if (family) return family.load;
  const { hosts } = await import('./hosts/hosts.ts');
  return Object.hasOwn(hosts, name) ? loadCompatibleFamily : undefined;
}

/** The hosts that the operator defined. */
interface OperatorHosts {
  /** The row of a host as it is stored; undefined where there is none. */
  readonly find: (name: string) => Promise<unknown>;
  /** Called for a row that cannot be used, with the reason. */
  readonly warn: (name: string, reason: string) => void;
}

export function createProviders(hosts?: OperatorHosts): Providers {
  const builtIn = new Map<string, Provider>();
  /** The same, as each request waits for them. */
  const loaded = new Map<string, Promise<Provider>>();
  const operatorHosts = new Map<string, { readonly row: unknown; readonly provider: Provider | undefined }>();

  /** The row may have changed since it was last loaded. */
  async function loadOperatorHost(name: string): Promise<Provider | undefined> {
    const row = await hosts?.find(name);
    if (row === undefined) {
      operatorHosts.delete(name);
      return undefined;
    }
    const last = operatorHosts.get(name);
    if (last?.row === row) return last.provider;
    const provider = await readProvider(name, row, (reason) => hosts?.warn(name, reason));
    operatorHosts.set(name, { row, provider });
    return provider;
  }

  async function loadBuiltIn(name: string): Promise<Provider | undefined> {
    const loadFamily = builtIn.has(name) ? undefined : await familyOf(name);
    for (const provider of (await loadFamily?.()) ?? []) {
      builtIn.set(provider.name, provider);
      loaded.set(provider.name, Promise.resolve(provider));
    }
    return builtIn.get(name);
  }

  const loadAny = async (name: string) => (await loadBuiltIn(name)) ?? (await loadOperatorHost(name));

  return {
    loadBuiltIn,
    load: (name) => loaded.get(name) ?? loadAny(name),
    get: (name) => builtIn.get(name) ?? operatorHosts.get(name)?.provider,
  };
}

async function readProvider(
  name: string,
  row: unknown,
  warn: (reason: string) => void,
): Promise<Provider | undefined> {
  const { operatorProvider, readHostRow } = await import('./hosts/operator-hosts.ts');
  try {
    const host = readHostRow(row, 'ignore');
    if (host.name === name) return operatorProvider(host);
    warn(`The row names another host: ${host.name}`);
    return undefined;
  } catch (error) {
    warn(error instanceof Error ? error.message : 'Malformed host row');
    return undefined;
  }
}

/** Every provider that ships with the gateway, for checks, commands and the local gateway. */
export async function loadAllProviders(): Promise<ReadonlyMap<string, Provider>> {
  const all = await Promise.all(families.map(({ load }) => load()));
  return new Map(all.flat().map((provider) => [provider.name, provider]));
}
