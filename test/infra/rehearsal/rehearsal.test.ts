/** Creations that fail, of all stacks and at every resource: nothing stays that is in the way of the next attempt. */
import { expect, test } from 'vitest';
import { failuresOf, failureTable, mayStay, surprisesIn, typeOf } from './failures.ts';
import { allBefore, creationOrder, dependenciesOf, type StackTemplate } from './graph.ts';
import { templatesOfEveryHost } from './templates.ts';

const templates = templatesOfEveryHost();

test.each(templates)('$compute: a creation that fails leaves nothing that the next one meets', (stacks) => {
  expect(surprisesIn(failuresOf(stacks.gateway), mayStay.gateway)).toEqual([]);
  if (stacks.admin) expect(surprisesIn(failuresOf(stacks.admin), mayStay.admin)).toEqual([]);
});

test('tables stay, but only a failure of their own stack leaves some, under new names', () => {
  const [stacks] = templates;
  if (!stacks) throw new Error('There is no host.');
  const failures = failuresOf(stacks.data);
  expect(surprisesIn(failures, mayStay.data)).toEqual([]);
  expect(new Set(failures.flatMap(({ left }) => left.map(typeOf)))).toEqual(new Set(mayStay.data));
  const types = Object.values(stacks.gateway.Resources).map(({ Type }) => Type);
  expect(types).not.toContain('AWS::DynamoDB::GlobalTable');
});

test.each(templates)(
  '$compute: what runs in the deployment comes after its role, which has what it may do',
  ({ gateway }) => {
    const dependencies = dependenciesOf(gateway);
    const resources = Object.entries(gateway.Resources);
    const [trigger = ''] = resources.find(([, { Type }]) => Type === 'Custom::Trigger') ?? [];
    const before = allBefore(trigger, dependencies);
    const seeds = resources.flatMap(([id, { Type }]) =>
      Type === 'AWS::IAM::Role' && id.startsWith('CatalogSeed') ? [id] : [],
    );
    expect(seeds.length).toBeGreaterThan(0);
    for (const role of seeds) expect(before).toContain(role);
  },
);

test.each(templates.slice(0, 2))(
  '$compute: a stage comes after every method, and after what lets it log',
  ({ gateway, admin }) => {
    for (const template of [gateway, admin]) if (template) expectOrder(template);
  },
);

function expectOrder(template: StackTemplate): void {
  const dependencies = dependenciesOf(template);
  const ofType = (type: string) =>
    Object.entries(template.Resources).flatMap(([id, { Type }]) => (Type === type ? [id] : []));
  const [stage = ''] = ofType('AWS::ApiGateway::Stage');
  const before = allBefore(stage, dependencies);
  for (const type of ['Method', 'GatewayResponse', 'Account'])
    for (const id of ofType(`AWS::ApiGateway::${type}`)) expect(before).toContain(id);
}

test('it finds a name that is left, what is unexpected, and a circle', () => {
  const log = {
    Type: 'AWS::Logs::LogGroup',
    DeletionPolicy: 'Retain',
    Properties: { LogGroupName: 'fixed' },
  };
  const failures = failuresOf({
    Resources: { Log: log, Last: { Type: 'AWS::SNS::Topic', DependsOn: 'Log' } },
  });
  const collision = 'After a failure at Last, Log is there already.';
  expect(surprisesIn(failures, ['AWS::Logs::LogGroup'])).toEqual([collision]);
  expect(surprisesIn(failures, [])).toEqual([
    'After a failure at Last, AWS::Logs::LogGroup Log stays.',
    collision,
  ]);
  expect(failureTable(failures).split('\n')).toEqual([
    'failure at  the first of them  stays behind',
    '1           Log                nothing',
    '2           Last               1 AWS::Logs::LogGroup',
  ]);
  const circle = { A: { Type: 'T', DependsOn: 'B' }, B: { Type: 'T', Properties: { Of: { Ref: 'A' } } } };
  expect(() => creationOrder({ Resources: circle })).toThrow('circle');
});
