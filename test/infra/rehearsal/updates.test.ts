/** Updates with other settings: what they replace, delete or leave behind. */
import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../infra/settings/settings.ts';
import { makeStack } from '../synthesize.ts';
import type { StackTemplate } from './graph.ts';
import oneStack from './one-stack.json' with { type: 'json' };
import { keptTypes, type Update, updatesOf } from './updates.ts';

type Context = Readonly<Record<string, string>>;

function stacksOf(context: Context): Readonly<Record<'data' | 'gateway' | 'admin', StackTemplate>> {
  const settings = readSettings(new App({ context: { dashboard: 'false', ...context } }).node);
  const made = makeStack(settings);
  const templateOf = (stack: Stack): StackTemplate => Template.fromStack(stack).toJSON() as StackTemplate;
  return {
    data: templateOf(made.data),
    gateway: templateOf(made.stack),
    admin: settings.dashboard ? templateOf(made.admin) : { Resources: {} },
  };
}

const usual = stacksOf({});

/** What is gone from where it was. */
const losses = (updates: readonly Update[]) =>
  updates.filter(
    ({ type, effect }) => keptTypes.includes(type) && effect !== 'created' && effect !== 'changed',
  );

const domain = {
  domainName: 'ai.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d-1111',
};

// Together: what one of them replaced would be replaced with the others, too.
test.each<Context>([
  { canary: '10percent5minutes' },
  {
    provisioned: 'chat-completions:5',
    provisionedHours: 'Mon-Fri/07:00-19:00/Europe/Berlin',
    alarmEmail: 'ops@example.com',
    cloudWatchDashboard: 'on',
    metrics: 'on',
    waf: 'true',
    corsOrigins: '*',
    throttleRate: '50',
    kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666',
    memory: '1024',
    logDays: '90',
    ledgerDays: '30',
    logLevel: 'WARN',
    otlpEndpoint: 'cloudwatch',
    exportBucket: 'acme-exports',
  },
  domain,
  { ...domain, disableExecuteApiEndpoint: 'true' },
])(
  '%j replaces and deletes nothing that has an address or data, and neither does taking it back',
  (context) => {
    const changed = stacksOf(context);
    for (const stack of ['data', 'gateway'] as const) {
      expect(losses(updatesOf(usual[stack], changed[stack]))).toEqual([]);
      const back = losses(updatesOf(changed[stack], usual[stack]));
      // What the setting itself made goes with it.
      expect(back.filter(({ id }) => id in usual[stack].Resources)).toEqual([]);
    }
  },
);

test('another host has another address, and keeps the tables and the logs with records', () => {
  const fargate = stacksOf({ compute: 'fargate', ...domain });
  expect(updatesOf(usual.data, fargate.data)).toEqual([]);
  const lost = losses(updatesOf(usual.gateway, fargate.gateway));
  expect(lost.filter(({ type }) => type === 'AWS::ApiGateway::RestApi')).toMatchObject([
    { effect: 'deleted' },
  ]);
  const keepers = lost.filter(
    ({ type, effect }) => type === 'AWS::Logs::LogGroup' && effect === 'left behind',
  );
  expect(keepers.map(({ id }) => id.replace(/Logs.*/, ''))).toContain('Request');
});

test('a table that is replaced by an adopted one is left behind', () => {
  const adopted = stacksOf({
    'tables.access': 'arn:aws:dynamodb:eu-west-1:123456789012:table/ModelGatewayData-AccessTable-restored',
  });
  expect(losses(updatesOf(usual.data, adopted.data))).toMatchObject([
    { id: expect.stringMatching(/^AccessTable/), effect: 'left behind' },
  ]);
  expect(losses(updatesOf(usual.gateway, adopted.gateway))).toEqual([]);
});

test('a change of the key of a table, or of the name of a stage, is noticed', () => {
  const [table = ''] = Object.keys(usual.data.Resources);
  const old = usual.data.Resources[table];
  if (!old) throw new Error('There is no table.');
  const other = { ...old, Properties: { ...old.Properties, KeySchema: [] } };
  expect(updatesOf(usual.data, { Resources: { ...usual.data.Resources, [table]: other } })).toEqual([
    { id: table, type: 'AWS::DynamoDB::GlobalTable', effect: 'replaced' },
  ]);
});

describe('a dashboard', () => {
  const withDashboard = stacksOf({ dashboard: 'cloudfront' });

  test('changes nothing of the gateway but what its aggregator counts, and neither does leaving it out', () => {
    for (const [before, after] of [
      [usual, withDashboard],
      [withDashboard, usual],
    ] as const) {
      expect(updatesOf(before.data, after.data)).toEqual([]);
      const changed = updatesOf(before.gateway, after.gateway);
      expect(changed).not.toEqual([]);
      for (const { id } of changed) expect(id).toMatch(/^AggregatorFunction/);
    }
  });

  test('keeps its people, its address and its files with other settings', () => {
    const { admin } = withDashboard;
    const context = {
      operatorEmail: 'ops@example.com',
      dashboardMfa: 'required',
      logDays: '90',
      memory: '1024',
    };
    const changed = stacksOf({ dashboard: 'cloudfront', ...context });
    expect(losses(updatesOf(admin, changed.admin))).toEqual([]);
  });

  test('keeps its people where the page is served in another way', () => {
    const lost = losses(updatesOf(withDashboard.admin, stacksOf({ dashboard: 'lambda' }).admin));
    expect(lost.map(({ type }) => type).filter((type) => type.startsWith('AWS::Cognito'))).toEqual([]);
  });
});

// The resources with an address or data of the template of commit 7a54a862, which had the tables in the same stack.
test('an update from the version with one stack leaves the tables behind, and the API keeps its address', () => {
  const all = losses(updatesOf(oneStack, usual.gateway));
  const groups = all.filter(({ type }) => type === 'AWS::Logs::LogGroup');
  const lost = all
    .filter((one) => !groups.includes(one))
    .map(({ id, effect }) => [id.replace(/Table.*/, ''), effect]);
  // Its functions had a log each, and that version kept none beyond its function.
  expect(groups.length).toBeGreaterThan(0);
  expect(lost.sort()).toEqual([
    ['Access', 'left behind'],
    ['Catalog', 'left behind'],
    ['State', 'left behind'],
    ['Usage', 'left behind'],
  ]);
});
