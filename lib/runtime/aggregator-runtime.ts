/** The aggregator with its dependencies. It is invoked with changes of the ledger, and answers no request. */
import type { Log } from '../core/ports/log.ts';
import { type Aggregate, createAggregate } from '../metering/aggregate/aggregate.ts';
import { createTenantStore } from '../stores/access/tenants.ts';
import { createLimitStore } from '../stores/limits/limits.ts';
import { createAggregateStore } from '../stores/usage/aggregate.ts';
import { rememberPartitions } from '../stores/usage/partitions.ts';
import { readStreamEvent, type StreamEvent } from '../stores/usage/stream.ts';
import type { Foundation } from './foundation.ts';
import { createLightFoundation } from './light-runtime.ts';

/** The answer to an event of a time window: nothing is kept from one event to the next. */
export interface WindowAnswer {
  readonly state: Readonly<Record<string, never>>;
}

/** Rejects if the event must come again. */
export type HandleStream = (event: StreamEvent) => Promise<WindowAnswer>;

export interface AggregatorParts extends Pick<Foundation, 'log' | 'now' | 'table'> {
  readonly environment: Pick<Foundation['environment'], 'GATEWAY_LEDGER_DAYS'>;
}

export function createAggregator(parts: AggregatorParts = createLightFoundation()): HandleStream {
  const { environment, log, now, table } = parts;
  const store = createAggregateStore({
    ...table('usage'),
    now,
    ledgerDays: environment.GATEWAY_LEDGER_DAYS,
    partitionsOf: rememberPartitions(createTenantStore(table('access')), now),
  });
  const limits = createLimitStore({ ...table('usage'), now });
  return handleStream(createAggregate({ store, limits, now, log }), log);
}

function handleStream(aggregate: Aggregate, log: Log): HandleStream {
  return async (event) => {
    const { shard, changes, unreadable } = readStreamEvent(event);
    // An alarm of the stack counts these lines: the sums lack these items, and a repetition would not help.
    if (unreadable > 0) log.error('ledger items unreadable', { count: unreadable });
    try {
      await aggregate(shard, changes);
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown';
      log.error('aggregation failed', { changes: changes.length, reason });
      throw error;
    }
    return { state: {} };
  };
}
