/** The function that creates responses in the background, as Lambda invokes it. */
import type { Context } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import type { RunHost, RunRef, RunResponse } from '../../lib/core/background.ts';
import { AwsError } from '../../lib/core/ports/aws.ts';
import type { DeliverEvent } from '../../lib/core/webhooks/delivery.ts';
import { runHandler } from '../../lib/http/lambda/run-handler.ts';

const event = { tenant: 'acme', id: 'resp_1' };
const invokedFunctionArn = 'arn:aws:lambda:eu-central-1:123456789012:function:background:live';
const awsRequestId = '0a1b2c3d-1111-4222-8333-444455556666';

/** An invocation of a function of 256 MB, and what the log got. */
async function invoke(
  run: RunResponse,
  given: unknown = event,
  deliver: DeliverEvent = async () => expect.fail('It delivers.'),
) {
  const lines: (readonly [string, object])[] = [];
  const log = { warn: (message: string, fields: object) => void lines.push([message, fields]) };
  const context = {
    awsRequestId,
    invokedFunctionArn,
    memoryLimitInMB: '256',
    getRemainingTimeInMillis: () => 890_000,
  };
  const failed = await runHandler({ run, deliver, log })(given, context as unknown as Context).then(
    () => undefined,
    (error: Error) => error,
  );
  return { failed, lines };
}

describe('an event', () => {
  test('runs the response that it names, with the time and the memory of its function', async () => {
    const runs: (readonly [RunRef, RunHost])[] = [];
    const { failed, lines } = await invoke(async (...given) => void runs.push(given));
    const [[named, host] = []] = runs;
    expect(named).toEqual(event);
    expect(host?.requestId.slice(-20)).toBe(awsRequestId.slice(-20));
    expect(host?.lambdaRequestId).toBe(awsRequestId);
    expect(host?.remainingMs()).toBe(890_000);
    expect(host?.memory?.admitAnswer(300 * 1024 * 1024)?.kind).toBe('upstream_invalid_answer');
    expect(host).not.toHaveProperty('interrupt');
    expect([runs.length, failed, lines]).toEqual([1, undefined, []]);
  });

  test('delivers the event for a webhook that it names, for the function that it invoked', async () => {
    const delivered: unknown[] = [];
    const { failed } = await invoke(
      async () => expect.fail('It runs.'),
      { tenant: 'acme', event: 'evt_1' },
      async (ref, { functionArn }) => void delivered.push(ref, functionArn),
    );
    expect(failed).toBeUndefined();
    expect(delivered).toEqual([{ tenant: 'acme', id: 'evt_1' }, invokedFunctionArn]);
  });

  test('whose response could not be begun is sent again, and the log says why without a message of others', async () => {
    const cause = new AwsError('ThrottlingException', 'quotes a request', 400, { service: 'dynamodb' });
    const { failed, lines } = await invoke(async () => {
      throw cause;
    });
    expect(failed).toBe(cause);
    const reason = { service: 'dynamodb', code: 'ThrottlingException', status: 400 };
    expect(lines).toEqual([
      ['background response failed', { reason: 'ThrottlingException', aws_error: reason }],
    ]);
  });

  test.each([null, 'resp_1', {}, { tenant: 'acme' }, { tenant: '', id: 'resp_1' }, { id: 1 }])(
    'such as %j names no response',
    async (given) => {
      const { failed } = await invoke(async () => expect.fail('It runs.'), given);
      expect(failed?.message).toMatch(/^The event must name a response: /);
    },
  );
});
