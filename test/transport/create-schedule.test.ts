/** Schedules that run once, as EventBridge Scheduler takes them. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFoundation } from '../../lib/runtime/foundation.ts';
import { createCreateSchedule } from '../../lib/transport/aws/create-schedule.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { type FakeAws, operator, startFakeAws } from '../harness/aws/fake-aws.ts';
import { type FakeSchedule, scheduler } from '../harness/aws/services/scheduler.ts';

const made: FakeSchedule[] = [];
const client = createNodeClient();
let aws: FakeAws;

beforeAll(async () => {
  aws = await startFakeAws({ services: [scheduler(made, ['Mine'])] });
});
afterAll(async () => {
  await Promise.all([aws.close(), client.close()]);
});
afterEach(() => {
  made.length = 0;
  aws.forgetCalls();
});

const functionArn = 'arn:aws:lambda:eu-central-1:123456789012:function:background:live';
const event = { tenant: 'acme', event: 'evt_1' };
const at = Date.UTC(2126, 0, 31, 23, 59, 58, 1);

function createSchedule(more: { name?: string; at?: number; group?: string } = {}) {
  const { sendForText, sign, endpointOf } = createFoundation(client, {
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL: aws.url,
    AWS_ACCESS_KEY_ID: operator.accessKeyId,
    AWS_SECRET_ACCESS_KEY: operator.secretAccessKey,
  });
  const { group = 'Mine', ...schedule } = more;
  const roleArn = 'arn:aws:iam::123456789012:role/Mine-Schedules';
  const endpoint = endpointOf('scheduler');
  const create = createCreateSchedule({
    sendForText,
    sign,
    region: 'eu-central-1',
    endpoint,
    group,
    roleArn,
  });
  return create({ name: 'evt_1-1', at, functionArn, event, ...schedule });
}

test('a schedule invokes the function once, not before its time, and is deleted then', async () => {
  await createSchedule();
  expect(made).toEqual([{ name: 'evt_1-1', group: 'Mine', at: '2126-01-31T23:59:59', functionArn, event }]);
  expect(aws.calls[0]?.input).toMatchObject({ ActionAfterCompletion: 'DELETE' });
});

test('the same schedule again changes nothing', async () => {
  await createSchedule();
  await createSchedule();
  expect(made).toHaveLength(1);
  expect(aws.calls.map(({ error }) => error)).toEqual([undefined, 'ConflictException']);
});

test('an answer that is lost is asked for again', async () => {
  aws.faults.add('scheduler:CreateSchedule', 'unavailable', { times: 1 });
  await createSchedule();
  expect(made).toHaveLength(1);
});

test.each([
  ['a name that is too long', { name: 'n'.repeat(65) }, 'ValidationException'],
  ['a time in the past', { at: Date.now() - 60_000 }, 'ValidationException'],
  ['a group that does not exist', { group: 'Other' }, 'ResourceNotFoundException'],
])('%s is refused', async (_, more, type) => {
  await expect(createSchedule(more)).rejects.toMatchObject({ type });
});
