/** The providers that a data policy names. */
import { invalid } from '../core/errors/invalid.ts';
import type { DataPolicy } from '../core/tenancy.ts';
import type { HostStore } from '../stores/catalog/hosts.ts';
import { findProvider } from './providers/provider-states.ts';

/** One that is misspelled would be allowed all the same. Rejects with GatewayError `invalid_request`. */
export async function requireProviders(
  hosts: Pick<HostStore, 'get'>,
  { dataPolicy }: { readonly dataPolicy?: DataPolicy | null },
): Promise<void> {
  for (const [list, places = []] of Object.entries(dataPolicy?.providers ?? {})) {
    for (const place of places) {
      const [name = ''] = place.split('/', 1);
      if (await findProvider(hosts, name)) continue;
      throw invalid(`data_policy.providers.${list}`, `names no provider of this gateway: '${name}'`);
    }
  }
}
