/** What watches the calls of providers, with its dependencies. Loaded after the first batch of the aggregator, where there are sums. */
import type { ProviderAlert } from '../../core/ports/alerts.ts';
import { createWatchProviders, type WatchProviders } from '../../metering/alerts/watch-providers.ts';
import type { TableOptions } from '../../stores/dynamodb/table.ts';
import { createWatchStore } from '../../stores/usage/alert-log.ts';
import { createDeploymentSums } from '../../stores/usage/deployment-sums.ts';

/** Over the table `usage`. `now`: the time in milliseconds. */
export const watchOf = (
  usage: TableOptions & { readonly now: () => number },
  send: (alert: ProviderAlert) => Promise<void>,
): WatchProviders =>
  createWatchProviders({
    store: createWatchStore(usage),
    sums: createDeploymentSums(usage),
    send,
    now: usage.now,
  });
