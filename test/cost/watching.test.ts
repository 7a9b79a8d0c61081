/** What it costs to watch a gateway: the same as its template has. */
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { alarmMetrics, canaryMetrics } from '../../cli/cost/watching.ts';
import { alarmsOf } from '../../infra/alarms/table.ts';
import { readTemplate } from '../infra/read-template.ts';
import { dashboardDefaults, fargateDefaults, makeStack } from '../infra/synthesize.ts';
import { cost, costJson } from './run-cost.ts';

const alarms = { email: 'ops@example.com', topicArn: '', concurrencyQuota: 1_000, thresholds: new Map() };

const hosts = [
  { compute: 'event' },
  { compute: 'web', web: { environments: 50, concurrency: 64, originSecret: 1 } },
  { compute: 'fargate', fargate: { ...fargateDefaults, balancer: 'private' } },
] as const;

interface AlarmProperties {
  readonly AlarmName?: string;
  readonly Metrics?: readonly { readonly MetricStat?: object }[];
}

test.each(hosts)('each alarm with compute=$compute reads as many metrics as are paid for', (host) => {
  const { stack } = makeStack({ ...host, alarms, dashboard: dashboardDefaults });
  const template = readTemplate(Template.fromStack(stack));
  const found = template.ofType('AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) => {
    const { AlarmName, Metrics } = Properties as AlarmProperties;
    const count = Metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1;
    return AlarmName?.startsWith('ModelGateway-') ? [[AlarmName.slice('ModelGateway-'.length), count]] : [];
  });
  const paid = alarmsOf({ compute: host.compute, has: new Set(['dashboard']) }).map((row) => [
    row.name,
    alarmMetrics(row, host.compute),
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(paid));
});

test('the alarms of a canary read as many metrics as are paid for', () => {
  const { stack } = makeStack({ compute: 'event', canary: '10percent5minutes' });
  const template = readTemplate(Template.fromStack(stack));
  const read = template
    .ofType('AWS::CloudWatch::Alarm')
    .flatMap(([, { Properties }]) => (Properties as AlarmProperties).Metrics ?? [])
    .filter(({ MetricStat }) => MetricStat);
  expect(read).toHaveLength(canaryMetrics);
});

const linesOf = (typed: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    costJson(typed).lines.map(({ part, what, usd_per_month }: Record<string, string>) => [
      `${part}: ${what}`,
      usd_per_month,
    ]),
  );

describe('the bill', () => {
  test('has nothing of it by default', () => {
    const names = Object.keys(linesOf('--rps 1'));
    expect(names.filter((name) => /alarm|dashboard|metrics of requests|ACL/.test(name))).toEqual([]);
  });

  test('has each part that is asked for, by hand', () => {
    expect(
      linesOf('--rps 1 --alarms --cloudwatch-dashboard --metrics --metric-models 5 --waf'),
    ).toMatchObject({
      'CloudWatch: key of the alarms': '1.00',
      'CloudWatch: dashboard': '3.00',
      // 10 of one operation, 4 of one provider, 7 of each of five models and of all others: 56 at 0.30
      'CloudWatch: metrics of requests': '16.80',
      'CloudWatch: lines that are counted': '0.600',
      'Web ACL: ACL': '5.00',
      'Web ACL: rules': '2.00',
      // 2.628 million at 0.60
      'Web ACL: requests': '1.58',
    });
  });

  test('has a canary, a key, telemetry and replicas, by hand', () => {
    const lines = linesOf('--rps 1 --canary --own-key --otlp --replicas 2 --log-days 60');
    expect(lines).toMatchObject({
      'CloudWatch: alarms of a canary': (canaryMetrics / 10).toFixed(2),
      'DynamoDB: own key': '1.00',
      // 6 tables of roles × 8,760 times five minutes at 0.03 for 10,000
      'DynamoDB: uses of the own key, at most': '0.158',
      // 2.628 million × 135 bytes at 0.09 for a GiB
      'Transfer: spans and metrics': '0.0297',
    });
    const once = linesOf('--rps 1');
    const doubled = (name: string) => (2 * Number(once[name])) / Number(lines[name]);
    expect(doubled('CloudWatch: logs that are kept')).toBeCloseTo(1, 2);
    const last = 'DynamoDB: access UpdateItem: last use of the key';
    expect(Number(lines[`${last}, in replicas`])).toBeCloseTo(2 * Number(once[last]), 1);
  });

  test('has a canary for functions for events only', () => {
    expect(Object.keys(linesOf('--canary --compute fargate'))).not.toContain(
      'CloudWatch: alarms of a canary',
    );
  });

  test('has no metrics of requests on Web Functions, which cannot have them', () => {
    expect(Object.keys(linesOf('--metrics --compute web'))).not.toContain('CloudWatch: metrics of requests');
  });

  test('refuses models without metrics, and more than may be counted by name', () => {
    expect(cost('--metric-models 5')).toMatchObject({ code: 2 });
    expect(cost('--metrics --metric-models 51')).toMatchObject({ code: 2 });
  });
});
