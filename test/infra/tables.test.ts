/** The stack of the tables. */
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { tables } from '../../lib/core/tables.ts';
import { readTemplate } from './read-template.ts';
import { makeStack } from './synthesize.ts';

const { data, stack } = makeStack();
const template = Template.fromStack(data);

const { ofType } = readTemplate(template);

test('each is on demand, has recovery and expiry, and outlives the stack', () => {
  const found = ofType('AWS::DynamoDB::GlobalTable');
  expect(found).toHaveLength(Object.keys(tables).length);
  const sorted = { AttributeName: 'sk', KeyType: 'RANGE' };
  for (const [id, table] of found) {
    expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(table.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, ...(id.startsWith('Usage') ? [sorted] : [])],
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      Replicas: [
        {
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      ],
    });
  }
});

test('what was deleted of stored responses cannot be restored if the operator wants that', () => {
  const forgetting = makeStack({ responseRecovery: false });
  const found = Object.entries(
    Template.fromStack(forgetting.data).findResources('AWS::DynamoDB::GlobalTable'),
  );
  const without = found.filter(
    ([, { Properties }]) =>
      !Properties.Replicas[0].PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
  );
  expect(without.map(([id]) => id.replace(/Table.*/, ''))).toEqual(['State']);
});

test('each is deleted with a stack that does not retain them', () => {
  const passing = makeStack({ retain: false });
  const found = Template.fromStack(passing.data).findResources('AWS::DynamoDB::GlobalTable');
  for (const table of Object.values(found)) {
    expect(table.DeletionPolicy).toBe('Delete');
    expect(table.Properties.Replicas[0].DeletionProtectionEnabled).toBe(false);
  }
});

test('only the usage table has a stream, with both images of each item', () => {
  const streams = ofType('AWS::DynamoDB::GlobalTable').map(([id, { Properties }]) => [
    id.replace(/[0-9A-F]{8}$/, ''),
    Properties.StreamSpecification,
  ]);
  expect(streams.filter(([, stream]) => stream)).toEqual([
    ['UsageTable', { StreamViewType: 'NEW_AND_OLD_IMAGES' }],
  ]);
});

test('has nothing but tables, and is not deleted by mistake', () => {
  expect(Object.values(template.toJSON().Resources)).toHaveLength(Object.keys(tables).length);
  expect(data.terminationProtection).toBe(true);
});

test('is deployed before the stack that reads where its tables are', () => {
  expect(stack.dependencies).toEqual([data]);
  expect(Object.keys(template.findOutputs('*')).sort()).toEqual([
    'AccessTableArn',
    'AccessTableName',
    'CatalogTableArn',
    'CatalogTableName',
    'StateTableArn',
    'StateTableName',
    'UsageStreamArn',
    'UsageTableArn',
    'UsageTableName',
  ]);
  const text = JSON.stringify(Template.fromStack(stack).toJSON());
  // Not among the functions that Fn::Split accepts: docs.aws.amazon.com CloudFormation, intrinsic-function-reference-split.
  expect(text).not.toMatch(/"Fn::Split":\["[^"]*",\{"Fn::GetStackOutput"/);
  const read = text.matchAll(/"Fn::GetStackOutput":\{"StackName":"ModelGatewayData","OutputName":"(\w+)"\}/g);
  expect([...new Set([...read].map(([, name]) => name))].sort()).toEqual(
    Object.keys(template.findOutputs('*')).sort(),
  );
});
