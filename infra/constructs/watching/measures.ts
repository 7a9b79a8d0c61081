/** The metrics of a deployment by what they measure, for alarms and the dashboard. */
import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { type TableName, tableNames } from '../../../lib/core/tables.ts';
import { type CountedLine, countedLines } from '../../alarms/lines.ts';
import type { Measure } from '../../alarms/row.ts';
import { callsOf, type UsedTable } from '../table/used-table.ts';

const period = Duration.minutes(5);

const metricOf = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic = 'Sum',
) => new Metric({ namespace, metricName, dimensionsMap, statistic, period });

/** What serves the requests on Fargate, by the names that CloudWatch has for them. */
export interface TaskNames {
  readonly balancer: string;
  readonly targets: string;
  readonly cluster: string;
  readonly service: string;
}

export class Measures {
  readonly #found = new Map<Measure, readonly Metric[]>();

  /** None, where a deployment has nothing that is measured so. */
  of(measure: Measure): readonly Metric[] {
    return this.#found.get(measure) ?? [];
  }

  #add(measure: Measure, ...metrics: readonly Metric[]): void {
    this.#found.set(measure, [...this.of(measure), ...metrics]);
  }

  /** Lines of logs that are counted in the namespace. */
  countLines(namespace: string, counted: ReadonlySet<CountedLine>): void {
    for (const name of countedLines)
      if (counted.has(name))
        this.#add(name, new Metric({ namespace, metricName: name, statistic: 'Sum', period }));
  }

  /** Source: docs.aws.amazon.com API Gateway, api-gateway-metrics-and-dimensions. */
  ofApi(name: string, stage: string): void {
    const dimensions = { ApiName: name, Stage: stage };
    this.#add('requests', metricOf('AWS/ApiGateway', 'Count', dimensions));
    this.#add('serverErrors', metricOf('AWS/ApiGateway', '5XXError', dimensions));
  }

  /** That of the dashboard, in a stack of its own. It has the name of its stack. */
  ofAdminApi(name: string, stage: string): void {
    this.#add('adminServerErrors', metricOf('AWS/ApiGateway', '5XXError', { ApiName: name, Stage: stage }));
  }

  /** A function that generates. The metrics of the account have no dimension. Source: docs.aws.amazon.com Lambda, monitoring-metrics-types. */
  ofGenerating(handler: IFunction): void {
    this.#add('throttledCalls', handler.metricThrottles({ period, statistic: 'Sum' }));
    this.#add('functionErrors', handler.metricErrors({ period, statistic: 'Sum' }));
    if (this.of('concurrency').length === 0)
      this.#add('concurrency', metricOf('AWS/Lambda', 'ConcurrentExecutions', {}, 'Maximum'));
  }

  /** Source: docs.aws.amazon.com Lambda, monitoring-metrics-types, "Asynchronous invocation metrics". */
  ofBackground(handler: IFunction): void {
    this.#add('backgroundErrors', handler.metricErrors({ period, statistic: 'Sum' }));
    this.#add('backgroundAge', handler.metric('AsyncEventAge', { period, statistic: 'Maximum' }));
    this.#add('droppedEvents', handler.metric('AsyncEventsDropped', { period, statistic: 'Sum' }));
  }

  ofAggregator(handler: IFunction, failed: IQueue): void {
    this.#add('aggregations', handler.metricInvocations({ period, statistic: 'Sum' }));
    this.#add('aggregatorAge', handler.metric('IteratorAge', { period, statistic: 'Maximum' }));
    this.#add(
      'failedBatches',
      failed.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
    );
  }

  ofExport(handler: IFunction): void {
    this.#add('exportErrors', handler.metricErrors({ period, statistic: 'Sum' }));
  }

  /** Of whatever stack the tables are. Source: docs.aws.amazon.com DynamoDB, metrics-dimensions. */
  ofTables(tables: Readonly<Record<TableName, UsedTable>>): void {
    for (const name of tableNames) {
      const { tableName } = tables[name];
      for (const metric of ['ReadThrottleEvents', 'WriteThrottleEvents'])
        this.#add('tableThrottles', metricOf('AWS/DynamoDB', metric, { TableName: tableName }));
      for (const Operation of callsOf[name])
        this.#add(
          'tableErrors',
          metricOf('AWS/DynamoDB', 'SystemErrors', { TableName: tableName, Operation }),
        );
    }
  }

  /** Source: docs.aws.amazon.com elasticloadbalancing, load-balancer-cloudwatch-metrics; AmazonECS, available-metrics. */
  ofTasks({ balancer, targets, cluster, service }: TaskNames): void {
    const ofBalancer = { LoadBalancer: balancer };
    const ofTargets = { LoadBalancer: balancer, TargetGroup: targets };
    const balancing = 'AWS/ApplicationELB';
    this.#add('requests', metricOf(balancing, 'RequestCount', ofBalancer));
    this.#add('serverErrors', metricOf(balancing, 'HTTPCode_Target_5XX_Count', ofBalancer));
    const refused = metricOf(balancing, 'HTTPCode_ELB_5XX_Count', ofBalancer);
    this.#add('balancerErrors', refused);
    // The count of requests has only those for which there was a task.
    this.#add('requests', refused);
    this.#add('unhealthyTasks', metricOf(balancing, 'UnHealthyHostCount', ofTargets, 'Maximum'));
    this.#add('healthyTasks', metricOf(balancing, 'HealthyHostCount', ofTargets, 'Maximum'));
    const ofService = { ClusterName: cluster, ServiceName: service };
    this.#add('taskMemory', metricOf('AWS/ECS', 'MemoryUtilization', ofService, 'Maximum'));
  }
}
