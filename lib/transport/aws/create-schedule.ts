/**
 * Makes schedules of EventBridge Scheduler that invoke a function once, and are deleted then. Nothing is polled, and nothing costs
 * until then. Source: docs.aws.amazon.com scheduler, API_CreateSchedule, and the guide's "Schedule types" and "Deleting a schedule".
 */
import { AwsError, type Sign } from '../../core/ports/aws.ts';
import type { HttpRequest, SendForText } from '../../core/ports/http.ts';
import { attemptCall, awsTimeouts, toAwsError } from './aws-call.ts';

const named = { service: 'scheduler', action: 'CreateSchedule' };

interface CreateScheduleOptions {
  readonly sendForText: SendForText;
  readonly sign: Sign;
  readonly region: string;
  /** Of EventBridge Scheduler. */
  readonly endpoint: string;
  /** The name of the group of the schedules. */
  readonly group: string;
  /** The ARN of the role by which EventBridge Scheduler invokes the function. */
  readonly roleArn: string;
}

interface Schedule {
  /** At most 64 letters, digits and `-_`; another call with the same name changes nothing. */
  readonly name: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** The ARN of the function, with its alias. */
  readonly functionArn: string;
  readonly event: object;
}

type CreateSchedule = (schedule: Schedule) => Promise<void>;

/** Errors may quote the event: their codes, in a header, say enough. */
const refused = { message: 'EventBridge Scheduler did not take the schedule.' };

const sending = { timeouts: awsTimeouts, maxBytes: 64 * 1024 };

/** Makes up to three attempts for transient errors, as other calls of AWS. Rejects with AwsError if it is refused. */
export function createCreateSchedule(options: CreateScheduleOptions): CreateSchedule {
  const { sendForText, sign, region, endpoint, group, roleArn } = options;
  const createOnce = async (request: HttpRequest) => {
    const signed = await sign(request, { service: 'scheduler', region });
    const { status, headers } = await sendForText(signed, sending);
    if (status !== 200) throw toAwsError(named, status, refused, headers['x-amzn-errortype']);
  };
  return async ({ name, at, functionArn, event }) => {
    const body = JSON.stringify({
      ActionAfterCompletion: 'DELETE',
      ClientToken: name,
      FlexibleTimeWindow: { Mode: 'OFF' },
      GroupName: group,
      ScheduleExpression: `at(${new Date(Math.ceil(at / 1000) * 1000).toISOString().slice(0, 19)})`,
      Target: { Arn: functionArn, Input: JSON.stringify(event), RoleArn: roleArn },
    });
    const { href: url } = new URL(`${endpoint}/schedules/${name}`);
    const headers = { 'content-type': 'application/json' };
    try {
      await attemptCall(named, () => createOnce({ method: 'POST', url, headers, body }));
    } catch (thrown) {
      if (!isThere(thrown)) throw thrown;
    }
  };
}

const isThere = (thrown: unknown): boolean =>
  thrown instanceof AwsError && thrown.type === 'ConflictException';
