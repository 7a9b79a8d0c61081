/** Versions, the alias that has the traffic, canaries, and environments that are kept started. */
import { App } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { configurations } from '../../infra/constructs/function/canary.ts';
import { canaries, type Hours } from '../../infra/settings/groups/release.ts';
import { readSettings } from '../../infra/settings/settings.ts';
import { type ServedFunction, servedFunctions } from '../../lib/core/served-functions.ts';
import { type Resource, readStack, type TemplateReader } from './read-template.ts';

/** The alias of the function that serves an operation, and its logical id. */
function aliasFor(
  { ofType, functionFor, aliasOf }: TemplateReader,
  name: ServedFunction['name'],
): readonly [string, Resource] {
  const [operation] = servedFunctions.find((served) => served.name === name)?.operations ?? [];
  const id = operation && aliasOf(functionFor(operation));
  const alias = new Map(ofType('AWS::Lambda::Alias')).get(id ?? '');
  if (!id || !alias) throw new Error(`no alias ${id}`);
  return [id, alias];
}

describe('by default', () => {
  const template = readStack({ exportBucket: 'acme-exports' });
  const { ofType, propertiesOf, functionFor } = template;
  const aliases = new Map(ofType('AWS::Lambda::Alias'));

  test.each(servedFunctions)('$name has an alias, which alone API Gateway may call', (served) => {
    const [operation] = served.operations;
    const [id, { Properties, UpdatePolicy }] = aliasFor(template, served.name);
    expect(Properties.Name).toBe('live');
    expect(Properties).not.toHaveProperty('ProvisionedConcurrencyConfig');
    expect(UpdatePolicy).toBeUndefined();
    const uses = ofType('AWS::Lambda::Permission').filter(([, permission]) =>
      JSON.stringify(permission.Properties.FunctionName).includes(id),
    );
    expect(uses.length).toBeGreaterThan(0);
    const uris = propertiesOf('AWS::ApiGateway::Method').map(({ Integration }) =>
      JSON.stringify(Integration.Uri ?? ''),
    );
    expect(uris.filter((uri) => uri.includes(`"${id}"`)).length).toBeGreaterThan(0);
    expect(uris.filter((uri) => operation && uri.includes(`"${functionFor(operation)}"`))).toEqual([]);
  });

  test('nothing else is invoked but by an alias, besides what runs in a deployment', () => {
    const functions = new Set(ofType('AWS::Lambda::Function').map(([id]) => id));
    const targets = [
      ...propertiesOf('AWS::Lambda::EventSourceMapping').map(({ FunctionName }) => FunctionName),
      ...propertiesOf('AWS::Lambda::Permission').map(({ FunctionName }) => FunctionName),
      ...propertiesOf('AWS::Events::Rule').map(({ Targets }) => Targets[0]?.Arn),
    ];
    for (const target of targets) {
      const named = [...JSON.stringify(target).matchAll(/"Ref":"(\w+)"/g)].map(([, id = '']) => id);
      expect({ target, aliases: named.filter((id) => aliases.has(id)).length }).toEqual({
        target,
        aliases: 1,
      });
      expect(named.some((id) => functions.has(id))).toBe(false);
    }
  });

  test('a version stays after the next one, and goes if the deployment that made it fails', () => {
    const versions = ofType('AWS::Lambda::Version');
    expect(versions).toHaveLength(ofType('AWS::Lambda::Alias').length);
    for (const [, { DeletionPolicy, UpdateReplacePolicy }] of versions)
      expect({ DeletionPolicy, UpdateReplacePolicy }).toEqual({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
  });

  test('nothing costs more than before', () => {
    for (const type of ['AWS::CodeDeploy::DeploymentGroup', 'AWS::ApplicationAutoScaling::ScalableTarget'])
      expect(ofType(type)).toEqual([]);
  });
});

describe('with a canary', () => {
  const template = readStack({ canary: 'linear10percent1minute' });
  const { ofType, propertiesOf, only } = template;
  const alarms = new Map(ofType('AWS::CloudWatch::Alarm'));

  test('one application has a group for each function, with the configuration of AWS', () => {
    const groups = propertiesOf('AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(servedFunctions.length);
    only('AWS::CodeDeploy::Application');
    for (const { DeploymentConfigName, AutoRollbackConfiguration } of groups) {
      expect(DeploymentConfigName).toBe('CodeDeployDefault.LambdaLinear10PercentEvery1Minute');
      expect(AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
      });
    }
  });

  test.each(servedFunctions)('$name is taken back by its own alarm', ({ name, method, paths }) => {
    const [, { UpdatePolicy }] = aliasFor(template, name);
    const { DeploymentGroupName } = UpdatePolicy.CodeDeployLambdaAliasUpdate;
    const group = new Map(ofType('AWS::CodeDeploy::DeploymentGroup')).get(DeploymentGroupName.Ref);
    const { Alarms } = group?.Properties.AlarmConfiguration ?? { Alarms: [] };
    expect(Alarms).toHaveLength(1);
    const { Metrics } = alarms.get(Alarms[0]?.Name.Ref ?? '')?.Properties ?? {};
    const routes = JSON.stringify(Metrics);
    const each = paths.map((_, index) => `FILL(route${index}, 0)`);
    expect(routes).toContain(
      `IF(SUM([FILL(errors, 0), FILL(throttles, 0)]) > 0 OR 100 * MAX([${each.join(', ')}]) > 5, 1, 0)`,
    );
    for (const dimension of [
      { Name: 'Method', Value: method },
      { Name: 'Resource', Value: paths[0] },
      { Name: 'Stage', Value: 'live' },
      { Name: 'ApiName', Value: 'ModelGateway' },
    ])
      expect(routes).toContain(JSON.stringify(dimension));
  });

  test.each(canaries)('%s is one of AWS’s', (canary) => {
    const { deploymentConfigName } = configurations[canary];
    const name = deploymentConfigName.toLowerCase().replaceAll(/every|canary/g, '');
    expect(name).toBe(`codedeploydefault.lambda${canary}`);
  });
});

const hours: Hours = { days: 'MON-FRI', from: '07:00', to: '19:30', timeZone: 'Europe/Berlin' };

describe('with environments that are kept started', () => {
  test('a fixed number is a property of the alias', () => {
    const template = readStack({ provisioned: new Map([['responses', { environments: 2 }]]) });
    expect(aliasFor(template, 'responses')[1].Properties.ProvisionedConcurrencyConfig).toEqual({
      ProvisionedConcurrentExecutions: 2,
    });
    expect(aliasFor(template, 'models')[1].Properties).not.toHaveProperty('ProvisionedConcurrencyConfig');
    expect(template.ofType('AWS::ApplicationAutoScaling::ScalableTarget')).toEqual([]);
  });

  test('a schedule starts them and ends them, in its time zone', () => {
    const template = readStack({
      provisioned: new Map([['chat-completions', { environments: 5, hours }]]),
    });
    const { Properties } = template.only('AWS::ApplicationAutoScaling::ScalableTarget');
    expect(Properties).toMatchObject({ MinCapacity: 0, MaxCapacity: 5 });
    expect(JSON.stringify(Properties.ResourceId)).toContain(aliasFor(template, 'chat-completions')[0]);
    expect(Properties.ScheduledActions).toMatchObject([
      {
        Schedule: 'cron(0 7 ? * MON-FRI *)',
        Timezone: 'Europe/Berlin',
        ScalableTargetAction: { MinCapacity: 5, MaxCapacity: 5 },
      },
      {
        Schedule: 'cron(30 19 ? * MON-FRI *)',
        Timezone: 'Europe/Berlin',
        ScalableTargetAction: { MinCapacity: 0, MaxCapacity: 0 },
      },
    ]);
  });

  test('a higher number follows their use', () => {
    const template = readStack({ provisioned: new Map([['responses', { environments: 2, max: 20 }]]) });
    const { Properties } = template.only('AWS::ApplicationAutoScaling::ScalableTarget');
    expect(Properties).toMatchObject({ MinCapacity: 2, MaxCapacity: 20 });
    expect(template.only('AWS::ApplicationAutoScaling::ScalingPolicy').Properties).toMatchObject({
      TargetTrackingScalingPolicyConfiguration: {
        PredefinedMetricSpecification: { PredefinedMetricType: 'LambdaProvisionedConcurrencyUtilization' },
        TargetValue: 0.7,
      },
    });
  });
});

describe('the settings', () => {
  const read = (context: Record<string, string>) => readSettings(new App({ context }).node);

  test('name a canary, environments, their highest number and their hours', () => {
    const given = {
      canary: '10percent5minutes',
      provisioned: 'chat-completions:5, responses:2',
      provisionedMax: 'chat-completions:20',
      provisionedHours: 'Mon-Fri/07:00-19:30/Europe/Berlin',
    };
    expect(read(given)).toMatchObject({
      canary: '10percent5minutes',
      provisioned: new Map([
        ['chat-completions', { environments: 5, max: 20, hours }],
        ['responses', { environments: 2, hours }],
      ]),
    });
  });

  const domain = {
    domainName: 'ai.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b',
  };

  test.each([
    [{ canary: 'half' }, '"canary" must be one of off, 10percent5minutes'],
    [{ canary: '10percent5minutes', compute: 'web' }, '"canary" has no effect with compute=web'],
    [
      { canary: '10percent5minutes', compute: 'fargate', ...domain },
      '"canary" has no effect with compute=fargate',
    ],
    [{ provisioned: 'chat:5' }, '"provisioned" must be one of chat-completions'],
    [{ provisioned: 'models:0' }, '"provisioned" must be a whole number from 1'],
    [
      { provisioned: 'models:1', compute: 'fargate', ...domain },
      '"provisioned" cannot have "models" with compute=fargate',
    ],
    [
      { provisioned: 'responses:1', compute: 'web' },
      '"provisioned" cannot have "responses" with compute=web',
    ],
    [
      { provisioned: 'models:5', reservedConcurrency: 'models:4' },
      '"reservedConcurrency" must have at least 5 for "models"',
    ],
    [{ provisionedMax: 'models:5' }, '"provisionedMax" must have more for "models" than "provisioned"'],
    [{ provisioned: 'models:5', provisionedMax: 'models:5' }, '"provisionedMax" must have more for "models"'],
    [
      { provisionedHours: 'Mon-Fri/07:00-19:00/UTC' },
      '"provisionedHours" has no effect without "provisioned"',
    ],
    ...[
      'Mon-Fri',
      'Mon-Fri/7-19/UTC',
      'Mon-Fre/07:00-19:00/UTC',
      'Mon-Fri/19:00-07:00/UTC',
      'Mon-Fri/07:00-24:00/UTC',
      'Mon/07:00-19:00/Europe/Atlantis',
    ].map((provisionedHours): [Record<string, string>, string] => [
      { provisioned: 'models:5', provisionedHours },
      '"provisionedHours" must be days, hours of one day and a time zone',
    ]),
  ] as [Record<string, string>, string][])('%j is refused', (given, reason) => {
    expect(() => read(given)).toThrow(reason);
  });
});
