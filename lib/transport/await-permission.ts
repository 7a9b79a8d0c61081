/**
 * Calls of code that runs right after its role was made. Permissions arrive everywhere only some time after IAM and CloudFormation call
 * them complete, and until then a call is denied, or the credentials are not known. Source: IAM user guide, "Troubleshoot IAM", changes
 * that are not always immediately visible; aws/aws-cdk issue 37675.
 */
import { retry } from '../async/retry.ts';
import { type AwsCall, AwsError } from '../core/ports/aws.ts';

interface Patience {
  /** How long a call is repeated, in milliseconds from now on: all calls together. */
  readonly forMs: number;
  /** As in an error. */
  readonly service: string;
}

/** The longest pause between two attempts: permissions that have arrived are used soon. */
const longestPauseMs = 5_000;
const firstPauseMs = 250;
/** Characters of what AWS answered that go into the error. */
const maxReason = 500;

/**
 * The same call, repeated while it is denied. Then it rejects with an Error that names service, action and reason. A key of the operator
 * that may not be used is a denial of the database: DynamoDB answers AccessDeniedException for it, too.
 */
export function awaitPermission(call: AwsCall, { forMs, service }: Patience): AwsCall {
  const until = performance.now() + forMs;
  return async (action, input, options) => {
    const timeoutMs = Math.max(0, until - performance.now());
    try {
      return await retry(() => call(action, input, options), {
        pausesMs: pausesOf(timeoutMs),
        timeoutMs,
        mayRetry: isDenied,
      });
    } catch (error) {
      throw isDenied(error) ? new Error(reasonOf(error, service, action, forMs), { cause: error }) : error;
    }
  };
}

/** Twice as long each time. They add up to more than the time. */
function pausesOf(timeoutMs: number): readonly number[] {
  const pauses: number[] = [];
  for (let sum = 0, pause = firstPauseMs; sum <= timeoutMs; pause = Math.min(pause * 2, longestPauseMs)) {
    pauses.push(pause);
    sum += pause;
  }
  return pauses;
}

const denials: readonly string[] = ['AccessDeniedException', 'UnrecognizedClientException'];

const isDenied = (error: unknown): error is AwsError =>
  error instanceof AwsError && denials.includes(error.type);

function reasonOf({ type, message }: AwsError, service: string, action: string, forMs: number): string {
  const name = action.slice(action.lastIndexOf('.') + 1);
  return `${service} denied ${name} for ${forMs / 1000} seconds (${type}): ${message.slice(0, maxReason)}`;
}
