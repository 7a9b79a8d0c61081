/** The worker of a background response is started by an event for its function, which the fake Lambda accepts or refuses. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { failureFields } from '../../lib/core/errors/failure-fields.ts';
import { createFoundation } from '../../lib/runtime/foundation.ts';
import { createInvokeBackground } from '../../lib/runtime/invoke-background.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { account, type FakeAws, operator, startFakeAws } from '../harness/aws/fake-aws.ts';
import { type FakeInvocation, lambda } from '../harness/aws/services/lambda.ts';

const region = 'eu-west-1';
const functionArn = `arn:aws:lambda:${region}:${account}:function:Gateway-Background-1:live`;
const run = { tenant: 'acme', id: 'resp_1' };
const client = createNodeClient();
const accepted: FakeInvocation[] = [];
let aws: FakeAws;

beforeAll(async () => {
  aws = await startFakeAws({ services: [lambda({ limit: 10 }, undefined, accepted)] });
});

afterEach(() => {
  aws.faults.clear();
  aws.forgetCalls();
  accepted.length = 0;
});

afterAll(async () => {
  await Promise.all([aws.close(), client.close()]);
});

function start(functionName: string): Promise<void> {
  const { accessKeyId, secretAccessKey } = operator;
  const foundation = createFoundation(client, {
    AWS_REGION: region,
    AWS_ENDPOINT_URL: aws.url,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  });
  return createInvokeBackground(foundation, functionName)(run);
}

const failureOf = async (started: Promise<void>): Promise<Error> =>
  await started.then(
    () => expect.fail('It was started.'),
    (error: Error) => error,
  );

describe('a worker', () => {
  test('is started by an event that names its response and nothing else', async () => {
    await start(functionArn);
    expect(accepted).toEqual([{ functionArn, event: run }]);
    expect(aws.calls).toMatchObject([
      { region, access: [{ action: 'lambda:InvokeFunction', resource: functionArn }], error: undefined },
    ]);
  });

  test('is found by the name of its function, too', async () => {
    await start('Gateway-Background-1:live');
    expect(accepted).toEqual([{ functionArn, event: run }]);
  });

  test.each(['throttled', 'unavailable', 'disconnected'] as const)(
    'is started by the next attempt where Lambda is %s',
    async (fault) => {
      aws.faults.add('lambda:Invoke', fault, { times: 1 });
      await start(functionArn);
      expect(accepted).toHaveLength(1);
    },
  );

  test.each([
    ['throttled', 3, { code: 'TooManyRequestsException', status: 429 }],
    ['unavailable', 3, { code: 'ServiceException', status: 500 }],
    ['denied', 1, { code: 'AccessDeniedException', status: 403 }],
  ] as const)('is not started where Lambda stays %s, which is an error', async (fault, attempts, answer) => {
    aws.faults.add('lambda:Invoke', fault);
    const error = await failureOf(start(functionArn));
    expect(failureFields(error).aws_error).toEqual({ service: 'lambda', action: 'Invoke', ...answer });
    expect(aws.calls).toHaveLength(attempts);
    expect(accepted).toEqual([]);
  });

  test('is not started where Lambda does not answer, which is a fault of the gateway', async () => {
    aws.faults.add('lambda:Invoke', 'disconnected');
    expect(await failureOf(start(functionArn))).toMatchObject({ kind: 'internal' });
    expect(accepted).toEqual([]);
  });

  test('that is not started has an error with a message of its own', async () => {
    aws.faults.add('lambda:Invoke', 'denied');
    expect((await failureOf(start(functionArn))).message).toBe('Lambda did not accept the event.');
  });
});
