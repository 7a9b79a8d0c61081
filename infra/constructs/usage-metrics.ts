/**
 * CloudWatch metrics that count log lines of a function that need attention. A metric costs nothing in hours without a
 * count. Alarms have a monthly cost, so operators add them.
 */
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

interface UsageMetricsProps {
  readonly logs: LogGroup;
  readonly namespace: string;
  readonly of: keyof typeof messages;
  /** Whether what a function writes may be within a line of Lambda's. */
  readonly isWrapped?: boolean;
}

const messages = {
  requests: {
    /** Requests with an unknown cost, because a price is missing. */
    UnpricedRequests: 'usage unpriced',
    /** Answers whose provider states another cost than the one computed, because a price is wrong. */
    DifferentCosts: 'usage cost differs',
    /** Records that exist only in the log, until `usage replay` restores them. */
    LostUsageRecords: 'usage record lost',
  },
  aggregator: {
    /** Batches of the ledger's changes that failed. They come again. */
    FailedAggregations: 'aggregation failed',
    /** Batches with items of the ledger that the sums lack. */
    UnreadableLedgerItems: 'ledger items unreadable',
  },
  export: {
    /** Exports of a day that failed. Each is tried twice more. */
    FailedExports: 'export failed',
  },
} as const;

export class UsageMetrics extends Construct {
  constructor(scope: Construct, id: string, { logs, namespace, of, isWrapped = false }: UsageMetricsProps) {
    super(scope, id);
    for (const [metricName, message] of Object.entries(messages[of])) {
      new MetricFilter(this, metricName, {
        logGroup: logs,
        filterPattern: isWrapped ? wrapped(message) : plain('$.message', message),
        metricNamespace: namespace,
        metricName,
        metricValue: '1',
      });
    }
  }
}

const plain = (field: string, message: string) => FilterPattern.stringValue(field, '=', message);

/**
 * A Web Function's output becomes the message of a line of Lambda's: its text, or what it is in JSON. Source:
 * aws/agent-toolkit-for-aws, aws-lambda-web-functions, observability.
 */
const wrapped = (message: string) =>
  FilterPattern.any(
    plain('$.message', message),
    plain('$.message.message', message),
    plain('$.message', `{*${message}*`),
  );
