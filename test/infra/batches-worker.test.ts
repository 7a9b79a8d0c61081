/** The function that works on batches: what it is given, what it may do, and what invokes it. */
import { describe, expect, test } from 'vitest';
import { readStack, type TemplateReader } from './read-template.ts';
import { hostsByDefault } from './synthesize.ts';

const description = 'Works on batches';
const [event, , fargate] = hostsByDefault.map((host) => readStack(host)) as [
  TemplateReader,
  TemplateReader,
  TemplateReader,
];
const id = event.functionOf(description);

const actions = event
  .statementsOf(event.roleOf(id))
  .flatMap(({ Action }) => [Action].flat())
  .toSorted();

test('it has one processor, and as long as Lambda allows', () => {
  expect(event.propertiesOfFunction(id)).toMatchObject({ MemorySize: 1_769, Timeout: 900 });
});

test('it may do what lines need, keep what belongs to batches, and begin its next worker', () => {
  expect([...new Set(actions)]).toEqual([
    'bedrock:ApplyGuardrail',
    'bedrock:CreateModelInvocationJob',
    'bedrock:GetModelInvocationJob',
    'bedrock:InvokeGuardrailChecks',
    'bedrock:InvokeModel',
    'bedrock:InvokeModelWithResponseStream',
    'bedrock:ListModelInvocationJobs',
    'bedrock:StopModelInvocationJob',
    'dynamodb:DeleteItem',
    'dynamodb:GetItem',
    'dynamodb:PutItem',
    'dynamodb:Query',
    'dynamodb:Scan',
    'dynamodb:UpdateItem',
    'iam:PassRole',
    'lambda:InvokeFunction',
    'logs:CreateLogStream',
    'logs:PutLogEvents',
    's3:DeleteObject',
    's3:GetObject',
    's3:ListBucket',
    's3:PutObject',
    'scheduler:CreateSchedule',
    'ssm:GetParametersByPath',
  ]);
  const deletes = event
    .statementsOf(event.roleOf(id))
    .filter(({ Action }) => [Action].flat().includes('dynamodb:DeleteItem'));
  expect(JSON.stringify(deletes)).toContain('FilesTable');
  expect(JSON.stringify(deletes)).not.toMatch(/UsageTable|AccessTable|StateTable/);
});

test('each hour it looks for batches that no one works on', () => {
  const rules = event.propertiesOf('AWS::Events::Rule');
  expect(rules).toContainEqual(
    expect.objectContaining({
      ScheduleExpression: 'rate(1 hour)',
      Targets: [expect.objectContaining({ Input: '{"look":true}', Arn: { Ref: event.aliasOf(id) } })],
    }),
  );
});

describe('there is none', () => {
  test('on Fargate, where the server works on batches itself', () => {
    expect(fargate.text).not.toContain(description);
  });

  test('where no files are stored', () => {
    expect(readStack({ fileDays: 0 }).text).not.toContain(description);
  });
});
