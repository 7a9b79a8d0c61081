/** The daily export in the stack: nothing without a bucket; with one, a schedule and a function that may write below one prefix. */
import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { readTemplate } from './read-template.ts';
import { makeStack } from './synthesize.ts';

function templateFor(props: Parameters<typeof makeStack>[0]): Template {
  const { stack } = makeStack(props);
  const template = Template.fromStack(stack);
  return template;
}

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

test('without a bucket there is no function, no schedule and no permission for it', () => {
  const template = templateFor({});
  template.resourceCountIs('AWS::Events::Rule', 0);
  expect(() => readTemplate(template).functionOf('Exports the ledger')).toThrow('no function');
  expect(JSON.stringify(template.toJSON())).not.toContain('s3:PutObject');
});

describe('with a bucket', () => {
  const template = templateFor({ exportBucket: 'acme-exports', exportFormat: 'csv' });
  const { ofType, only, functionOf, aliasOf } = readTemplate(template);
  const id = functionOf('Exports the ledger');
  const live = aliasOf(id);

  test('the function runs each night', () => {
    const { Properties } = only('AWS::Events::Rule');
    expect(Properties).toMatchObject({
      ScheduleExpression: 'cron(15 2 * * ? *)',
      State: 'ENABLED',
      Targets: [{ Arn: { Ref: live } }],
    });
  });

  test('it knows the bucket, the format and how far back the ledger goes', () => {
    const { Properties } = template.findResources('AWS::Lambda::Function')[id] ?? {};
    expect(Properties.Environment.Variables).toMatchObject({
      GATEWAY_EXPORT_BUCKET: 'acme-exports',
      GATEWAY_EXPORT_FORMAT: 'csv',
      GATEWAY_LEDGER_DAYS: '90',
    });
    expect(Properties.Timeout).toBe(900);
  });

  test('it reads tenants and the ledger, and writes nothing but objects below the prefix', () => {
    const policies = ofType('AWS::IAM::Policy').filter(([name]) => name.startsWith('DailyExport'));
    const statements = policies.flatMap(
      ([, { Properties }]) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement,
    );
    const actions = statements.flatMap(({ Action }) => Action).sort();
    expect(actions).toEqual([
      'dynamodb:GetItem',
      'dynamodb:GetItem',
      'dynamodb:Query',
      'dynamodb:Scan',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      's3:PutObject',
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

  test('failed exports are counted, and its name is an output', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ $.message = "export failed" }',
      MetricTransformations: [Match.objectLike({ MetricName: 'FailedExports' })],
    });
    const outputs = Object.entries(template.findOutputs('*'));
    const { Value } = outputs.find(([name]) => name.startsWith('DailyExport'))?.[1] ?? {};
    expect(JSON.stringify(Value)).toMatch(new RegExp(`"${live}".*":live"`));
  });
});
