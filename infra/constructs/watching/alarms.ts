/** The alarms of a deployment, from their table. */
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { type AlarmLimit, type AlarmRow, few, type Measure, type Watch } from '../../alarms/row.ts';
import { alarmsOf, type Deployment, descriptionOf } from '../../alarms/table.ts';
import type { Measures } from './measures.ts';

interface AlarmsProps {
  readonly deployment: Deployment;
  readonly measures: Measures;
  readonly topic: ITopic;
  /** Before the name of each. */
  readonly stackName: string;
  readonly limits: Readonly<Record<AlarmLimit, number>>;
  readonly thresholds: ReadonlyMap<string, number | undefined>;
}

/** Metrics of one expression. Source: docs.aws.amazon.com AmazonCloudWatch, alarm-limits. */
export const maxAlarmMetrics = 10;

export class Alarms extends Construct {
  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const action = new SnsAction(props.topic);
    for (const row of alarmsOf(props.deployment)) {
      const threshold = props.thresholds.has(row.name) ? props.thresholds.get(row.name) : row.threshold;
      if (threshold === undefined) continue;
      for (let part = 0; part < partsOf(row, props.measures); part += 1) {
        const alarm = this.alarm(row, part, threshold, props);
        alarm.addAlarmAction(action);
        alarm.addOkAction(action);
      }
    }
  }

  private alarm(
    row: AlarmRow,
    part: number,
    threshold: number,
    { measures, stackName, limits }: AlarmsProps,
  ): Alarm {
    const name = part === 0 ? row.name : `${row.name}${part + 1}`;
    return new Alarm(this, name, {
      alarmName: `${stackName}-${name}`,
      alarmDescription: descriptionOf(row),
      metric: watched(row, part, measures, limits),
      threshold,
      comparisonOperator: comparisonOf(row),
      datapointsToAlarm: row.late,
      evaluationPeriods: row.periods,
      // Most of the others are counted only when they occur.
      treatMissingData: row.isBelow ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
  }
}

function comparisonOf({ isAtLeast, isBelow }: AlarmRow): ComparisonOperator {
  if (isBelow) return ComparisonOperator.LESS_THAN_THRESHOLD;
  return isAtLeast
    ? ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
    : ComparisonOperator.GREATER_THAN_THRESHOLD;
}

/** A sum has an alarm for each ten of its metrics: CloudWatch takes no more in one. */
const partsOf = ({ watch }: AlarmRow, measures: Measures): number =>
  'all' in watch ? Math.max(1, Math.ceil(measures.of(watch.all).length / maxAlarmMetrics)) : 1;

function watched(row: AlarmRow, part: number, measures: Measures, limits: AlarmsProps['limits']): IMetric {
  const period = Duration.minutes(row.minutes);
  const from = part * maxAlarmMetrics;
  const inPart = (metrics: readonly Metric[]) =>
    'all' in row.watch ? metrics.slice(from, from + maxAlarmMetrics) : metrics;
  const found = (measure: Measure) => inPart(measures.of(measure)).map((metric) => metric.with({ period }));
  const [only, ...others] = 'all' in row.watch ? found(row.watch.all) : [];
  if (only && others.length === 0) return only;
  const { usingMetrics, expression } = mathOf(row.watch, found, limits);
  const count = Object.keys(usingMetrics).length;
  if (count === 0 || count > maxAlarmMetrics)
    throw new Error(`The alarm "${row.name}" has ${count} metrics: 1 to ${maxAlarmMetrics} are possible.`);
  return new MathExpression({ expression, usingMetrics, period, label: row.title });
}

interface Math {
  readonly usingMetrics: Record<string, IMetric>;
  readonly expression: string;
}

/** What was not counted at all in a period is 0. */
function mathOf(
  watch: Watch,
  found: (measure: Measure) => readonly Metric[],
  limits: AlarmsProps['limits'],
): Math {
  if ('all' in watch) return sumOf('all', found(watch.all));
  if ('none' in watch) {
    const [none, although] = [sumOf('none', found(watch.none)), sumOf('although', found(watch.although))];
    return {
      usingMetrics: { ...none.usingMetrics, ...although.usingMetrics },
      expression: `IF(${although.expression} > 0, IF(${none.expression} > 0, 0, 1), 0)`,
    };
  }
  const part = sumOf('part', found(watch.share));
  const { of } = watch;
  if (of === 'concurrencyQuota' || of === 'maxTasks')
    return { ...part, expression: `100 * (${part.expression}) / ${limits[of]}` };
  const whole = sumOf('whole', found(of));
  const share = `100 * (${part.expression}) / (${whole.expression})`;
  const ofFew = `IF(${whole.expression} >= ${few.least}, IF(${share} >= ${few.percent}, ${share}, 0), 0)`;
  return {
    usingMetrics: { ...part.usingMetrics, ...whole.usingMetrics },
    expression: `IF(${whole.expression} >= ${watch.least}, ${share}, ${watch.least > few.least ? ofFew : 0})`,
  };
}

/**
 * A sum of a list counts those that have figures. With `+`, one that never had any, such as the throttles of a function that was never
 * throttled, could leave the whole sum without a figure: what FILL makes of such a metric is not documented.
 */
function sumOf(prefix: string, metrics: readonly Metric[]): Math {
  const named = metrics.map((metric, index): [string, Metric] => [`${prefix}${index}`, metric]);
  return {
    usingMetrics: Object.fromEntries(named),
    expression: `SUM([${named.map(([name]) => `FILL(${name}, 0)`).join(', ')}])`,
  };
}
