/** What everything has: tags, and the policy that bounds roles; and which logs outlive the stack. */
import { CfnResource, TagManager } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { readStack } from './read-template.ts';
import { hostsByDefault, makeStack } from './synthesize.ts';

const domain = {
  name: 'ai.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d-1111',
};
const given = { exportBucket: 'acme-exports', domain, tags: new Map([['team', 'ai']]) };

const made = hostsByDefault.map((host) => ({
  host,
  made: makeStack({ ...given, ...host, permissionsBoundary: 'TeamBoundary' }),
}));

describe.each(made)('with compute=$host.compute', ({ host, made: { stack, data } }) => {
  const template = Template.fromStack(stack);

  test('every resource that can have tags names its stack and has the tags of the operator', () => {
    const bare: string[] = [];
    for (const each of [stack, data]) {
      const resources = Template.fromStack(each).toJSON().Resources;
      for (const node of each.node.findAll()) {
        if (!CfnResource.isCfnResource(node) || !TagManager.isTaggable(node)) continue;
        const written = JSON.stringify(resources[each.resolve(node.logicalId)]);
        for (const [key, value] of [
          ['gateway:stack', 'ModelGateway'],
          ['team', 'ai'],
        ])
          if (!written.includes(`"${key}"`) || !written.includes(`"${value}"`))
            bare.push(node.cfnResourceType);
      }
      expect(each.tags.tagValues()).toEqual({ 'gateway:stack': 'ModelGateway', team: 'ai' });
    }
    expect(bare).toEqual([]);
  });

  test('every role has the boundary, also those that the library adds', () => {
    const roles = Object.entries(template.findResources('AWS::IAM::Role'));
    expect(roles.length).toBeGreaterThan(3);
    const unbound = roles.filter(
      ([, { Properties }]) =>
        !JSON.stringify(Properties.PermissionsBoundary ?? '').includes(':policy/TeamBoundary'),
    );
    expect(unbound.map(([id]) => id)).toEqual([]);
  });

  test('logs with lines that may be the only copy of a record outlive the stack', () => {
    const groups = template.findResources('AWS::Logs::LogGroup');
    const kept = Object.entries(groups).filter(
      ([, { DeletionPolicy }]) => DeletionPolicy === 'RetainExceptOnCreate',
    );
    const names = kept.map(([id]) => id.replace(/(Function)?Logs.*/, ''));
    expect(names.sort()).toEqual([...billing[host.compute], 'Aggregator', 'DailyExport'].sort());
    // That of the library's function that copies the code of Web Functions is the library's.
    for (const { DeletionPolicy, Properties } of Object.values(groups))
      if (DeletionPolicy !== 'Retain') expect(Properties.RetentionInDays).toBe(30);
  });
});

test('no log outlives a stack that retains nothing, each is kept as long as is set, and no role is bound', () => {
  const { ofType, text } = readStack({ retain: false, logDays: 7 });
  for (const [, { DeletionPolicy, Properties }] of ofType('AWS::Logs::LogGroup'))
    expect([DeletionPolicy, Properties.RetentionInDays]).toEqual(['Delete', 7]);
  expect(text).not.toContain('PermissionsBoundary');
});

/** The constructs whose code writes records. */
const billing = {
  event: ['Request'],
  web: ['Request', 'Web'],
  fargate: ['GatewayServer'],
};
