/** The providers of an installation: those that ship with the gateway, and the hosts that its operator added. */
import { operatorProvider, readHostRow } from '../../../lib/providers/operator-hosts.ts';
import type { Provider } from '../../../lib/providers/provider.ts';
import type { HostStore, StoredHost } from '../../../lib/stores/catalog/hosts.ts';
import { providers } from '../../all-providers.ts';

/** A host of the operator's; undefined where there is none, or its row cannot be used. */
export async function findOperatorProvider(
  hosts: Pick<HostStore, 'get'>,
  name: string,
): Promise<Provider | undefined> {
  const stored = await hosts.get(name);
  return stored && toProvider(stored);
}

export async function listProviders(hosts: Pick<HostStore, 'list'>): Promise<readonly Provider[]> {
  const stored = await hosts.list();
  return [...providers.values(), ...stored.flatMap((host) => toProvider(host) ?? [])];
}

function toProvider({ row }: StoredHost): Provider | undefined {
  try {
    return operatorProvider(readHostRow(row, 'ignore'));
  } catch {
    return undefined;
  }
}
