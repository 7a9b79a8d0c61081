/** Tables that exist take the place of those that the stack makes: each transition, and what it does to tables that are in use. */
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import type { AdoptedTable } from '../../infra/settings/groups/tables.ts';
import { type TableName, tableNames } from '../../lib/core/tables.ts';
import { makeStack, type StackInTest } from './synthesize.ts';

const place = 'arn:aws:dynamodb:eu-west-1:123456789012:table';
const arnOf = (name: TableName) => `${place}/${name}-restored`;
const streamArn = `${arnOf('usage')}/stream/2026-11-22T10:15:30.123`;

function stackWith(...names: readonly TableName[]): StackInTest {
  const adopted = new Map(
    names.map((name): readonly [TableName, AdoptedTable] => [
      name,
      { arn: arnOf(name), ...(name === 'usage' && { streamArn }) },
    ]),
  );
  return makeStack({ adopted });
}

const tablesOf = ({ data }: StackInTest) =>
  Object.keys(Template.fromStack(data).findResources('AWS::DynamoDB::GlobalTable')).map((id) =>
    id.replace(/Table.*/, '').toLowerCase(),
  );

const outputsOf = (stack: StackInTest['data'] | StackInTest['stack']) =>
  Object.fromEntries(
    Object.entries(Template.fromStack(stack).findOutputs('*')).map(([name, { Value }]) => [name, Value]),
  );

describe('one table that is adopted', () => {
  test('is not made, and each of the others is', () => {
    for (const name of tableNames)
      expect(tablesOf(stackWith(name)).sort()).toEqual(tableNames.filter((other) => other !== name).sort());
  });

  test('leaves the table that it replaces in the account: what is deployed says that it is retained', () => {
    const before = Template.fromStack(stackWith().data).findResources('AWS::DynamoDB::GlobalTable');
    const [, usage] = Object.entries(before).find(([id]) => id.startsWith('Usage')) ?? [];
    expect(usage).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(usage?.Properties.Replicas[0].DeletionProtectionEnabled).toBe(true);
  });

  test('leaves the other tables as they are', () => {
    const [before, after] = [stackWith(), stackWith('usage')].map(({ data }) =>
      Template.fromStack(data).findResources('AWS::DynamoDB::GlobalTable'),
    );
    for (const [id, table] of Object.entries(after ?? {})) expect(before?.[id]).toEqual(table);
  });

  test('is what the functions, the aggregator and the command line use', () => {
    const { stack, data } = stackWith('usage');
    const template = JSON.stringify(Template.fromStack(stack).toJSON());
    expect(template).toContain('"USAGE_TABLE":"usage-restored"');
    expect(template).toContain(`"EventSourceArn":"${streamArn}"`);
    expect(template).not.toContain('"OutputName":"UsageTableArn"');
    expect(template).not.toContain('"OutputName":"UsageStreamArn"');
    expect(outputsOf(stack)).toMatchObject({ UsageTable: 'usage-restored' });
    // What the other stack read before is still there if its update fails and it goes back.
    expect(outputsOf(data)).toMatchObject({ UsageTableArn: arnOf('usage'), UsageStreamArn: streamArn });
    expect(Object.keys(outputsOf(data)).sort()).toEqual(Object.keys(outputsOf(stackWith().data)).sort());
  });

  test('changes no permission but its resource', () => {
    const policiesOf = ({ stack }: StackInTest) => {
      const found = Object.values(Template.fromStack(stack).findResources('AWS::IAM::Policy'));
      const actions = found.map(({ Properties }) =>
        Properties.PolicyDocument.Statement.flatMap(({ Action }: { Action: string | string[] }) => Action),
      );
      return actions.map((list) => list.sort().join());
    };
    expect(policiesOf(stackWith('usage', 'access')).sort()).toEqual(policiesOf(stackWith()).sort());
  });
});

test('with all tables adopted there is one stack, which reads nothing of another', () => {
  const whole = stackWith(...tableNames);
  expect(() => whole.data).toThrow('no stack of tables');
  expect(whole.stack.dependencies).toEqual([]);
  expect(JSON.stringify(Template.fromStack(whole.stack).toJSON())).not.toContain('Fn::GetStackOutput');
  expect(whole.app.synth().stacks.map(({ stackName }) => stackName)).toEqual(['ModelGateway']);
});
