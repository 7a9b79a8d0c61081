/** What watches a gateway or a release of it, the dashboard, a small web ACL, and a key of the operator's. */

import type { AlarmRow, Measure } from '../../infra/alarms/row.ts';
import { alarmsOf, isCountedLine, measuresOf } from '../../infra/alarms/table.ts';
import { keepsRecords } from '../../infra/constructs/permissions/operation-permissions.ts';
import { callsOf } from '../../infra/constructs/table/table-calls.ts';
import type { Compute } from '../../infra/settings/groups/computes.ts';
import { operations } from '../../lib/core/operations.ts';
import { routesOf } from '../../lib/core/routes.ts';
import { metricsBy } from '../../lib/metering/request-metrics.ts';
import { isOnWeb } from '../../server/web/web-operations.ts';
import * as sizes from './sizes.ts';
import { operations as costedOperations, monthSeconds, type Traffic } from './traffic.ts';
import { ofMonth, ofRequests, type Use } from './uses.ts';

export interface Watching {
  readonly alarms: boolean;
  readonly cloudWatchDashboard: boolean;
  /** The dashboard, in a bucket behind CloudFront. */
  readonly dashboard: boolean;
  /** Models that the metrics of requests count by name; undefined: there are no such metrics. */
  readonly metricModels: number | undefined;
  readonly waf: boolean;
  /** Of functions for events. */
  readonly canary: boolean;
  readonly ownKey: boolean;
  /** Spans and metrics go to a collector outside of AWS. */
  readonly otlp: boolean;
}

/** Of the ACL that the stack makes. */
const wafRules = 2;

/** Metrics that an alarm reads, each of which is paid for. Source: as the price's. */
export const alarmMetrics = (row: AlarmRow, compute: Compute): number =>
  measuresOf(row).reduce((sum, measure) => sum + countOf(measure, compute), 0);

function countOf(measure: Measure, compute: Compute): number {
  if (isCountedLine(measure)) return 1;
  // Those that the load balancer answered by itself are a metric of their own.
  if (measure === 'requests') return compute === 'fargate' ? 2 : 1;
  const calls = Object.values(callsOf);
  if (measure === 'tableThrottles') return 2 * calls.length;
  if (measure === 'tableErrors') return calls.flat().length;
  if (measure === 'throttledCalls' || measure === 'functionErrors')
    return operations.filter((one) => keepsRecords(one) && !(compute === 'web' && isOnWeb(one))).length;
  return 1;
}

/** Metrics that the alarms of a canary read: two of each function, and the answers of each of its routes. */
export const canaryMetrics: number = operations.reduce((sum, one) => sum + 2 + routesOf(one).length, 0);

/** Roles with tables: of a function that serves requests, at least with one in use (4 tables), and of the aggregator (2 tables). */
const tablesOfRoles = 6;

/** DynamoDB asks for the key of a table for each role once in five minutes at most. Source: docs.aws.amazon.com DynamoDB, encryption at rest, "How it works". */
const keyUses = (tablesOfRoles * monthSeconds) / 300;

/** Lines that alarms count in every hour with requests. The others are rare. */
const busyLines = ['ModelRequests', 'StreamedRequests'];

/** One operation and one provider; each model beside those that are counted by name is one of the others. */
const metricsOf = (models: number): number =>
  metricsBy.Operation.length +
  metricsBy.Provider.length +
  (models > 0 ? (models + 1) * metricsBy.Model.length : 0);

/**
 * What the dashboard costs while no one opens it. CloudFront has no fixed fee, a user pool costs by the people who sign in, and no
 * function writes a log line without a call. Sources: docs.aws.amazon.com whitepaper how-aws-pricing-works, CloudFront;
 * c3x.dev/resources/aws/aws_cognito_user_pool.
 */
const storedPages = sizes.dashboardPage * sizes.dashboardVersions;

/** Due without any request. */
export function watchingIdle(
  compute: Compute,
  { alarms, cloudWatchDashboard, dashboard, waf, canary, ownKey }: Watching,
): readonly Use[] {
  // A dashboard is there where nothing is set, and an export is not.
  const rows = alarms ? alarmsOf({ compute, has: new Set(['dashboard']) }) : [];
  const read = rows.reduce((sum, row) => sum + alarmMetrics(row, compute), 0);
  return ofMonth([
    ['CloudWatch', 'alarmMetrics', 'alarms', read],
    ['CloudWatch', 'alarmMetrics', 'alarms of a canary', canary && compute === 'event' ? canaryMetrics : 0],
    ['CloudWatch', 'keys', 'key of the alarms', alarms ? 1 : 0],
    ['CloudWatch', 'dashboards', 'dashboard', cloudWatchDashboard ? 1 : 0],
    ['S3', 'objectStorage', 'page of the dashboard, with earlier versions', dashboard ? storedPages : 0],
    ['Web ACL', 'webAcls', 'ACL', waf ? 1 : 0],
    ['Web ACL', 'webAclRules', 'rules', waf ? wafRules : 0],
    ['DynamoDB', 'keys', 'own key', ownKey ? 1 : 0],
  ]);
}

/** Due with the requests. */
export function watchingUses(
  traffic: Traffic,
  compute: Compute,
  { alarms, cloudWatchDashboard, metricModels, waf, ownKey, otlp }: Watching,
): readonly Use[] {
  const hasMetrics = metricModels !== undefined && compute !== 'web';
  const { callsModels } = costedOperations[traffic.operation];
  const log = compute === 'fargate' ? 'accessLogs' : 'functionLogs';
  return [
    ...ofMonth([
      [
        'CloudWatch',
        'metrics',
        'lines that are counted',
        alarms || cloudWatchDashboard ? busyLines.length : 0,
      ],
      ['CloudWatch', 'metrics', 'metrics of requests', hasMetrics ? metricsOf(metricModels) : 0],
      ['DynamoDB', 'keyDecryptions', 'uses of the own key, at most', ownKey ? keyUses : 0],
    ]),
    ...ofRequests(traffic, [
      ['CloudWatch', log, 'metrics of requests in the log', hasMetrics ? sizes.metricFields : 0],
      ['Web ACL', 'webAclRequests', 'requests', waf ? 1 : 0],
      ['Transfer', 'transferOut', 'spans and metrics', otlp && callsModels ? sizes.sentSpan : 0],
    ]),
  ];
}
