/** The key of a line, as far as its job needs it. */
import { partitionsFor } from '../../core/accounting/partitions.ts';
import type { FoundApiKey } from '../../core/ports/api-keys.ts';
import type { Permissions } from '../../core/tenancy.ts';

export const partitionsOf = ({ tenantPolicy }: FoundApiKey): number =>
  partitionsFor(tenantPolicy?.throughput);

export const withoutDataPolicies = ({ keyPolicy, tenantPolicy, ...key }: FoundApiKey): FoundApiKey => ({
  ...key,
  ...(keyPolicy && { keyPolicy: without(keyPolicy) }),
  ...(tenantPolicy && { tenantPolicy: without(tenantPolicy) }),
});

const without = <Policy extends Permissions>({ dataPolicy: _, ...policy }: Policy) => policy;

export const ownAccountsOf = ({ tenantPolicy }: FoundApiKey) => tenantPolicy?.ownProviders;

/** Jobs are those of the gateway's accounts, also of a tenant with credentials of its own. */
export function withoutOwn(key: FoundApiKey): FoundApiKey {
  if (!ownAccountsOf(key)) return key;
  const { ownProviders: _, ...tenantPolicy } = key.tenantPolicy ?? {};
  return { ...key, tenantPolicy };
}
