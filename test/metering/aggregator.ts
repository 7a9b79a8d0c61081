/** The aggregator over the table `usage` of a test; `more`: what else it does. */
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import type { Log } from '../../lib/core/ports/log.ts';
import { type Aggregate, createAggregate } from '../../lib/metering/aggregate/aggregate.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import type { UsageStoreOptions } from '../../lib/stores/usage/usage.ts';

export const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };

export function openAggregate(
  { call, now, ...ledger }: Omit<UsageStoreOptions, 'table'> & { readonly call: AwsCall },
  more: Partial<Parameters<typeof createAggregate>[0]> = {},
): Aggregate {
  const options = { call, table: 'usage', now };
  const store = createAggregateStore({ ...ledger, ...options });
  return createAggregate({ store, limits: createLimitStore(options), now, log: silent, ...more });
}
