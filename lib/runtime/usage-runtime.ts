/** The dependencies of the function that reports a tenant's usage. */
import type { UsageStore } from '../core/ports/usage-store.ts';
import { createTenantStore } from '../stores/access/tenants.ts';
import { readPartitions } from '../stores/usage/partitions.ts';
import { createUsageStore } from '../stores/usage/usage.ts';
import type { Foundation } from './foundation.ts';
import { createLightFoundation } from './light-runtime.ts';
import { createRuntime, type Runtime } from './runtime.ts';

export interface UsageRuntime extends Runtime {
  readonly usage: UsageStore;
}

export function createUsageRuntime(foundation: Foundation = createLightFoundation()): UsageRuntime {
  const { environment, now, table } = foundation;
  return {
    ...createRuntime(foundation),
    usage: createUsageStore({
      ...table('usage'),
      now,
      ledgerDays: environment.GATEWAY_LEDGER_DAYS,
      partitionsOf: readPartitions(createTenantStore(table('access'))),
    }),
  };
}
