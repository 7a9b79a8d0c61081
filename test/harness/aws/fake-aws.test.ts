/** The fake AWS, called by the gateway's own client, by AWS's SDK, and by those whom AWS would refuse. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AwsCall, AwsError } from '../../../lib/core/ports/aws.ts';
import { createAwsCall } from '../../../lib/transport/aws/aws-call.ts';
import { createSigner } from '../../../lib/transport/aws/sign-action.ts';
import { createHttpClient } from '../../../lib/transport/http-client/http-client.ts';
import { startTestDatabase } from '../../stores/database.ts';
import { use } from '../use.ts';
import { type FakeAws, operator, startFakeAws } from './fake-aws.ts';
import { cloudFormation } from './services/cloudformation.ts';
import { dynamodb } from './services/dynamodb.ts';
import { lambda } from './services/lambda.ts';
import { ssm } from './services/ssm.ts';
import { sts } from './services/sts.ts';

const region = 'eu-west-1';
const parameters = new Map(
  Array.from({ length: 12 }, (_, index) => [
    `/Gateway/providers/p${index + 10}/api-key`,
    { value: `v${index}` },
  ]),
);
const client = createHttpClient();
let aws: FakeAws;

const database = use(() => startTestDatabase(['catalog']));
beforeAll(async () => {
  aws = await startFakeAws({
    services: [
      sts(),
      ssm({ parameters }),
      lambda({ limit: 10 }),
      cloudFormation({ Gateway: { status: 'CREATE_COMPLETE', outputs: { Region: region } } }),
      dynamodb({ endpoint: database.endpoint, tables: { catalog: { isProtected: true } } }),
    ],
  });
});

afterEach(() => {
  aws.faults.clear();
  aws.forgetCalls();
});

afterAll(async () => {
  await Promise.all([aws.close(), client.close()]);
});

const signed = (secretAccessKey = operator.secretAccessKey) =>
  createSigner(async () => ({ accessKeyId: operator.accessKeyId, secretAccessKey }));

const callerOf = (service: string, jsonVersion: '1.0' | '1.1', sign = signed()): AwsCall =>
  createAwsCall({ sendForText: client.sendForText, sign, service, region, jsonVersion, endpoint: aws.url });

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof AwsError ? error.type : String(error)),
  );

const get = { Name: '/Gateway/providers/p10/api-key', WithDecryption: true };

async function send(service: string, method: string, path: string, body?: string): Promise<Response> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const headers = body === undefined ? {} : type;
  const request = { method, url: aws.url + path, headers, ...(body !== undefined && { body }) };
  const { url, ...rest } = await signed()(request as Parameters<ReturnType<typeof signed>>[0], {
    service,
    region,
  });
  return await fetch(url, { ...rest, body: body ?? null });
}

describe('the fake AWS', () => {
  test('answers the clients of the gateway and of AWS', async () => {
    const { Parameter } = await callerOf('ssm', '1.1')('AmazonSSM.GetParameter', get);
    expect(Parameter).toMatchObject({ Value: 'v0', Type: 'SecureString' });
    const credentials = { accessKeyId: operator.accessKeyId, secretAccessKey: operator.secretAccessKey };
    const sdk = new CloudFormationClient({ region, endpoint: aws.url, credentials });
    const { Stacks } = await sdk.send(new DescribeStacksCommand({ StackName: 'Gateway' }));
    expect(Stacks?.[0]).toMatchObject({ Outputs: [{ OutputKey: 'Region', OutputValue: region }] });
    expect(aws.calls.map(({ action }) => action)).toEqual([
      'ssm:GetParameter',
      'cloudformation:DescribeStacks',
    ]);
  });

  test('refuses a signature that AWS would refuse', async () => {
    const wrong = callerOf('ssm', '1.1', signed('another-secret'));
    expect(await errorOf(wrong('AmazonSSM.GetParameter', get))).toBe('InvalidSignatureException');
    const sign = createSigner(async () => ({ accessKeyId: 'AKIDUNKNOWN', secretAccessKey: 'secret' }));
    const unknown = callerOf('ssm', '1.1', sign);
    expect(await errorOf(unknown('AmazonSSM.GetParameter', get))).toBe('UnrecognizedClientException');
    const response = await fetch(aws.url, { method: 'POST', body: 'Action=GetCallerIdentity' });
    expect(response.status).toBe(403);
    expect(aws.calls).toEqual([]);
  });

  test('pages the parameters below a path by ten', async () => {
    const call = callerOf('ssm', '1.1');
    const path = { Path: '/Gateway/providers', Recursive: true };
    const first = await call('AmazonSSM.GetParametersByPath', path);
    expect(first.Parameters).toHaveLength(10);
    const rest = await call('AmazonSSM.GetParametersByPath', { ...path, NextToken: first.NextToken });
    expect(rest).toMatchObject({ Parameters: [{}, {}] });
    expect(rest).not.toHaveProperty('NextToken');
    const many = call('AmazonSSM.GetParametersByPath', { ...path, MaxResults: 11 });
    expect(await errorOf(many)).toBe('ValidationException');
  });

  test('answers forms with XML, and paths with JSON', async () => {
    const who = await send('sts', 'POST', '/', 'Action=GetCallerIdentity&Version=2011-06-15');
    expect(await who.text()).toContain(`<Arn>${operator.arn}</Arn>`);
    const limits = await send('lambda', 'GET', '/2016-08-19/account-settings');
    expect(await limits.json()).toMatchObject({ AccountLimit: { ConcurrentExecutions: 10 } });
  });

  test('denies and throttles in the form of each protocol', async () => {
    for (const action of ['ssm:*', 'lambda:*', 'cloudformation:*']) aws.faults.add(action, 'denied');
    const json = callerOf('ssm', '1.1')('AmazonSSM.GetParameter', get);
    expect(await errorOf(json)).toBe('AccessDeniedException');
    const rest = await send('lambda', 'GET', '/2016-08-19/account-settings');
    expect([rest.status, rest.headers.get('x-amzn-errortype')]).toEqual([403, 'AccessDeniedException:']);
    const query = await send('cloudformation', 'POST', '/', 'Action=DescribeStacks&StackName=Gateway');
    expect([query.status, await query.text()]).toEqual([
      403,
      expect.stringContaining('<Code>AccessDenied</Code>'),
    ]);
    aws.faults.clear();
    aws.faults.add('ssm:GetParameter', 'throttled', { times: 1 });
    expect(await callerOf('ssm', '1.1')('AmazonSSM.GetParameter', get)).toHaveProperty('Parameter');
    expect(aws.calls.map(({ error }) => error).slice(-2)).toEqual(['ThrottlingException', undefined]);
  });

  test('passes on to the database what it does not answer itself', async () => {
    const call = callerOf('dynamodb', '1.0');
    const Item = { pk: { S: 'a' }, size: { N: '1' } };
    await call('DynamoDB_20120810.PutItem', { TableName: 'catalog', Item });
    const read = await call('DynamoDB_20120810.GetItem', { TableName: 'catalog', Key: { pk: { S: 'a' } } });
    expect(read.Item).toEqual(Item);
    const { Table } = await call('DynamoDB_20120810.DescribeTable', { TableName: 'catalog' });
    expect(Table).toMatchObject({ TableStatus: 'ACTIVE', DeletionProtectionEnabled: true });
    const missing = call('DynamoDB_20120810.DescribeTimeToLive', { TableName: 'other' });
    expect(await errorOf(missing)).toBe('ResourceNotFoundException');
  });
});
