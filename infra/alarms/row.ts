/** The form of an alarm in the table. */
import type { Compute } from '../settings/groups/computes.ts';
import type { CountedLine } from './lines.ts';

/** What AWS counts by itself. */
export const awsMeasures = {
  requests: 'requests that arrived',
  serverErrors: 'answers with a status of 500 or more',
  throttledCalls: 'invocations of the generating functions that Lambda refused',
  functionErrors: 'invocations of the generating functions that ended without an answer',
  concurrency: 'functions of the account that run at a time, in this region',
  backgroundErrors: 'invocations of the function for background responses that ended before their end',
  backgroundAge: 'milliseconds that an event waited for the function for background responses',
  droppedEvents: 'events for background responses that Lambda gave up',
  aggregations: 'invocations of the aggregator',
  aggregatorAge: 'milliseconds that the aggregator is behind the ledger',
  failedBatches: 'batches of the ledger that the aggregator gave up',
  exportErrors: 'exports that ended before their end',
  tableThrottles: 'reads and writes that a table refused as too many',
  tableErrors: 'faults of DynamoDB',
  unhealthyTasks: 'tasks that do not answer the load balancer',
  healthyTasks: 'tasks that answer the load balancer',
  balancerErrors: 'answers with a status of 500 or more that the load balancer gave by itself',
  taskMemory: 'percent of the memory of the tasks',
  adminServerErrors: 'answers of the admin API with a status of 500 or more',
} as const;

type AwsMeasure = keyof typeof awsMeasures;
export type Measure = AwsMeasure | CountedLine;

/** How one number is made of measures. */
export type Watch =
  /** All of a measure together, in the unit of the measure. */
  | { readonly all: Measure }
  /** Percent of another measure, or of a setting; 0 while there are fewer than `least` of the whole, but for `few`. */
  | { readonly share: Measure; readonly of: Measure | AlarmLimit; readonly least: number }
  /** 1 where there was none of it although there was some of another, else 0. */
  | { readonly none: Measure; readonly although: Measure };

/** An outage of a small installation: so many percent, of fewer than `least`. */
export const few = { least: 5, percent: 50 };

/** Numbers that settings of the deployment decide. */
export type AlarmLimit = 'concurrencyQuota' | 'maxTasks';

/** Parts that a deployment may lack: the daily export of the ledger, and the dashboard with its admin API. */
export type AlarmedPart = 'export' | 'dashboard';

export interface AlarmRow {
  /** Of the alarm, after the name of the stack. Also its anchor in `docs/operate/alarms.md`. */
  readonly name: string;
  readonly title: string;
  /** Where it is; absent: everywhere. */
  readonly hosts?: readonly Compute[];
  /** Only where a deployment has this part. */
  readonly isOf?: AlarmedPart;
  readonly watch: Watch;
  /** Above it, or for `isAtLeast` at it, for `isBelow` below it or without a figure, for `late` of `periods` periods. */
  readonly threshold: number;
  readonly isAtLeast?: true;
  readonly isBelow?: true;
  readonly unit: 'percent' | 'count' | 'milliseconds';
  readonly minutes: number;
  readonly late: number;
  readonly periods: number;
  /** What it means, in a sentence or two. */
  readonly means: string;
  /** Who is affected, and how. */
  readonly affects: string;
  /** What to do, in order. */
  readonly steps: readonly string[];
  /** A query of CloudWatch Logs Insights that shows the requests or lines behind it. */
  readonly query?: string;
}

/** Too many in `late` of so many periods, each of so many minutes. */
export const inPeriods = (late: number, periods: number, minutes: number) => ({ late, periods, minutes });

/** More than so many, in `late` of so many periods, each of so many minutes. */
export const above = (
  threshold: number,
  unit: AlarmRow['unit'],
  ...periods: Parameters<typeof inPeriods>
) => ({ threshold, unit, ...inPeriods(...periods) });

/** More than a percentage, in `late` of three periods of five minutes. */
export const percentIn = (late: number, threshold: number) =>
  ({ threshold, unit: 'percent', ...inPeriods(late, 3, 5) }) as const;

/** So many or more, in `late` of so many periods, each of so many minutes. */
export const atLeast = (threshold: number, late: number, periods: number, minutes: number) =>
  ({ threshold, isAtLeast: true, unit: 'count', ...inPeriods(late, periods, minutes) }) as const;

/** The first one, in so many minutes. */
export const once = (minutes: number) => atLeast(1, 1, 1, minutes);
