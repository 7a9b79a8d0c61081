/** Calls actions of AWS services with a JSON protocol over one path. The stores know their service. */
import { retry } from '../../async/retry.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { isShortName } from '../../core/errors/failure-fields.ts';
import { type AwsCall, AwsError, type NamedCall, NoAwsAnswer, type Sign } from '../../core/ports/aws.ts';
import type { SendForText, TextResponse, Timeouts } from '../../core/ports/http.ts';

export interface AwsCallOptions {
  readonly sendForText: SendForText;
  readonly sign: Sign;
  /** As in the signature, for example `dynamodb`. */
  readonly service: string;
  readonly region: string;
  readonly endpoint: string;
  readonly jsonVersion: '1.0' | '1.1';
  /** Default: the timeouts of an AWS service. */
  readonly timeouts?: Timeouts;
}

type ResponseBody = Readonly<Record<string, unknown>>;

/** These services respond in milliseconds: a call that takes longer is lost. */
export const awsTimeouts: Timeouts = { connectMs: 1000, firstByteMs: 3000, idleMs: 3000 };
/** A local database shares the process of the gateway. If that is busy, a call is slow, and a retry makes it busier. */
export const localTimeouts: Timeouts = { connectMs: 10_000, firstByteMs: 10_000, idleMs: 10_000 };
/** The longest pauses between the attempts. */
const pausesMs = [25, 50];
export const maxAwsBody = 20 * 1024 * 1024;

/**
 * Calls one service, with up to three attempts for transient errors. Rejects with AwsError if the service responds with an
 * error, and with GatewayError `internal` if there is no usable response.
 */
export function createAwsCall(options: AwsCallOptions): AwsCall {
  const callOnce = createCallOnce(options);
  return async (action, input, { once = false } = {}) => {
    const body = JSON.stringify(input);
    const named = { service: options.service, action: action.slice(action.lastIndexOf('.') + 1) };
    return await attemptCall(named, () => callOnce(named, action, body), once ? isThrottled : isTransient);
  };
}

/** Up to three attempts of a call of an AWS service. */
export async function attemptCall<Result>(
  named: NamedCall,
  call: () => Promise<Result>,
  mayRetry: (error: unknown) => boolean = isTransient,
): Promise<Result> {
  try {
    return await retry(call, { pausesMs, jitter: true, mayRetry });
  } catch (error) {
    throw asFailure(named, error);
  }
}

function createCallOnce(options: AwsCallOptions) {
  const { sendForText, sign, service, region, endpoint, jsonVersion, timeouts = awsTimeouts } = options;
  const url = new URL(endpoint).href;
  const type = `application/x-amz-json-${jsonVersion}`;
  const scope = { service, region };
  const sending = { timeouts, maxBytes: maxAwsBody };
  return async (named: NamedCall, action: string, body: string): Promise<ResponseBody> => {
    const headers = { 'content-type': type, 'x-amz-target': action };
    const signed = await sign({ method: 'POST', url, headers, body }, scope);
    const { status, headers: given, text } = await sendForText(signed, sending);
    // The answer to most writes.
    if (status === 200 && text === '{}') return nothing;
    const read = parseBody(text);
    if (status !== 200) throw toAwsError(named, status, read ?? {}, given['x-amzn-errortype']);
    if (!read) throw new GatewayError('upstream_invalid_answer', 'The response is not a JSON object.');
    return read;
  };
}

const nothing: ResponseBody = Object.freeze({});

function parseBody(text: string): ResponseBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as ResponseBody) : undefined;
  } catch {
    return undefined;
  }
}

/** The error of a response, whose type its body or its header has. */
export function toAwsError(
  call: NamedCall,
  status: number,
  body: ResponseBody,
  typeHeader: TextResponse['headers'][string],
): AwsError {
  const named = typeof body.__type === 'string' ? body.__type : String(typeHeader ?? '');
  const message = body.message ?? body.Message;
  return new AwsError(withoutNamespace(named), typeof message === 'string' ? message : '', status, call);
}

/** `com.amazonaws.service#Type:http://…` is `Type`. */
function withoutNamespace(type: string): string {
  const [name = ''] = type.slice(type.lastIndexOf('#') + 1).split(':');
  return isShortName(name) ? name : 'UnknownError';
}

const isThrottled = (error: unknown) => error instanceof AwsError && error.isThrottling;

function isTransient(error: unknown): boolean {
  if (error instanceof AwsError) return error.status >= 500 || isThrottled(error);
  return error instanceof GatewayError && error.kind.startsWith('upstream_');
}

/** For a client of the gateway, a failure of its own services is a failure of the gateway. */
function asFailure(named: NamedCall, error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error;
  return new GatewayError(
    'internal',
    'An AWS service that the gateway depends on did not respond. Try again later.',
    { cause: new NoAwsAnswer(named, error) },
  );
}
