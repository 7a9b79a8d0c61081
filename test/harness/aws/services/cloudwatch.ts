/** Alarms and metrics. Sources: docs.aws.amazon.com CloudWatch, API_DescribeAlarms, API_GetMetricStatistics. */
import type { FakeService } from '../service.ts';

export interface FakeAlarm {
  readonly name: string;
  readonly state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  readonly actions: readonly string[];
}

interface CloudWatchOptions {
  readonly alarms?: readonly FakeAlarm[];
  /** The highest value of a metric, such as `AWS/Lambda/IteratorAge`; none without it. */
  readonly maxima?: Readonly<Record<string, number>>;
}

export const cloudWatch = (options: CloudWatchOptions = {}): FakeService => ({
  name: 'monitoring',
  policyPrefix: 'cloudwatch',
  protocol: 'query',
  namespace: 'http://monitoring.amazonaws.com/doc/2010-08-01/',
  actions: {
    DescribeAlarms(input) {
      const names = Object.entries(input).filter(([field]) => field.startsWith('AlarmNames.member.'));
      const found = (options.alarms ?? []).filter(
        ({ name, state }) =>
          (names.length === 0 || names.some(([, asked]) => asked === name)) &&
          (input.StateValue === undefined || input.StateValue === state),
      );
      return {
        MetricAlarms: found.map(({ name, state, actions }) => ({
          AlarmName: name,
          StateValue: state,
          AlarmActions: actions,
          ActionsEnabled: true,
        })),
        CompositeAlarms: [],
      };
    },
    GetMetricStatistics({ Namespace, MetricName }) {
      const Maximum = options.maxima?.[`${Namespace}/${MetricName}`];
      return {
        Label: MetricName,
        Datapoints: Maximum === undefined ? [] : [{ Timestamp: '2026-11-22T00:00:00Z', Maximum }],
      };
    },
  },
});
