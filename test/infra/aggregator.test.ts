/** The aggregator of the stack: what of the usage table's stream it gets, and what happens to batches that fail. */
import { Match, Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { readTemplate } from './read-template.ts';
import { makeStack } from './synthesize.ts';

const { stack } = makeStack();
const template = Template.fromStack(stack);

const { functionOf, aliasOf, only } = readTemplate(template);

test('the aggregator gets the changes of the ledger, in windows that name their shard, one batch at a time', () => {
  const { Properties } = only('AWS::Lambda::EventSourceMapping');
  expect(Properties).toMatchObject({
    EventSourceArn: {
      'Fn::GetStackOutput': { StackName: 'ModelGatewayData', OutputName: 'UsageStreamArn' },
    },
    StartingPosition: 'TRIM_HORIZON',
    BatchSize: 1_000,
    MaximumBatchingWindowInSeconds: 2,
    TumblingWindowInSeconds: 900,
  });
  expect(JSON.stringify(Properties.FunctionName)).toContain(`"${aliasOf(functionOf('Adds up the ledger'))}"`);
  expect(Properties).not.toHaveProperty('ParallelizationFactor');
  const { Filters } = Properties.FilterCriteria as { Filters: { Pattern: string }[] };
  expect(Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
    { dynamodb: { Keys: { pk: { S: [{ prefix: 'ledger#' }] } } } },
  ]);
});

test('a batch that fails comes again in halves, and goes to a queue before the stream drops it', () => {
  const { Properties } = only('AWS::Lambda::EventSourceMapping');
  expect(Properties).toMatchObject({ BisectBatchOnFunctionError: true, MaximumRecordAgeInSeconds: 72_000 });
  expect(Properties.DestinationConfig).toEqual({
    OnFailure: { Destination: { 'Fn::GetAtt': [expect.stringMatching(/^AggregatorFailed/), 'Arn'] } },
  });
  expect(only('AWS::SQS::Queue').Properties).toMatchObject({
    SqsManagedSseEnabled: true,
    MessageRetentionPeriod: 14 * 86_400,
  });
});

test('of a tenant, the aggregator may only change how much of its credit was used', () => {
  template.hasResourceProperties('AWS::IAM::Policy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({
          Action: 'dynamodb:UpdateItem',
          Condition: {
            'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['tenant#*'] },
            'ForAllValues:StringEquals': {
              'dynamodb:Attributes': ['pk', 'credit', 'grants', 'unallocated'],
            },
            StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
          },
        }),
      ]),
    },
  });
});

test('failed batches and unreadable items are counted', () => {
  for (const message of ['aggregation failed', 'ledger items unreadable'])
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: `{ $.message = "${message}" }`,
      MetricTransformations: [Match.objectLike({ MetricNamespace: 'ModelGateway' })],
    });
});
