/** Alarms, where they go, and the dashboard: those that the settings ask for. */
import type { Construct } from 'constructs';
import type { CountedLine } from '../../alarms/lines.ts';
import { alarmsOf, type Deployment, isCountedLine, measuresOf } from '../../alarms/table.ts';
import type { Settings } from '../../settings/settings.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { Alarms } from './alarms.ts';
import { Dashboard, dashboardLines } from './dashboard.ts';
import type { Measures } from './measures.ts';

interface WatchingProps extends Pick<Settings, 'alarms' | 'cloudWatchDashboard' | 'fargate' | 'metrics'> {
  /** That of the stack. */
  readonly name: string;
  readonly deployment: Deployment;
  readonly measures: Measures;
  /** Of what serves requests that call models. */
  readonly logGroups: readonly string[];
}

export function watch(scope: Construct, props: WatchingProps): void {
  const { name, deployment, measures, alarms, cloudWatchDashboard, metrics, logGroups } = props;
  if (alarms) {
    const { email, topicArn, concurrencyQuota, thresholds } = alarms;
    const { topic } = new AlarmTopic(scope, 'AlarmTopic', { email, topicArn });
    const limits = { concurrencyQuota, maxTasks: props.fargate?.tasks.max ?? 0 };
    new Alarms(scope, 'Alarms', { deployment, measures, topic, stackName: name, limits, thresholds });
  }
  if (cloudWatchDashboard)
    new Dashboard(scope, 'Dashboard', { name, measures, logGroups, metricsIn: metrics && name });
}

/** The lines of logs that alarms and the dashboard look at. */
export function watchedLines(
  deployment: Deployment,
  { alarms, cloudWatchDashboard }: Pick<Settings, 'alarms' | 'cloudWatchDashboard'>,
): ReadonlySet<CountedLine> {
  const ofAlarms = alarms ? alarmsOf(deployment).flatMap(measuresOf).filter(isCountedLine) : [];
  return new Set([...ofAlarms, ...(cloudWatchDashboard ? dashboardLines : [])]);
}
