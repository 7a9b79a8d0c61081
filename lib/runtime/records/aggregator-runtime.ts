/** The aggregator with its dependencies. It is invoked with changes of the ledger, and answers no request. */
import { lazy } from '../../async/lazy.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import type { AwsCall } from '../../core/ports/aws.ts';
import type { Log } from '../../core/ports/log.ts';
import type { Webhook } from '../../core/tenancy.ts';
import { type Aggregate, createAggregate } from '../../metering/aggregate/aggregate.ts';
import { createFollowCredit } from '../../metering/credit/follow-credit.ts';
import { createRepairLimits } from '../../metering/leaked/repair-limits.ts';
import { createTenantStore } from '../../stores/access/tenants.ts';
import { createLimitStore } from '../../stores/limits/limits.ts';
import { createAggregateStore } from '../../stores/usage/aggregate.ts';
import { rememberPartitions } from '../../stores/usage/partitions.ts';
import { readStreamEvent, type StreamEvent } from '../../stores/usage/stream.ts';
import { createUsageStore } from '../../stores/usage/usage.ts';
import type { SendTelemetry } from '../../telemetry/telemetry.ts';
import { createAwsCall } from '../../transport/aws/aws-call.ts';
import { creditElsewhere, type Environment } from '../environment.ts';
import type { Foundation } from '../foundation.ts';
import { createAlerts } from './alerts-runtime.ts';

/** The answer to an event of a time window: nothing is kept from one event to the next. */
interface WindowAnswer {
  readonly state: Readonly<Record<string, never>>;
}

/** Rejects if the event must come again. */
export type HandleStream = (event: StreamEvent) => Promise<WindowAnswer>;

interface AggregatorParts extends Pick<Foundation, 'log' | 'now' | 'table'> {
  readonly environment: Partial<
    Pick<
      Environment,
      | 'GATEWAY_LEDGER_DAYS'
      | 'GATEWAY_CREDIT_REGION'
      | 'GATEWAY_DASHBOARD_SUMS'
      | 'GATEWAY_ALERT_WEBHOOK_URL'
      | 'GATEWAY_ALERT_WEBHOOK_SECRET'
      | 'AWS_REGION'
    >
  >;
  /** The calls of EventBridge; absent locally. */
  readonly events?: AwsCall;
  /** Sends spans and metrics of what the batches have ended; absent where none are wanted. */
  readonly sendTelemetry?: SendTelemetry;
}

export function createAggregator(parts: AggregatorParts): HandleStream {
  const { environment, log, now, table, events, sendTelemetry } = parts;
  const tenants = createTenantStore(table('access'));
  const ledger = {
    ...table('usage'),
    now,
    ledgerDays: environment.GATEWAY_LEDGER_DAYS,
    partitionsOf: rememberPartitions(tenants, now),
  };
  const store = createAggregateStore(ledger);
  const usage = createUsageStore(ledger);
  // Two regions must not both write what is left of the credit of a tenant.
  const followCredit = creditElsewhere(environment) ? undefined : createFollowCredit({ tenants, usage, now });
  const limits = createLimitStore({ ...table('usage'), now });
  const repairLimits = createRepairLimits({ limits, usage, running: store, now, log });
  const webhook = readOperatorWebhook(environment);
  const { raiseAlerts, watchProviders } = createAlerts({ log, now, table, events, webhook });
  const aggregate = createAggregate({
    store,
    limits,
    raiseAlerts,
    watchProviders,
    ...(followCredit && { followCredit }),
    repairLimits,
    keepsSums: environment.GATEWAY_DASHBOARD_SUMS === 'on',
    now,
    log,
  });
  return handleStream(aggregate, log, sendTelemetry);
}

/** Throws where one of its two settings is missing: what is not signed is not sent. */
function readOperatorWebhook({
  GATEWAY_ALERT_WEBHOOK_URL: url,
  GATEWAY_ALERT_WEBHOOK_SECRET: secret,
}: AggregatorParts['environment']): Webhook | undefined {
  if (url === undefined && secret === undefined) return undefined;
  if (url === undefined) throw new Error('GATEWAY_ALERT_WEBHOOK_SECRET needs GATEWAY_ALERT_WEBHOOK_URL.');
  if (secret === undefined) throw new Error('GATEWAY_ALERT_WEBHOOK_URL needs GATEWAY_ALERT_WEBHOOK_SECRET.');
  return { url, secret };
}

/** A local gateway has no event bus, and its database an address of its own. */
export function aggregatorParts(foundation: Foundation): AggregatorParts {
  const { sendForText, sign, environment, endpointOf } = foundation;
  const { AWS_REGION: region, DYNAMODB_ENDPOINT: local } = environment;
  const parts = {
    ...foundation,
    ...(hasTelemetry(environment) && { sendTelemetry: telemetryOf(foundation) }),
  };
  if (local !== undefined) return parts;
  const aws = { sendForText, sign, region, endpoint: endpointOf('events') };
  const events = createAwsCall({ ...aws, service: 'events', jsonVersion: '1.1' });
  return { ...parts, events };
}

/** Loaded with the first batch, and only where an endpoint is set. */
function telemetryOf(foundation: Foundation): SendTelemetry {
  const load = lazy(async () => {
    const { createTelemetry } = await import('../telemetry-runtime.ts');
    return createTelemetry(foundation);
  });
  return async (shard, changes) => (await load())(shard, changes);
}

const hasTelemetry = (environment: Foundation['environment']): boolean =>
  Boolean(
    environment.OTEL_EXPORTER_OTLP_ENDPOINT ||
      environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ||
      environment.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
  );

function handleStream(
  aggregate: Aggregate,
  log: Log,
  sendTelemetry: SendTelemetry | undefined,
): HandleStream {
  return async (event) => {
    const { shard, changes, unreadable } = readStreamEvent(event);
    // An alarm of the stack counts these lines: the sums lack these items, and a repetition would not help.
    if (unreadable > 0) log.error('ledger items unreadable', { count: unreadable });
    try {
      await aggregate(shard, changes);
    } catch (error) {
      log.error('aggregation failed', { changes: changes.length, ...failureFields(error) });
      throw error;
    }
    // After that nothing may fail: the batch would come again.
    await sendTelemetry?.(shard, changes).catch((error: unknown) =>
      log.error('telemetry failed', { changes: changes.length, ...failureFields(error) }),
    );
    return { state: {} };
  };
}
