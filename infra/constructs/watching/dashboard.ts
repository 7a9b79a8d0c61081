/**
 * The dashboard of a deployment: what AWS counts, what lines of the logs count, and the metrics of requests where they are on. Without
 * them, queries of the logs show times and tokens by provider; each opening of the dashboard then reads the logs of its time.
 */
import { Duration } from 'aws-cdk-lib';
import {
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryWidget,
  MathExpression,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { CountedLine } from '../../alarms/lines.ts';
import {
  failedRequests,
  interruptedStreams,
  slowStreams,
  startsOfFunctions,
  tokens,
} from '../../alarms/queries.ts';
import type { Measure } from '../../alarms/row.ts';
import type { Measures } from './measures.ts';

interface DashboardProps {
  readonly name: string;
  readonly measures: Measures;
  /** Of what serves requests. */
  readonly logGroups: readonly string[];
  /** Of the metrics of requests; absent where they are off. */
  readonly metricsIn: string | undefined;
}

/** Lines that it shows. */
export const dashboardLines: readonly CountedLine[] = [
  'ModelRequests',
  'StreamedRequests',
  'SlowStreams',
  'InterruptedStreams',
  'InternalErrors',
  'OtherErrors',
  'ProviderFailures',
  'RefusedCredentials',
  'Fallbacks',
  'Refusals',
  'UnpricedRequests',
  'LostUsageRecords',
];

/** A graph has those of its measures that the host has, and is left out without any. */
const graphs: readonly (readonly [title: string, ...measures: readonly Measure[]])[] = [
  ['Traffic', 'requests', 'ModelRequests', 'StreamedRequests'],
  ['Errors', 'serverErrors', 'InterruptedStreams', 'InternalErrors', 'OtherErrors', 'balancerErrors'],
  ['Providers', 'ProviderFailures', 'RefusedCredentials', 'Fallbacks', 'SlowStreams'],
  ['Refused by limits', 'Refusals'],
  ['Records', 'UnpricedRequests', 'LostUsageRecords', 'failedBatches'],
  ['Milliseconds that the sums are behind', 'aggregatorAge'],
  ['Tables: refused as too many', 'tableThrottles'],
  ['Tables: faults', 'tableErrors'],
  ['Functions: refused, and without an answer', 'throttledCalls', 'functionErrors'],
  ['Background: without an end, and dropped', 'backgroundErrors', 'droppedEvents'],
  ['Background: milliseconds before the beginning', 'backgroundAge'],
  ['Functions of the account at a time', 'concurrency'],
  ['Tasks', 'healthyTasks', 'unhealthyTasks'],
  ['Memory of tasks, percent', 'taskMemory'],
];

/** The metrics of requests: title, metric, dimension, statistic. */
const ofRequests = [
  ['Time to first token by provider, median', 'TimeToFirstToken', 'Provider', 'p50'],
  ['Time to first token by provider, 99th percentile', 'TimeToFirstToken', 'Provider', 'p99'],
  ['Errors by provider', 'Errors', 'Provider', 'Sum'],
  ['Errors by operation', 'Errors', 'Operation', 'Sum'],
  ['Input tokens', 'InputTokens', 'Operation', 'Sum'],
  ['Output tokens', 'OutputTokens', 'Operation', 'Sum'],
  ['USD by provider', 'CostUsd', 'Provider', 'Sum'],
  ['USD by model', 'CostUsd', 'Model', 'Sum'],
] as const;

const queries = [
  ['Errors by provider and operation', failedRequests],
  ['Streams that broke off', interruptedStreams],
  ['Time to first token', slowStreams],
  ['Tokens', tokens],
  ['Starts of functions', startsOfFunctions],
] as const;

const period = Duration.minutes(5);
const size = { width: 12, height: 6 };

export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, { name, measures, logGroups, metricsIn }: DashboardProps) {
    super(scope, id);
    const counted = graphs.flatMap(([title, ...names]) =>
      graph(
        title,
        names.flatMap((one) => measures.of(one)),
      ),
    );
    const measured = metricsIn === undefined ? [] : ofRequests.flatMap((row) => found(metricsIn, row));
    const asked = queries.map(
      ([title, queryString]) =>
        new LogQueryWidget({ title, queryString, logGroupNames: [...logGroups], ...size }),
    );
    new CloudWatchDashboard(this, 'Dashboard', {
      dashboardName: name,
      defaultInterval: Duration.hours(3),
      widgets: pairs([...counted, ...measured, ...asked]),
    });
  }
}

const graph = (title: string, left: IMetric[]): readonly IWidget[] =>
  left.length > 0 ? [new GraphWidget({ title, left, period, ...size })] : [];

function found(namespace: string, [title, metric, dimension, statistic]: (typeof ofRequests)[number]) {
  const expression = `SEARCH('{"${namespace}",${dimension}} MetricName="${metric}"', '${statistic}', ${period.toSeconds()})`;
  return graph(title, [new MathExpression({ expression, usingMetrics: {}, label: '', period })]);
}

/** Two of them fill a row. */
const pairs = (widgets: readonly IWidget[]): IWidget[][] =>
  widgets.flatMap((widget, index) =>
    index % 2 === 0 ? [[widget, ...widgets.slice(index + 1, index + 2)]] : [],
  );
