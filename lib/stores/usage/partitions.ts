/** The partitions of tenants' ledgers, from the throughput that is expected of them. */
import { partitionsFor } from '../../core/accounting/partitions.ts';
import type { TenantStore } from '../access/tenants.ts';
import { createCachedReader } from '../cached-reader.ts';
import type { PartitionsOf } from './usage.ts';

/** Reads the tenant each time. */
export const readPartitions =
  (tenants: Pick<TenantStore, 'find'>): PartitionsOf =>
  async (name) =>
    partitionsFor((await tenants.find(name))?.throughput);

/** Tenants whose partitions a process remembers. */
const maxCachedTenants = 10_000;

/** Remembers it for a minute, and longer while it cannot be read. */
export function rememberPartitions(tenants: Pick<TenantStore, 'find'>, now: () => number): PartitionsOf {
  const read = createCachedReader({
    load: readPartitions(tenants),
    now,
    freshMs: 60_000,
    graceMs: 3_600_000,
    size: maxCachedTenants,
  });
  return async (name) => (await read(name)) ?? 1;
}
