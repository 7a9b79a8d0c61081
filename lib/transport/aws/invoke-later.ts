/**
 * Invokes functions of Lambda without waiting for them: Lambda accepts an event, and keeps it until it has invoked the function with it.
 * An event may arrive twice, also because an attempt whose answer was lost is repeated. Source: docs.aws.amazon.com Lambda, API_Invoke.
 */
import type { Sign } from '../../core/ports/aws.ts';
import type { HttpRequest, SendForText } from '../../core/ports/http.ts';
import { attemptCall, awsTimeouts, toAwsError } from './aws-call.ts';

const named = { service: 'lambda', action: 'Invoke' };

interface InvokeLaterOptions {
  readonly sendForText: SendForText;
  readonly sign: Sign;
  readonly region: string;
  /** Of Lambda. */
  readonly endpoint: string;
  /** The name or the ARN of the function, with its alias. */
  readonly functionName: string;
}

/** Rejects if the event was not accepted: with AwsError if Lambda says so. */
type InvokeLater = (event: object) => Promise<void>;

/** The text of an error may quote the event: its code, in a header, says enough. */
const refused = { message: 'Lambda did not accept the event.' };

/** What Lambda answers is empty, or an error. */
const sending = { timeouts: awsTimeouts, maxBytes: 64 * 1024 };

/** Makes up to three attempts for transient errors, as other calls of AWS. */
export function createInvokeLater(options: InvokeLaterOptions): InvokeLater {
  const { sendForText, sign, region, endpoint, functionName } = options;
  const { href: url } = new URL(
    `${endpoint}/2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
  );
  const headers = { 'content-type': 'application/json', 'x-amz-invocation-type': 'Event' };
  const invokeOnce = async (request: HttpRequest) => {
    const signed = await sign(request, { service: 'lambda', region });
    const answer = await sendForText(signed, sending);
    if (answer.status !== 202)
      throw toAwsError(named, answer.status, refused, answer.headers['x-amzn-errortype']);
  };
  return async (event) => {
    const request: HttpRequest = { method: 'POST', url, headers, body: JSON.stringify(event) };
    await attemptCall(named, () => invokeOnce(request));
  };
}
