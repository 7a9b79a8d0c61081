/** Calls of AWS: what is sent, what an error means, and what is tried again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AwsError } from '../../lib/core/ports/aws.ts';
import type { Send, SendForText, Timeouts } from '../../lib/core/ports/http.ts';
import { createFoundation } from '../../lib/runtime/foundation.ts';
import { createAwsCall, localTimeouts } from '../../lib/transport/aws/aws-call.ts';
import { createSigner } from '../../lib/transport/aws/sign-action.ts';
import { createHttpClient } from '../../lib/transport/http-client/http-client.ts';
import { failureOf, startUpstream } from './upstream.ts';

const sign = createSigner(async () => ({ accessKeyId: 'id', secretAccessKey: 'secret' }));

type Answer = readonly [status: number, body: string, headers?: Record<string, string>] | 'hang up';

/** A service that gives these responses in turn, and repeats the last one. */
async function startService(...answers: readonly Answer[]) {
  const requests: { readonly headers: Record<string, unknown>; readonly body: string }[] = [];
  const upstream = await startUpstream(async (request, response) => {
    const chunks = await Array.fromAsync(request);
    requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? 'hang up';
    if (answer === 'hang up') return request.socket.destroy();
    const [status, body, headers] = answer;
    return response.writeHead(status, headers).end(body);
  });
  const client = createHttpClient();
  onTestFinished(() => client.close());
  const options = { service: 'dynamodb', region: 'eu-west-1', jsonVersion: '1.0' } as const;
  const call = createAwsCall({ ...options, sendForText: client.sendForText, sign, endpoint: upstream.url });
  return { requests, call };
}

const failed = (type: string) => JSON.stringify({ __type: type, message: 'because' });

describe('a call', () => {
  test('is a signed request for one action, and gives its answer', async () => {
    const { requests, call } = await startService([200, '{"Item":{"pk":{"S":"a"}}}']);
    expect(await call('DynamoDB_20120810.GetItem', { TableName: 'ä' })).toEqual({ Item: { pk: { S: 'a' } } });
    expect(requests).toEqual([
      {
        body: '{"TableName":"ä"}',
        headers: expect.objectContaining({
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': 'DynamoDB_20120810.GetItem',
          authorization: expect.stringContaining('/eu-west-1/dynamodb/aws4_request'),
        }),
      },
    ]);
  });

  test('goes to its endpoint in the form of its protocol', async () => {
    const urls: string[] = [];
    const call = createAwsCall({
      service: 'ssm',
      region: 'eu-west-1',
      endpoint: 'https://ssm.eu-west-1.amazonaws.com',
      jsonVersion: '1.1',
      sign,
      sendForText: async ({ url, headers }) => {
        urls.push(url, headers['content-type'] ?? '');
        return { status: 200, headers: {}, text: '{}' };
      },
    });
    await call('AmazonSSM.GetParameter', {});
    expect(urls).toEqual(['https://ssm.eu-west-1.amazonaws.com/', 'application/x-amz-json-1.1']);
  });
});

const unused: Send = () => Promise.reject(new Error('not used'));

test('a local database has more time than a service of AWS', async () => {
  const given: Timeouts[] = [];
  const options = { service: 'dynamodb', region: 'eu-west-1', jsonVersion: '1.0', sign } as const;
  const sendForText: SendForText = async (_request, { timeouts }) => {
    given.push(timeouts);
    return { status: 200, headers: {}, text: '{}' };
  };
  const endpoint = 'https://dynamodb.eu-west-1.amazonaws.com';
  await createAwsCall({ ...options, endpoint, sendForText })('A.B', {});
  const environment = { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  for (const local of [{}, { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' }]) {
    const { table } = createFoundation({ send: unused, sendForText }, { ...environment, ...local });
    await table('usage').call('A.B', {});
  }
  const [aws, deployed, local] = given;
  expect(deployed).toEqual(aws);
  expect(local).toEqual(localTimeouts);
  expect(local?.firstByteMs).toBeGreaterThan(aws?.firstByteMs ?? 0);
});

describe('an error of the service', () => {
  test.each([
    ['com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', 'ConditionalCheckFailedException'],
    ['com.amazon.coral.service#AccessDeniedException:http://internal/', 'AccessDeniedException'],
    ['ValidationException', 'ValidationException'],
  ])('of type %s has its name without namespace, and is not retried', async (type, bare) => {
    const { requests, call } = await startService([400, failed(type)]);
    const error = await failureOf(call('A.B', {}));
    expect(error).toBeInstanceOf(AwsError);
    expect(error).toMatchObject({ type: bare, message: 'because', status: 400 });
    expect(requests).toHaveLength(1);
  });

  test('may be named by a header alone', async () => {
    const header = { 'x-amzn-errortype': 'ParameterNotFound:http://x/' };
    const { call } = await startService([400, '', header]);
    expect(await failureOf(call('A.B', {}))).toMatchObject({ type: 'ParameterNotFound', status: 400 });
  });
});

describe('a transient error', () => {
  test.each([
    ['a server error', [500, failed('InternalServerError')]],
    ['a server error without a body', [503, '']],
    ['throttling', [400, failed('x#ProvisionedThroughputExceededException')]],
    ['a lost connection', 'hang up'],
    ['an answer that is not JSON', [200, '<html>']],
  ] as const)('is not seen by the caller: %s', async (_name, fault) => {
    const { requests, call } = await startService(fault, fault, [200, '{"ok":true}']);
    expect(await call('A.B', {})).toEqual({ ok: true });
    expect(requests).toHaveLength(3);
  });

  test.each([
    ['a server error', [500, failed('InternalServerError')], 1],
    ['a lost connection', 'hang up', 1],
    ['throttling', [400, failed('x#ProvisionedThroughputExceededException')], 3],
  ] as const)('is not tried again where that could do it twice: %s', async (_name, fault, tries) => {
    const { requests, call } = await startService(fault, fault, fault);
    await failureOf(call('A.B', {}, { once: true }));
    expect(requests).toHaveLength(tries);
  });

  test('is reported after three attempts', async () => {
    const { requests, call } = await startService([400, failed('x#ThrottlingException')]);
    expect(await failureOf(call('A.B', {}))).toMatchObject({ type: 'ThrottlingException' });
    expect(requests).toHaveLength(3);
  });

  test('is an internal error when the service cannot be reached', async () => {
    const { requests, call } = await startService('hang up');
    expect(await failureOf(call('A.B', {}))).toMatchObject({ name: 'GatewayError', kind: 'internal' });
    await sleep(50);
    expect(requests).toHaveLength(3);
  });
});
