/** The policies for people and roles: they cover what the stacks have and what the commands call. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Policy, policies, policyOf } from '../../cli/policies/policies.ts';
import { serviceRights } from '../../cli/policies/service-rights.ts';
import { everyHost, everything } from './everything.ts';
import { makeStack } from './synthesize.ts';

const root = join(import.meta.dirname, '../..');
const place = { partition: 'aws-cn', account: '123456789012', region: 'cn-north-1', stack: 'Mine' };

const actionsOf = ({ Statement }: Policy) => Statement.flatMap(({ Action }) => Action);

test('CloudFormation may make every type of resource that a gateway can have, and nothing else is listed', () => {
  const services = new Set(['CodeDeploy']);
  for (const host of everyHost) {
    const { app } = makeStack({ ...everything, ...host });
    for (const { template } of app.synth().stacks) {
      const resources = Object.values<{ readonly Type: string }>(template.Resources);
      // CloudFormation takes 500 in a stack; further operations, and more that is kept started, are to have room.
      expect(resources.length).toBeLessThan(480);
      for (const { Type } of resources) {
        const [vendor, service = ''] = Type.split('::');
        if (vendor === 'AWS') services.add(service);
      }
    }
  }
  expect([...services].sort()).toEqual(Object.keys(serviceRights).sort());
});

describe.each(Object.keys(policies))('the policy of the %s', (name) => {
  const policy = policyOf(name, place);

  test('is of the partition, account, region and stack', () => {
    expect(JSON.stringify(policy)).not.toContain('arn:aws:');
    expect(JSON.stringify(policy)).toContain('arn:aws-cn:');
    expect(JSON.stringify(policy)).toContain('Mine');
  });

  test('has no right to everything, and statements of their own names', () => {
    expect(actionsOf(policy)).not.toContain('*');
    expect(actionsOf(policy).filter((action) => !/^[a-z0-9-]+:[\w*]+$/.test(action))).toEqual([]);
    const names = policy.Statement.map(({ Sid }) => Sid);
    expect(new Set(names).size).toBe(names.length);
    for (const Sid of names) expect(Sid).toMatch(/^[A-Za-z0-9]+$/);
  });
});

test('CloudFormation changes only roles that begin with the name of the stack', () => {
  const roles = policyOf('execution', place).Statement.filter(({ Action }) => Action.includes('iam:*Role'));
  const names = ['Mine-', 'MineData-', 'MineAdmin-'];
  expect(roles.flatMap(({ Resource }) => Resource)).toEqual(
    names.map((name) => `arn:aws-cn:iam::123456789012:role/${name}*`),
  );
});

test('no policy reaches a gateway whose name begins the same', () => {
  const other = ['MineStaging-', 'MineStagingData-', 'Mine2'];
  for (const name of Object.keys(policies)) {
    const resources = policyOf(name, place).Statement.flatMap(({ Resource }) => Resource);
    const reached = resources.filter((resource) => {
      const start = resource.slice(0, resource.indexOf('*')).toLowerCase();
      return other.some((begins) => start.endsWith('mine') || start.endsWith(begins.toLowerCase()));
    });
    expect(reached).toEqual([]);
  }
});

test('who only looks reads no parameter but that of the CDK', () => {
  const reads = policyOf('viewer', place).Statement.filter(({ Action }) =>
    Action.some((action) => /^ssm:(\*|Get(Parameter|\*))/.test(action)),
  );
  expect(reads.flatMap(({ Action, Resource }) => [...Action, ...Resource])).toEqual([
    'ssm:GetParameter',
    'arn:aws-cn:ssm:cn-north-1:123456789012:parameter/cdk-bootstrap/*',
  ]);
});

/** Source: the permissions of the create handler of the type in CloudFormation's registry. */
test('CloudFormation may make tables with replicas, and with a key of the operator', () => {
  const allowed = actionsOf(policyOf('execution', place));
  const items = ['Query', 'Scan', 'UpdateItem', 'PutItem', 'GetItem', 'DeleteItem', 'BatchWriteItem'];
  const needed = [...items.map((action) => `dynamodb:${action}`), 'kms:CreateGrant', 'kms:Decrypt'];
  expect(needed.filter((action) => !allowed.includes(action))).toEqual([]);
});

/** Only `setup` makes tables, where there is no stack. */
const ofSetup = 'dynamodb:CreateTable';

test('an operator may call what the commands call, and may not delete a table', () => {
  const source = ['cli', 'infra/tables', 'lib/stores/dynamodb']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => readFileSync(join(root, folder, path), 'utf8')),
    )
    .join('\n');
  const allowed = actionsOf(policyOf('operator', place));
  const called = [
    ...Array.from(source.matchAll(/AmazonSSM\.(\w+)/g), ([, action]) => `ssm:${action}`),
    ...Array.from(
      source.matchAll(/\b(?:act|readPages)\((?:\w+, )?'(\w+)'/g),
      ([, action]) => `dynamodb:${action}`,
    ),
  ].filter((action) => action !== ofSetup);
  expect(new Set(called).size).toBeGreaterThan(15);
  expect(called.filter((action) => !allowed.includes(action))).toEqual([]);
  expect(allowed).not.toContain('dynamodb:DeleteTable');
});

test('is printed by the command', () => {
  const program = join(root, 'cli/policies/print.ts');
  const run = (...words: readonly string[]) =>
    spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' });
  const { account, region, stack, partition } = place;
  const made = run(
    'deployer',
    '--account',
    account,
    '--region',
    region,
    '--stack',
    stack,
    '--partition',
    partition,
  );
  expect(JSON.parse(made.stdout)).toEqual(policyOf('deployer', place));
  expect(run('owner', '--account', account, '--region', region)).toMatchObject({ status: 2, stdout: '' });
  expect(run('deployer', '--region', region).status).toBe(2);
});
