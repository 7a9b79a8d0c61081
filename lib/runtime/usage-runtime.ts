/** The dependencies of the function that reports a tenant's usage. */
import { lazyFor } from '../async/lazy.ts';
import type { UsageStore } from '../core/ports/usage-store.ts';
import { createTenantStore } from '../stores/access/tenants.ts';
import { readPartitions } from '../stores/usage/partitions.ts';
import { createUsageStore } from '../stores/usage/usage.ts';
import type { Variables } from './environment.ts';
import { foundationOf } from './foundation.ts';
import { type Runtime, runtimeOf } from './runtime.ts';

interface UsageRuntime extends Runtime {
  readonly usage: UsageStore;
}

export const usageRuntime = lazyFor((variables: Variables): UsageRuntime => {
  const { environment, now, table } = foundationOf(variables);
  return {
    ...runtimeOf(variables),
    usage: createUsageStore({
      ...table('usage'),
      now,
      ledgerDays: environment.GATEWAY_LEDGER_DAYS,
      partitionsOf: readPartitions(createTenantStore(table('access'))),
    }),
  };
});
