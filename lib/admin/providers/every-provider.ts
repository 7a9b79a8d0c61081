/** The providers of an installation: those that ship with the gateway, and the hosts that its operator added. */
import { operatorProvider, readHostRow } from '../../providers/hosts/operator-hosts.ts';
import type { Provider } from '../../providers/provider.ts';
import { loadAllProviders } from '../../providers/registry.ts';
import type { HostStore, StoredHost } from '../../stores/catalog/hosts.ts';

export interface FoundProvider {
  readonly provider: Provider;
  readonly kind: 'built_in' | 'added';
}

/** Those that ship with the gateway first. A host whose row cannot be used is left out. */
export async function listProviders(hosts: Pick<HostStore, 'list'>): Promise<readonly FoundProvider[]> {
  const [builtIn, stored] = await Promise.all([loadAllProviders(), hosts.list()]);
  return [
    ...[...builtIn.values()].map((provider) => ({ provider, kind: 'built_in' as const })),
    ...stored.flatMap((host) => {
      const provider = toProvider(host);
      return provider ? [{ provider, kind: 'added' as const }] : [];
    }),
  ];
}

/** Undefined where there is none, or its row cannot be used. The table is read only for a name that is not built in. */
export async function findProvider(
  hosts: Pick<HostStore, 'get'>,
  name: string,
): Promise<Provider | undefined> {
  const builtIn = (await loadAllProviders()).get(name);
  if (builtIn) return builtIn;
  const stored = await hosts.get(name);
  return stored && toProvider(stored);
}

function toProvider({ row }: StoredHost): Provider | undefined {
  try {
    return operatorProvider(readHostRow(row, 'ignore'));
  } catch {
    return undefined;
  }
}
