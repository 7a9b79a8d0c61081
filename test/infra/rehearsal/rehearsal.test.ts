/** Creations that fail, of both stacks and at every resource: nothing stays that is in the way of the next attempt. */
import { expect, test } from 'vitest';
import { dataStackName } from '../../../infra/names.ts';
import { everyHost, everything } from '../everything.ts';
import { makeStack } from '../synthesize.ts';
import { allBefore, creationOrder, dependenciesOf, type StackTemplate } from './graph.ts';
import { type Account, createStack } from './rehearse.ts';

function templatesOf(host: (typeof everyHost)[number]): { data: StackTemplate; gateway: StackTemplate } {
  const { app, remove } = makeStack({ ...everything, ...host });
  const assembly = app.synth();
  const [gateway, data] = ['ModelGateway', dataStackName('ModelGateway')].map(
    (name): StackTemplate => assembly.getStackByName(name).template,
  );
  remove();
  if (!gateway || !data) throw new Error('A stack is missing.');
  return { data, gateway };
}

const templates = everyHost.map((host) => ({ compute: host.compute, ...templatesOf(host) }));

/** The types of what a failed creation leaves, at whatever resource it fails. Throws for one that the next attempt fails at. */
function leftAfterFailures(template: StackTemplate): ReadonlySet<string> {
  const left = new Set<string>();
  const order = creationOrder(template);
  for (const failing of order) {
    const account: Account = new Map();
    const first = createStack(template, account, { order, attempt: 1, failing });
    for (const resource of first.left) left.add(resource.split(' ')[0] ?? '');
    const { collision } = createStack(template, account, { order, attempt: 2 });
    if (collision !== undefined)
      throw new Error(`After a failure at ${failing}, ${collision} is there already.`);
  }
  return left;
}

test.each(templates)(
  '$compute: a creation that fails leaves nothing that the next one meets',
  ({ gateway }) => {
    const left = leftAfterFailures(gateway);
    // Logs that bill, and the role that serves every API of the region.
    for (const type of left)
      expect(['AWS::Logs::LogGroup', 'AWS::IAM::Role', 'AWS::ApiGateway::Account']).toContain(type);
  },
);

test('tables stay, but only a failure of their own stack leaves some, under new names', () => {
  const [{ data, gateway } = templatesOf(everyHost[0])] = templates;
  expect(leftAfterFailures(data)).toEqual(new Set(['AWS::DynamoDB::GlobalTable']));
  const types = Object.values(gateway.Resources).map(({ Type }) => Type);
  expect(types).not.toContain('AWS::DynamoDB::GlobalTable');
});

test.each(templates)(
  '$compute: what runs in the deployment comes after the policies of its role',
  ({ gateway }) => {
    const dependencies = dependenciesOf(gateway);
    const resources = Object.entries(gateway.Resources);
    const [trigger = ''] = resources.find(([, { Type }]) => Type === 'Custom::Trigger') ?? [];
    const before = allBefore(trigger, dependencies);
    const seeds = resources.flatMap(([id, { Type }]) =>
      Type === 'AWS::IAM::Policy' && id.startsWith('CatalogSeed') ? [id] : [],
    );
    expect(seeds.length).toBeGreaterThan(0);
    for (const policy of seeds) expect(before).toContain(policy);
  },
);

test.each(templates.slice(0, 2))(
  '$compute: a stage comes after every method, and after what lets it log',
  ({ gateway }) => {
    const dependencies = dependenciesOf(gateway);
    const ofType = (type: string) =>
      Object.entries(gateway.Resources).flatMap(([id, { Type }]) => (Type === type ? [id] : []));
    const [stage = ''] = ofType('AWS::ApiGateway::Stage');
    const before = allBefore(stage, dependencies);
    for (const type of [
      'AWS::ApiGateway::Method',
      'AWS::ApiGateway::GatewayResponse',
      'AWS::ApiGateway::Account',
    ])
      for (const id of ofType(type)) expect(before).toContain(id);
  },
);

test('it finds a name that is left, and a circle', () => {
  const log = {
    Type: 'AWS::Logs::LogGroup',
    DeletionPolicy: 'Retain',
    Properties: { LogGroupName: 'fixed' },
  };
  const failing = { Type: 'AWS::SNS::Topic', DependsOn: 'Log' };
  expect(() => leftAfterFailures({ Resources: { Log: log, Last: failing } })).toThrow('Log is there already');
  const circle = { A: { Type: 'T', DependsOn: 'B' }, B: { Type: 'T', Properties: { Of: { Ref: 'A' } } } };
  expect(() => creationOrder({ Resources: circle })).toThrow('circle');
});
