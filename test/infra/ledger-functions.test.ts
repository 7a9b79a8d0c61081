/** What works on the ledger: the aggregator, which gets its changes, and the daily export, where there is a bucket for it. */
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { readStack } from './read-template.ts';

const { template, functionOf, aliasOf, only, statementsOf, roleOf } = readStack();
const aggregator = functionOf('Adds up the ledger');

describe('the aggregator', () => {
  const { Properties } = only('AWS::Lambda::EventSourceMapping');

  test('gets the changes of the ledger, in windows that name their shard, one batch at a time', () => {
    expect(Properties).toMatchObject({
      EventSourceArn: {
        'Fn::GetStackOutput': { StackName: 'ModelGatewayData', OutputName: 'UsageStreamArn' },
      },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 1_000,
      MaximumBatchingWindowInSeconds: 2,
      TumblingWindowInSeconds: 900,
    });
    expect(JSON.stringify(Properties.FunctionName)).toContain(`"${aliasOf(aggregator)}"`);
    expect(Properties).not.toHaveProperty('ParallelizationFactor');
    const [{ Pattern }, ...others] = Properties.FilterCriteria.Filters;
    expect(JSON.parse(Pattern)).toEqual({
      eventName: ['INSERT', 'MODIFY'],
      dynamodb: { Keys: { pk: { S: [{ prefix: 'ledger#' }, { prefix: 'running#' }] } } },
    });
    expect(others).toEqual([]);
  });

  test('gets a batch that fails again in halves, until it goes to a queue before the stream drops it', () => {
    expect(Properties).toMatchObject({ BisectBatchOnFunctionError: true, MaximumRecordAgeInSeconds: 72_000 });
    expect(Properties.DestinationConfig).toEqual({
      OnFailure: { Destination: { 'Fn::GetAtt': [expect.stringMatching(/^AggregatorFailed/), 'Arn'] } },
    });
    expect(only('AWS::SQS::Queue').Properties).toMatchObject({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 86_400,
    });
  });

  test('may only change of a tenant how much of its credit was used', () => {
    expect(statementsOf(roleOf(aggregator))).toContainEqual(
      expect.objectContaining({
        Action: 'dynamodb:UpdateItem',
        Condition: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['tenant#*'] },
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'credit', 'grants', 'unallocated'] },
          StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
        },
      }),
    );
  });

  test('counts failed batches and unreadable items', () => {
    for (const message of ['aggregation failed', 'ledger items unreadable'])
      template.hasResourceProperties('AWS::Logs::MetricFilter', {
        FilterPattern: `{ $.message = "${message}" }`,
        MetricTransformations: [Match.objectLike({ MetricNamespace: 'ModelGateway' })],
      });
  });
});

describe('the daily export', () => {
  const made = readStack({ exportBucket: 'acme-exports', exportFormat: 'csv' });
  const id = made.functionOf('Exports the ledger');
  const live = made.aliasOf(id);

  test('is not there without a bucket, nor a schedule or a permission for it', () => {
    const none = readStack();
    expect(none.propertiesOf('AWS::Events::Rule')).not.toContainEqual(
      expect.objectContaining({ ScheduleExpression: expect.stringContaining('cron') }),
    );
    expect(() => none.functionOf('Exports the ledger')).toThrow('no function');
    expect(none.text).not.toContain('/usage/*');
  });

  test('runs each night, and knows the bucket, the format and how far back the ledger goes', () => {
    expect(made.propertiesOf('AWS::Events::Rule')).toContainEqual(
      expect.objectContaining({
        ScheduleExpression: 'cron(15 2 * * ? *)',
        State: 'ENABLED',
        Targets: [expect.objectContaining({ Arn: { Ref: live } })],
      }),
    );
    expect(made.variablesOf(id)).toMatchObject({
      GATEWAY_EXPORT_BUCKET: 'acme-exports',
      GATEWAY_EXPORT_FORMAT: 'csv',
      GATEWAY_LEDGER_DAYS: '90',
    });
    expect(made.propertiesOfFunction(id).Timeout).toBe(900);
  });

  test('reads tenants and the ledger, and writes nothing but objects below the prefix', () => {
    const statements = made.statementsOf(made.roleOf(id));
    expect(statements.flatMap(({ Action }) => Action).sort()).toEqual([
      ...['dynamodb:GetItem', 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:Scan'],
      ...['logs:CreateLogStream', 'logs:PutLogEvents', 's3:PutObject'],
    ]);
    expect(statements.find(({ Action }) => Action === 's3:PutObject')).toEqual({
      Effect: 'Allow',
      Action: 's3:PutObject',
      Resource: { 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':s3:::acme-exports/usage/*']] },
      Condition: { StringEquals: { 's3:ResourceAccount': { Ref: 'AWS::AccountId' } } },
    });
    expect(statements.find(({ Action }) => Action === 'dynamodb:Scan')?.Condition).toEqual({
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk'] },
      StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    });
  });

  test('counts its failures, and is named by an output', () => {
    made.template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ $.message = "export failed" }',
      MetricTransformations: [Match.objectLike({ MetricName: 'FailedExports' })],
    });
    const [, output] = Object.entries(made.outputs).find(([name]) => name.startsWith('DailyExport')) ?? [];
    expect(JSON.stringify(output?.Value)).toMatch(new RegExp(`"${live}".*":live"`));
  });
});
