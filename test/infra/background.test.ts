/** What creates responses in the background in AWS: a function that is invoked by events, and what may send it one. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationNamed, operations } from '../../lib/core/operations.ts';
import { startNextOf } from '../../lib/runtime/background-runtime.ts';
import { createFoundation } from '../../lib/runtime/foundation.ts';
import { createInvokeBackground } from '../../lib/runtime/invoke-background.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { region } from '../harness/aws/account.ts';
import { type FakeAws, startFakeAws } from '../harness/aws/fake-aws.ts';
import { isAllowed } from '../harness/aws/iam/evaluate.ts';
import { readFunctions } from '../harness/aws/iam/roles.ts';
import { type FakeInvocation, lambda } from '../harness/aws/services/lambda.ts';
import { readStack, type Statement, type TemplateReader } from './read-template.ts';
import { hostsByDefault, makeStack } from './synthesize.ts';

const description = 'Creates responses in the background';
const [event, web, fargate] = hostsByDefault.map((host) => readStack(host)) as [
  TemplateReader,
  TemplateReader,
  TemplateReader,
];
const withFunction = [
  ['event', event],
  ['web', web],
] as const;

/** Operations whose functions start workers. */
const starting = operations.filter(({ startsRuns }) => startsRuns);

const isStart = ({ Action }: Statement) => Action === 'lambda:InvokeFunction';

describe.each(withFunction)('with compute=%s the function', (_, stack) => {
  const id = stack.functionOf(description);

  test('has the memory and the time of the other functions, and their log', () => {
    const { MemorySize, Timeout, LoggingConfig } = stack.propertiesOfFunction(id);
    const generating = stack.propertiesOfFunction(stack.functionFor(operationNamed('responses-compact')));
    expect({ MemorySize, Timeout, LoggingConfig }).toEqual({
      MemorySize: 256,
      Timeout: 900,
      LoggingConfig: generating.LoggingConfig,
    });
  });

  test('gets an event twice at most, within five minutes, and hands on none', () => {
    const all = stack.propertiesOf('AWS::Lambda::EventInvokeConfig');
    expect(all.find(({ FunctionName }) => isDeepStrictEqual(FunctionName, { Ref: id }))).toEqual({
      FunctionName: { Ref: id },
      // The name of the alias, the last part of its ARN.
      Qualifier: { 'Fn::Select': [7, { 'Fn::Split': [':', { Ref: stack.aliasOf(id) }] }] },
      MaximumEventAgeInSeconds: 300,
      MaximumRetryAttempts: 1,
    });
  });

  test('is the only one that is invoked so, by its alias, and nothing polls for it', () => {
    const targets = stack.propertiesOf('AWS::Lambda::EventSourceMapping');
    expect(JSON.stringify(targets)).not.toContain(stack.aliasOf(id));
    expect(stack.propertiesOf('AWS::SQS::Queue')).toHaveLength(1);
  });
});

test('its role and its variables are those of the function of responses, and it tells tenants', () => {
  const id = event.functionOf(description);
  const responses = event.functionFor(operationNamed('responses'));
  const { GATEWAY_BACKGROUND_FUNCTION, ...variables } = event.variablesOf(responses);
  const { GATEWAY_SCHEDULE_GROUP, GATEWAY_SCHEDULE_ROLE, ...own } = event.variablesOf(id);
  expect(own).toEqual(variables);
  const expected = event.statementsOf(event.roleOf(responses)).filter((one) => !isStart(one));
  const statements = event.statementsOf(event.roleOf(id)).filter((one) => !isStart(one));
  expect(statements).toEqual(expect.arrayContaining(expected));
  const more = statements.filter((one) => !expected.some((known) => isDeepStrictEqual(known, one)));
  const ofEvents = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['webhook#*'] } };
  expect(more).toMatchObject([
    { Action: ['GetItem', 'PutItem', 'UpdateItem'].map((name) => `dynamodb:${name}`), Condition: ofEvents },
    { Action: 'scheduler:CreateSchedule' },
    { Action: 'iam:PassRole', Resource: GATEWAY_SCHEDULE_ROLE },
  ]);
});

test('its memory and its concurrency are settings', () => {
  const stack = readStack({ memory: 512, reservedConcurrency: new Map([['background', 20]]) });
  expect(stack.propertiesOfFunction(stack.functionOf(description))).toMatchObject({
    MemorySize: 512,
    ReservedConcurrentExecutions: 20,
  });
});

describe('who starts it', () => {
  test('responses that are created, and those that were lost before they began', () => {
    expect(starting.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['responses', 'responses-retrieve']),
    );
  });

  test.each(withFunction)('with compute=%s may do that, knows its alias, and no other does', (_, stack) => {
    const alias = { Ref: stack.aliasOf(stack.functionOf(description)) };
    const starts = stack
      .statementsOf()
      .filter((one) => isStart(one) && !JSON.stringify(one.Resource).includes('Batches'));
    // That of the schedules, and that of the function itself, which starts the next worker of a response.
    expect(starts).toHaveLength(starting.length + 2);
    for (const { Resource } of starts) expect(Resource).toEqual(alias);
    const variables = [
      ...stack.propertiesOf('AWS::Lambda::Function').map(({ Environment }) => Environment?.Variables),
      ...stack
        .propertiesOf('AWS::Lambda::WebFunctionRevision')
        .map(({ ServiceConfig }) => ServiceConfig.EnvironmentVariables),
    ];
    const known = variables.flatMap((one) => one?.GATEWAY_BACKGROUND_FUNCTION ?? []);
    expect(known).toEqual(starting.map(() => alias));
  });
});

test('on Fargate there is no such function, and the server starts none', () => {
  expect(fargate.propertiesOf('AWS::Lambda::EventInvokeConfig')).toEqual([]);
  expect(fargate.statementsOf().filter(isStart)).toEqual([]);
  expect(fargate.text).not.toContain('GATEWAY_BACKGROUND_FUNCTION');
});

describe('schedules for later attempts of webhooks', () => {
  test.each(withFunction)('with compute=%s are a group that goes with the stack', (_, stack) => {
    const names = stack.propertiesOf('AWS::Scheduler::ScheduleGroup').map(({ Name }) => Name);
    expect(names).toEqual(['ModelGateway', 'ModelGateway-batches']);
    expect(stack.variablesOf(stack.functionOf(description))).toMatchObject({
      GATEWAY_SCHEDULE_GROUP: 'ModelGateway',
    });
  });

  test('have a role that EventBridge Scheduler takes for schedules of the group only, to invoke the function', () => {
    const { GATEWAY_SCHEDULE_ROLE: role } = event.variablesOf(event.functionOf(description));
    const groupNamed = (name: string) =>
      event
        .ofType('AWS::Scheduler::ScheduleGroup')
        .find(([, { Properties }]) => Properties.Name === name)?.[0];
    const [name = ''] = (role as { 'Fn::GetAtt': readonly string[] })['Fn::GetAtt'];
    const { AssumeRolePolicyDocument } =
      event.template.findResources('AWS::IAM::Role')[name]?.Properties ?? {};
    expect(AssumeRolePolicyDocument.Statement).toEqual([
      {
        Action: 'sts:AssumeRole',
        Effect: 'Allow',
        Principal: { Service: 'scheduler.amazonaws.com' },
        Condition: {
          StringEquals: {
            'aws:SourceAccount': { Ref: 'AWS::AccountId' },
            'aws:SourceArn': { 'Fn::GetAtt': [groupNamed('ModelGateway'), 'Arn'] },
          },
        },
      },
    ]);
    expect(event.statementsOf(name)).toMatchObject([
      { Action: 'lambda:InvokeFunction', Resource: { Ref: event.aliasOf(event.functionOf(description)) } },
    ]);
  });
});

describe('an event', () => {
  const functions = readFunctions(makeStack({ exportBucket: 'acme-usage' }), region);
  const accepted: FakeInvocation[] = [];
  const client = createNodeClient();
  let aws: FakeAws;

  beforeAll(async () => {
    const byKey = new Map(functions.map((one) => [one.principal.accessKeyId, one.statements]));
    aws = await startFakeAws({
      services: [lambda({ limit: 10 }, undefined, accepted)],
      principals: functions.map(({ principal }) => principal),
      judge: ({ accessKeyId }, access) => isAllowed(byKey.get(accessKeyId) ?? [], access),
    });
  });

  afterAll(async () => {
    await Promise.all([aws.close(), client.close()]);
  });

  const found = starting.flatMap(({ name }) => functions.find((one) => one.name === name) ?? []);
  const [{ environment: { GATEWAY_BACKGROUND_FUNCTION: functionName = '' } = {} } = {}] = found;

  const variablesOf = (name: string) => {
    const { principal } = functions.find((one) => one.name === name) ?? {};
    return {
      AWS_REGION: region,
      AWS_ENDPOINT_URL: aws.url,
      AWS_ACCESS_KEY_ID: principal?.accessKeyId,
      AWS_SECRET_ACCESS_KEY: principal?.secretAccessKey,
      AWS_SESSION_TOKEN: principal?.sessionToken,
    };
  };

  /** Sends one as the function of this name does. */
  const sendAs = async (name: string) =>
    await createInvokeBackground(
      createFoundation(client, variablesOf(name)),
      functionName,
    )({
      tenant: 'acme',
      id: name,
    });

  test('is accepted of a worker for the next one', async () => {
    const host = { functionArn: functionName };
    const start = startNextOf(variablesOf('background'), host, () => expect.fail('It runs here.'));
    await start?.({ tenant: 'acme', id: 'next' });
    expect(accepted.at(-1)?.event).toEqual({ tenant: 'acme', id: 'next' });
  });

  const isStarting = (name: string) => name === 'background' || starting.some((one) => one.name === name);

  test.each(starting)('is accepted of $name', async ({ name }) => {
    await sendAs(name);
    expect(accepted.at(-1)).toEqual({ functionArn: functionName, event: { tenant: 'acme', id: name } });
    expect(functionName).toMatch(/^arn:aws:lambda:.*:live$/);
  });

  test.each(functions.map(({ name }) => name).filter((name) => !isStarting(name)))(
    'is refused of %s',
    async (name) => {
      await expect(sendAs(name)).rejects.toMatchObject({ type: 'AccessDeniedException' });
    },
  );
});
