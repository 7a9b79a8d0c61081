/** The aggregator of a local database that no gateway runs on: what a command changes in the ledger reaches the sums and limits. */
import { createLog } from '../../lib/runtime/log.ts';
import { createAggregator } from '../../lib/runtime/records/aggregator-runtime.ts';
import type { LocalDatabase } from '../database.ts';
import { type Feed, startFeed } from './feed.ts';

export function startLocalAggregator({ call, changes }: Pick<LocalDatabase, 'call' | 'changes'>): Feed {
  // Locally, a table has the name of its purpose.
  const table = (name: string) => ({ call, table: name });
  const environment = { GATEWAY_DASHBOARD_SUMS: 'on' };
  const handle = createAggregator({ environment, log: createLog(), now: Date.now, table });
  return startFeed(changes, handle);
}
