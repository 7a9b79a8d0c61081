/** The evaluator of policies, by AWS's own rules. */
import { describe, expect, test } from 'vitest';
import type { AccessRequest } from '../service.ts';
import { isAllowed } from './evaluate.ts';
import type { Statement } from './policies.ts';
import { createResolver } from './resolve.ts';

const table = 'arn:aws:dynamodb:eu-west-1:123456789012:table/access';
const allow = (change: Partial<Statement> = {}): Statement => ({
  effect: 'Allow',
  actions: ['dynamodb:UpdateItem'],
  resources: [table],
  conditions: {},
  ...change,
});
const ask = (context: AccessRequest['context'] = {}, change: Partial<AccessRequest> = {}): AccessRequest => ({
  action: 'dynamodb:UpdateItem',
  resource: table,
  context,
  ...change,
});
const when = (operator: string, key: string, ...values: readonly string[]) =>
  allow({ conditions: { [operator]: { [key]: values } } });

describe('a request', () => {
  test('needs a statement for its action and resource', () => {
    expect(isAllowed([allow()], ask())).toBe(true);
    expect(isAllowed([], ask())).toBe(false);
    expect(isAllowed([allow()], ask({}, { action: 'dynamodb:PutItem' }))).toBe(false);
    expect(isAllowed([allow()], ask({}, { resource: `${table}2` }))).toBe(false);
    expect(isAllowed([allow({ actions: ['dynamodb:Update*'], resources: ['arn:aws:*'] })], ask())).toBe(true);
  });

  test('is denied by one denial among what allows it', () => {
    expect(isAllowed([allow(), allow({ effect: 'Deny' })], ask())).toBe(false);
    const other = when('StringEquals', 'aws:CalledViaLast', 'bedrock.amazonaws.com');
    expect(isAllowed([allow(), { ...other, effect: 'Deny' }], ask())).toBe(true);
  });

  const keys = 'dynamodb:LeadingKeys';
  test.each<[string, Statement, AccessRequest['context'], boolean]>([
    ['one value', when('StringEquals', keys, 'a'), { [keys]: ['a'] }, true],
    ['another value', when('StringEquals', keys, 'a'), { [keys]: ['b'] }, false],
    ['one of several', when('StringEquals', keys, 'a', 'b'), { [keys]: ['b'] }, true],
    ['no value', when('StringEquals', keys, 'a'), {}, false],
    ['no value, IfExists', when('StringEqualsIfExists', keys, 'a'), {}, true],
    ['another value, IfExists', when('StringEqualsIfExists', keys, 'a'), { [keys]: ['b'] }, false],
    ['no value, negated', when('StringNotEquals', keys, 'a'), {}, true],
    ['a negated value', when('StringNotEquals', keys, 'a', 'b'), { [keys]: ['b'] }, false],
    ['all of a set', when('ForAllValues:StringLike', keys, 'key#*'), { [keys]: ['key#1', 'key#2'] }, true],
    [
      'one outside a set',
      when('ForAllValues:StringLike', keys, 'key#*'),
      { [keys]: ['key#1', 'tenant#2'] },
      false,
    ],
    ['an empty set', when('ForAllValues:StringLike', keys, 'key#*'), {}, true],
    ['any of a set', when('ForAnyValue:StringEquals', keys, 'a'), { [keys]: ['b', 'a'] }, true],
    ['any of no set', when('ForAnyValue:StringEquals', keys, 'a'), {}, false],
    ['a set without an operator for sets', when('StringEquals', keys, 'a'), { [keys]: ['a', 'a'] }, false],
    ['Null', when('Null', keys, 'true'), {}, true],
    ['a key in another case', when('StringEquals', keys.toUpperCase(), 'a'), { [keys]: ['a'] }, true],
    [
      'a call by a service',
      when('StringEquals', 'aws:CalledViaLast', 'bedrock.amazonaws.com'),
      { 'aws:CalledViaLast': ['bedrock.amazonaws.com'] },
      true,
    ],
    [
      'the context of a key',
      when('StringLike', 'kms:EncryptionContext:PARAMETER_ARN', 'arn:*:parameter/Gateway/*'),
      { 'kms:EncryptionContext:PARAMETER_ARN': ['arn:aws:ssm:eu-west-1:1:parameter/Gateway/a'] },
      true,
    ],
  ])('is judged by conditions: %s', (_name, statement, context, expected) => {
    expect(isAllowed([statement], ask(context))).toBe(expected);
  });

  test('with what is not known is an error, and no answer', () => {
    expect(() => isAllowed([when('NumericLessThan', keys, '1')], ask({ [keys]: ['0'] }))).toThrow(
      'not known',
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of IAM.
    expect(() => isAllowed([when('StringEquals', keys, '${aws:userid}')], ask({ [keys]: ['a'] }))).toThrow();
  });
});

describe('values of templates', () => {
  const resolve = createResolver({
    account: '123456789012',
    region: 'eu-west-1',
    templates: {
      Data: {
        Resources: { Usage1: { Type: 'AWS::DynamoDB::GlobalTable' } },
        Outputs: { Arn: { Value: { 'Fn::GetAtt': ['Usage1', 'Arn'] } } },
      },
      Main: { Resources: { Logs1: { Type: 'AWS::Logs::LogGroup' } }, Parameters: { P: { Default: '/p' } } },
    },
    nameOf: (id) => (id === 'Usage1' ? 'usage' : undefined),
  });
  const output = { 'Fn::GetStackOutput': { StackName: 'Data', OutputName: 'Arn' } };
  const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/usage';

  test.each<[unknown, unknown]>([
    [output, arn],
    [{ 'Fn::Select': [1, { 'Fn::Split': ['/', output] }] }, 'usage'],
    [{ 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':x']] }, 'arn:aws:x'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of CloudFormation.
    [{ 'Fn::Sub': '${AWS::Region}${P}' }, 'eu-west-1/p'],
    [{ 'Fn::GetAtt': ['Logs1', 'Arn'] }, 'arn:aws:logs:eu-west-1:123456789012:log-group:Main-Logs1:*'],
    [{ a: [{ Ref: 'P' }] }, { a: ['/p'] }],
  ])('%j', (value, expected) => {
    expect(resolve('Main', value)).toEqual(expected);
  });

  test('that are not known are errors', () => {
    expect(() => resolve('Main', { Ref: 'Missing' })).toThrow('no resource Missing');
    expect(() => resolve('Main', { 'Fn::Cidr': [] })).toThrow('Fn::Cidr');
  });
});
