/**
 * Counts the log lines of a function that somebody has to look after, as metrics of CloudWatch. A metric costs nothing
 * for the hours in which nothing was counted; alarms, which cost by the month, are the operator's to add.
 */
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

interface UsageMetricsProps {
  readonly logs: LogGroup;
  readonly namespace: string;
}

const messages = {
  /** Requests whose cost is not known: a price is missing. */
  UnpricedRequests: 'usage unpriced',
  /** Records that only the log has: they wait for `usage replay`. */
  LostUsageRecords: 'usage record lost',
} as const;

export class UsageMetrics extends Construct {
  constructor(scope: Construct, id: string, { logs, namespace }: UsageMetricsProps) {
    super(scope, id);
    for (const [metricName, message] of Object.entries(messages)) {
      new MetricFilter(this, metricName, {
        logGroup: logs,
        filterPattern: FilterPattern.stringValue('$.message', '=', message),
        metricNamespace: namespace,
        metricName,
        metricValue: '1',
      });
    }
  }
}
