/** The options for what a deployment has only where it is asked for. */
import { maxMetricModels } from '../../lib/metering/request-metrics.ts';
import { type CommandOption, UsageError } from '../command.ts';
import { readNumber } from './number-option.ts';
import type { Watching } from './watching.ts';

export const watchingOptions: Readonly<Record<string, CommandOption>> = {
  alarms: { description: 'With alarms' },
  'cloudwatch-dashboard': { description: 'With the dashboard of CloudWatch' },
  dashboard: { description: 'With the dashboard for people, while no one uses it' },
  metrics: { description: 'With metrics of requests' },
  'metric-models': { value: '<n>', description: 'Models that these metrics count by name (default: 0)' },
  otlp: { description: 'With spans and metrics for a collector outside of AWS' },
  canary: { description: 'With the alarms of a canary (functions for events)' },
  waf: { description: 'With a web ACL of two rules' },
  'own-key': { description: 'With a key of your own for the tables' },
};

const models = { value: '<n>', description: '', defaultValue: 0, min: 0, max: maxMetricModels };

/** Throws UsageError. */
export function readWatching(
  given: Readonly<Record<string, string | undefined>>,
  flags: ReadonlySet<string>,
): Watching {
  if (given['metric-models'] !== undefined && !flags.has('metrics'))
    throw new UsageError('--metric-models requires --metrics.');
  const count = readNumber('metric-models', models, given['metric-models']);
  return {
    alarms: flags.has('alarms'),
    cloudWatchDashboard: flags.has('cloudwatch-dashboard'),
    dashboard: flags.has('dashboard'),
    metricModels: flags.has('metrics') ? count : undefined,
    waf: flags.has('waf'),
    canary: flags.has('canary'),
    ownKey: flags.has('own-key'),
    otlp: flags.has('otlp'),
  };
}
