/**
 * The function that adds up the ledger: the stream of the usage table invokes it with every change of a record. A batch that fails
 * comes again, in halves, until it succeeds; what fails for most of a day goes to a queue, before the stream drops it.
 *
 * AWS counts for nothing how far the sums are behind (`IteratorAge` of the function) and what the queue holds; alarms watch both.
 */
import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { partitionKey } from '../../lib/core/tables.ts';
import { streamedPrefixes } from '../../lib/stores/usage/keys.ts';
import { maxStreamBatch } from '../../lib/stores/usage/stream.ts';
import { streamedEvents } from '../../lib/stores/usage/stream-filter.ts';
import { acknowledge } from './acknowledge.ts';
import { type FunctionParts, GatewayFunction } from './function/gateway-function.ts';
import { allowAlerts } from './permissions/start-permissions.ts';
import { allowTelemetry } from './permissions/telemetry-permissions.ts';
import type { UsedTable } from './table/used-table.ts';
import { type Counting, LineMetrics } from './watching/line-metrics.ts';

interface AggregatorProps extends FunctionParts {
  readonly usage: UsedTable;
  /** The expected throughput of tenants, and their credit. */
  readonly access: UsedTable;
  readonly ledgerDays: number;
  readonly creditRegion: string;
  readonly reservedConcurrency: number | undefined;
  readonly counting: Counting;
  /** Where spans and metrics of requests go; nowhere if empty. */
  readonly otlpEndpoint: string;
  /** Whether it also counts what the dashboard shows. */
  readonly countsForDashboard: boolean;
}

export class Aggregator extends Construct {
  readonly function: GatewayFunction;
  /** Batches that were given up. */
  readonly failed: Queue;

  constructor(scope: Construct, id: string, props: AggregatorProps) {
    super(scope, id);
    const { usage, access, bundle, logLevel, logs, kmsKeyArn, reservedConcurrency, counting } = props;
    this.function = new GatewayFunction(this, 'Function', {
      description: 'Adds up the ledger, settles limits, and finishes interrupted requests',
      bundle,
      timeout: Duration.minutes(2),
      memory: 512,
      logLevel,
      logs,
      kmsKeyArn,
      reservedConcurrency,
    });
    const { permissions } = this.function;
    permissions.reads(usage);
    for (const action of ['PutItem', 'UpdateItem', 'Query'] as const) permissions.acts(action, usage);
    permissions.reads(access);
    permissions.settlesCredit(access);
    permissions.keepsLedger(props.ledgerDays);
    permissions.servesCreditIn(props.creditRegion);
    allowAlerts(permissions);
    if (props.countsForDashboard) permissions.setVariables({ GATEWAY_DASHBOARD_SUMS: 'on' });
    new LineMetrics(this, 'Metrics', { logs: this.function.logs, ...counting, of: 'aggregator' });
    this.failed = this.queue();
    const parameter = `/${counting.namespace}/telemetry/headers`;
    allowTelemetry(permissions, props.otlpEndpoint, { parameter, name: counting.namespace });
    this.follow(usage);
  }

  private queue(): Queue {
    const failed = new Queue(this, 'Failed', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(failed, { SQS3: 'It is itself where batches go that failed; an operator reads it.' });
    return failed;
  }

  private follow({ table }: UsedTable): void {
    const stream = table.tableStreamArn;
    if (stream === undefined) throw new Error('The usage table has no stream.');
    const { handler, live } = this.function;
    handler.addToRolePolicy(
      new PolicyStatement({
        // Source: docs.aws.amazon.com DynamoDB, iam-policy-example-lamda-process-dynamodb-streams.
        actions: [
          'dynamodb:DescribeStream',
          'dynamodb:GetRecords',
          'dynamodb:GetShardIterator',
          'dynamodb:ListStreams',
        ],
        resources: [stream],
      }),
    );
    new EventSourceMapping(this, 'Stream', {
      target: live,
      eventSourceArn: stream,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: maxStreamBatch,
      maxBatchingWindow: Duration.seconds(2),
      // Only events of a window name their shard, which the sums need to count each change once. A shard must have one batch
      // at a time, as is the default.
      tumblingWindow: Duration.minutes(15),
      bisectBatchOnError: true,
      // The stream keeps a change for 24 hours.
      maxRecordAge: Duration.hours(20),
      onFailure: new SqsDlq(this.failed),
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.or(...streamedEvents),
          dynamodb: {
            Keys: { [partitionKey]: { S: streamedPrefixes.flatMap((one) => FilterRule.beginsWith(one)) } },
          },
        }),
      ],
    });
  }
}
