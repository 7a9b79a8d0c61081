/** Tables that exist take the place of those that the stack makes: each transition, and what it does to tables that are in use. */
import { describe, expect, test } from 'vitest';
import type { AdoptedTable } from '../../infra/settings/groups/tables.ts';
import { type TableName, tableNames } from '../../lib/core/tables.ts';
import { readStack } from './read-template.ts';
import { makeStack } from './synthesize.ts';

const place = 'arn:aws:dynamodb:eu-west-1:123456789012:table';
const arnOf = (name: TableName) => `${place}/${name}-restored`;
const streamArn = `${arnOf('usage')}/stream/2026-11-22T10:15:30.123`;

const adopting = (...names: readonly TableName[]) => ({
  adopted: new Map(
    names.map((name): [TableName, AdoptedTable] => [
      name,
      { arn: arnOf(name), ...(name === 'usage' && { streamArn }) },
    ]),
  ),
});
const dataWith = (...names: readonly TableName[]) => readStack(adopting(...names), 'data');
const gatewayWith = (...names: readonly TableName[]) => readStack(adopting(...names));

const tablesOf = ({ ofType }: ReturnType<typeof dataWith>) =>
  ofType('AWS::DynamoDB::GlobalTable').map(([id]) => id.replace(/Table.*/, '').toLowerCase());

describe('one table that is adopted', () => {
  test('is not made, and each of the others is', () => {
    for (const name of tableNames)
      expect(tablesOf(dataWith(name)).sort()).toEqual(tableNames.filter((other) => other !== name).sort());
  });

  test('leaves the table that it replaces in the account: what is deployed says that it is retained', () => {
    const [, usage] =
      dataWith()
        .ofType('AWS::DynamoDB::GlobalTable')
        .find(([id]) => id.startsWith('Usage')) ?? [];
    expect(usage).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(usage?.Properties.Replicas[0].DeletionProtectionEnabled).toBe(true);
  });

  test('leaves the other tables as they are', () => {
    const before = new Map(dataWith().ofType('AWS::DynamoDB::GlobalTable'));
    for (const [id, table] of dataWith('usage').ofType('AWS::DynamoDB::GlobalTable'))
      expect(before.get(id)).toEqual(table);
  });

  test('is what the functions, the aggregator and the command line use', () => {
    const { text, outputs } = gatewayWith('usage');
    expect(text).toContain('"USAGE_TABLE":"usage-restored"');
    expect(text).toContain(`"EventSourceArn":"${streamArn}"`);
    expect(text).not.toContain('"OutputName":"UsageTableArn"');
    expect(text).not.toContain('"OutputName":"UsageStreamArn"');
    expect(outputs.UsageTable).toMatchObject({ Value: 'usage-restored' });
    // What the other stack read before is still there if its update fails and it goes back.
    const data = dataWith('usage').outputs;
    expect([data.UsageTableArn?.Value, data.UsageStreamArn?.Value]).toEqual([arnOf('usage'), streamArn]);
    expect(Object.keys(data).sort()).toEqual(Object.keys(dataWith().outputs).sort());
  });

  test('changes no permission but its resource', () => {
    const actionsOf = ({ policies }: ReturnType<typeof gatewayWith>) =>
      policies().map(([, statements]) =>
        statements
          .flatMap(({ Action }) => Action)
          .sort()
          .join(),
      );
    expect(actionsOf(gatewayWith('usage', 'access')).sort()).toEqual(actionsOf(gatewayWith()).sort());
  });
});

test('with all tables adopted there is one stack, which reads nothing of another', () => {
  const alone = { ...adopting(...tableNames), filesBucket: 'acme-files' };
  const whole = makeStack(alone);
  expect(() => whole.data).toThrow('no stack of tables');
  expect(whole.stack.dependencies).toEqual([]);
  expect(readStack(alone).text).not.toContain('Fn::GetStackOutput');
  expect(whole.app.synth().stacks.map(({ stackName }) => stackName)).toEqual(['ModelGateway']);
});
