/** Alarms in the stack: for each row of their table one, on metrics that the deployment has, to a topic that they can publish to. */
import { Match } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { commands } from '../../cli/commands.ts';
import { alarmRows, alarmsOf, describedAt, isCountedLine, measuresOf } from '../../infra/alarms/table.ts';
import { keepsRecords } from '../../infra/constructs/permissions/operation-permissions.ts';
import { maxAlarmMetrics } from '../../infra/constructs/watching/alarms.ts';
import type { AlarmSettings } from '../../infra/settings/groups/alarms.ts';
import type { Settings } from '../../infra/settings/settings.ts';
import { functionNameOf, operations } from '../../lib/core/operations.ts';
import { type Properties, readStack, type TemplateReader } from './read-template.ts';
import { dashboardDefaults, hostsByDefault } from './synthesize.ts';

const mailed: AlarmSettings = {
  email: 'ops@example.com',
  topicArn: '',
  concurrencyQuota: 2_000,
  thresholds: new Map(),
};

interface Counted {
  readonly MetricName: string;
  readonly Namespace: string;
}

const alarmsIn = ({ propertiesOf }: TemplateReader) =>
  propertiesOf('AWS::CloudWatch::Alarm').filter(({ AlarmName }) => AlarmName !== undefined);

const metricsOf = ({ MetricName, Namespace, Metrics = [] }: Properties): readonly Counted[] =>
  MetricName && Namespace
    ? [{ MetricName, Namespace }]
    : Metrics.flatMap(({ MetricStat }: Properties) => MetricStat?.Metric ?? []);

test('without an address there is no topic, no alarm and no further metric, and the aggregator may put events', () => {
  const { template, propertiesOf, statementsOf } = readStack();
  for (const type of ['SNS::Topic', 'KMS::Key', 'CloudWatch::Alarm'])
    template.resourceCountIs(`AWS::${type}`, 0);
  expect(JSON.stringify(propertiesOf('AWS::Logs::MetricFilter'))).not.toContain('ModelRequests');
  expect(statementsOf()).toContainEqual(expect.objectContaining({ Action: 'events:PutEvents' }));
});

/** The alarm of many metrics has parts. */
const withoutPart = (name: string): string => name.replace(/\d$/, '');

test.each(hostsByDefault)('with compute=$compute each alarm is on metrics that this host has', (host) => {
  const template = readStack({
    ...host,
    alarms: mailed,
    exportBucket: 'acme-exports',
    dashboard: dashboardDefaults,
  });
  const alarms = alarmsIn(template);
  const rows = alarmsOf({ compute: host.compute, has: new Set(['export', 'dashboard']) });
  const named = new Set(alarms.map(({ AlarmName }) => withoutPart(AlarmName)));
  expect([...named].sort()).toEqual(rows.map(({ name }) => `ModelGateway-${name}`).sort());
  // One of many metrics is in parts: each function of the operations that call models is in one of them.
  const throttled = alarms.filter(({ AlarmName }) => /ThrottledRequests/.test(AlarmName)).flatMap(metricsOf);
  const onEvents = new Set(operations.filter(keepsRecords).map(functionNameOf));
  if (host.compute === 'event')
    expect(new Set(throttled.map((metric) => JSON.stringify(metric))).size).toBe(onEvents.size);
  const filtered = new Set(
    template
      .propertiesOf('AWS::Logs::MetricFilter')
      .map(({ MetricTransformations }) => MetricTransformations[0].MetricName),
  );
  for (const alarm of alarms) {
    expect(alarm.AlarmActions).toHaveLength(1);
    expect(alarm.OKActions).toEqual(alarm.AlarmActions);
    const isBelow = alarm.AlarmName === 'ModelGateway-NoTasks';
    expect(alarm.TreatMissingData).toBe(isBelow ? 'breaching' : 'notBreaching');
    expect(alarm.ComparisonOperator === 'LessThanThreshold').toBe(isBelow);
    const metrics = metricsOf(alarm);
    expect(metrics.length, alarm.AlarmName).toBeGreaterThan(0);
    expect(metrics.length, alarm.AlarmName).toBeLessThanOrEqual(maxAlarmMetrics);
    const ofLines = metrics.filter(({ Namespace }) => Namespace === 'ModelGateway');
    expect(ofLines.filter(({ MetricName }) => !filtered.has(MetricName))).toEqual([]);
  }
  // Each line that an alarm looks at is one that a filter counts.
  for (const line of rows.flatMap(measuresOf).filter(isCountedLine)) expect(filtered).toContain(line);
});

/** The number of such an alarm, by what its measures count in a period. */
function numberOf(name: string, counts: Readonly<Record<string, number>>, settings: Partial<Settings> = {}) {
  const all = alarmsIn(readStack({ ...settings, alarms: mailed }));
  const { Metrics = [] } = all.find(({ AlarmName }) => AlarmName === `ModelGateway-${name}`) ?? {};
  const figures = Metrics.flatMap(({ Id, MetricStat }: Properties) =>
    MetricStat ? [`const ${Id} = ${counts[MetricStat.Metric.MetricName]};`] : [],
  );
  const text = Metrics.flatMap(({ Expression = [] }: Properties) => Expression)
    .join('')
    .replaceAll('IF(', 'either(');
  const either = (is: boolean, yes: number, no: number) => (is ? yes : no);
  const fill = (figure: number | undefined, missing: number) => figure ?? missing;
  const sum = (figures: readonly number[]) => figures.reduce((total, one) => total + one, 0);
  const run = new Function('either', 'FILL', 'SUM', `${figures.join('')} return ${text};`);
  return run(either, fill, sum) as number;
}

test('an outage is seen at three requests a minute, and one failure among few is none', () => {
  expect(numberOf('ServerErrors', { Count: 15, '5XXError': 15 })).toBe(100);
  expect(numberOf('ServerErrors', { Count: 15, '5XXError': 1 })).toBe(0);
  expect(numberOf('ServerErrors', { Count: 4, '5XXError': 4 })).toBe(0);
  expect(numberOf('ServerErrors', { Count: 200, '5XXError': 3 })).toBe(1.5);
});

test('an aggregator that is not invoked is seen, where there were requests', () => {
  expect(numberOf('AggregatorIdle', { ModelRequests: 1 })).toBe(1);
  expect(numberOf('AggregatorIdle', { ModelRequests: 1, Invocations: 1 })).toBe(0);
  expect(numberOf('AggregatorIdle', {})).toBe(0);
});

test('a load balancer without tasks answers by itself all that arrives', () => {
  const counts = { HTTPCode_ELB_5XX_Count: 30 };
  expect(numberOf('BalancerErrors', counts, hostsByDefault[2])).toBe(100);
});

test('a mail says what an alarm means and what to do, and where to read more', () => {
  const alarms = alarmsIn(readStack({ alarms: mailed }));
  // Without a dashboard and without an export, there is nothing of these to look at.
  const names = alarms.map(({ AlarmName }) => AlarmName.replace('ModelGateway-', ''));
  expect(names).not.toContain('AdminServerErrors');
  expect(names).not.toContain('FailedExports');
  for (const { AlarmName, AlarmDescription } of alarms) {
    const row = alarmRows.find(({ name }) => withoutPart(AlarmName).endsWith(`-${name}`));
    expect(AlarmDescription).toContain(row?.means);
    expect(AlarmDescription).toContain(row?.steps.at(-1));
    expect(AlarmDescription).toContain(row && describedAt(row));
    expect(AlarmDescription.length).toBeLessThanOrEqual(1_024);
  }
});

test('every command in the texts is one of the command line', () => {
  const known = commands.map(({ name }) => name);
  const named = alarmRows
    .flatMap(({ steps }) => steps)
    .flatMap((step) => [...step.matchAll(/npm run gateway -- ([a-z]+ [a-z-]+)/g)].map(([, name]) => name));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.includes(name ?? ''))).toEqual([]);
});

test('services that publish to the topic may use its key, and callers need TLS', () => {
  const { template, only } = readStack({ alarms: mailed });
  const services = ['cloudwatch.amazonaws.com', 'events.amazonaws.com'];
  const ofPublishers = { Principal: { Service: services }, Condition: Match.anyValue() };
  template.hasResourceProperties('AWS::KMS::Key', {
    EnableKeyRotation: true,
    KeyPolicy: {
      Statement: Match.arrayWith([
        Match.objectLike({ Action: ['kms:Decrypt', 'kms:GenerateDataKey*'], ...ofPublishers }),
      ]),
    },
  });
  template.hasResourceProperties('AWS::SNS::TopicPolicy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        Match.objectLike({ Effect: 'Allow', Action: 'sns:Publish', ...ofPublishers }),
      ]),
    },
  });
  template.hasResourceProperties('AWS::SNS::Subscription', {
    Protocol: 'email',
    Endpoint: 'ops@example.com',
  });
  expect(only('AWS::SNS::Topic').Properties.KmsMasterKeyId).toBeDefined();
});

test("alerts go to the same topic, and to one of the operator's where that is given", () => {
  const pattern = { source: ['model-gateway'], 'detail-type': ['Limit Alert', 'Provider Alert'] };
  const own = readStack({ alarms: mailed }).template;
  own.hasResourceProperties('AWS::Events::Rule', {
    EventPattern: pattern,
    Targets: [
      Match.objectLike({
        InputTransformer: Match.objectLike({ InputPathsMap: { 'detail-text': '$.detail.text' } }),
      }),
    ],
  });
  const topicArn = 'arn:aws:sns:eu-west-1:123456789012:operations';
  const alarms = readStack({ alarms: { ...mailed, email: '', topicArn } });
  const given = alarms.template;
  given.resourceCountIs('AWS::SNS::Topic', 0);
  given.resourceCountIs('AWS::KMS::Key', 0);
  given.hasResourceProperties('AWS::Events::Rule', {
    EventPattern: pattern,
    Targets: [Match.objectLike({ Arn: topicArn })],
  });
  expect(alarmsIn(alarms).every(({ AlarmActions }) => AlarmActions[0] === topicArn)).toBe(true);
});

test('thresholds are settings: another number, or no alarm', () => {
  const thresholds = new Map([
    ['ServerErrors', 5],
    ['SlowStreams', undefined],
  ]);
  const alarms = alarmsIn(readStack({ alarms: { ...mailed, thresholds } }));
  const named = (name: string) => alarms.find(({ AlarmName }) => AlarmName === `ModelGateway-${name}`);
  expect(named('ServerErrors')?.Threshold).toBe(5);
  expect(named('SlowStreams')).toBeUndefined();
  expect(JSON.stringify(named('Concurrency')?.Metrics)).toContain('/ 2000');
});

test.each(hostsByDefault)('with compute=$compute the dashboard shows what this host has', (host) => {
  const metrics = host.compute === 'web' ? undefined : { models: [] };
  const { only } = readStack({ ...host, cloudWatchDashboard: true, metrics });
  const { Properties } = only('AWS::CloudWatch::Dashboard');
  const body = JSON.stringify(Properties.DashboardBody);
  const titles = [...body.matchAll(/\\"title\\":\\"([^\\]+)/g)].map(([, title]) => title);
  expect(titles).toEqual(
    expect.arrayContaining([
      'Traffic',
      'Errors',
      'Refused by limits',
      'Tables: refused as too many',
      'Tokens',
    ]),
  );
  expect(titles.includes('USD by provider')).toBe(metrics !== undefined);
  expect(titles.includes('Tasks')).toBe(host.compute === 'fargate');
  expect(titles.includes('Functions of the account at a time')).toBe(host.compute !== 'fargate');
  // CloudWatch allows 500 widgets of 500 metrics each, and 2,500 metrics. Source: AmazonCloudWatch, cloudwatch_limits.
  expect(titles.length).toBeLessThan(50);
  expect(body.split('AWS/').length).toBeLessThan(200);
});
