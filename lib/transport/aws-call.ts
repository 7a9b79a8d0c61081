/**
 * Calls actions of AWS services that speak JSON over one path. It knows no service; the stores know theirs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '../core/errors.ts';
import {
  type AwsCall,
  AwsError,
  type HttpRequest,
  type Send,
  type Sign,
  type Timeouts,
} from '../core/ports.ts';
import { readBody } from './read-body.ts';

export interface AwsCallOptions {
  readonly send: Send;
  readonly sign: Sign;
  /** As in the signature and the host name, for example `dynamodb`. */
  readonly service: string;
  readonly region: string;
  /** Default `https://<service>.<region>.amazonaws.com`. */
  readonly endpoint?: string;
  readonly jsonVersion: '1.0' | '1.1';
}

type Answer = Readonly<Record<string, unknown>>;

/** These services answer in milliseconds: a call that takes longer than this is lost. */
const timeouts: Timeouts = { connectMs: 1000, firstByteMs: 3000, idleMs: 3000 };
const maxTries = 3;
const firstDelayMs = 25;
const maxAnswerBytes = 20 * 1024 * 1024;

/**
 * A caller of one service. Tries three times in all where another try may help. Rejects with AwsError when the service
 * answers with an error, and with GatewayError `internal` when no usable answer comes.
 */
export function createAwsCall(options: AwsCallOptions): AwsCall {
  return async (action, input, { once = false } = {}) => {
    const request = toRequest(options, action, JSON.stringify(input));
    for (let tries = 1; ; tries += 1) {
      try {
        return await callOnce(options, request);
      } catch (error) {
        const mayRepeat = once ? isThrottled(error) : mayHelpToRetry(error);
        if (tries >= maxTries || !mayRepeat) throw asFailure(error);
      }
      await sleep(Math.random() * firstDelayMs * 2 ** (tries - 1));
    }
  };
}

function toRequest(options: AwsCallOptions, action: string, body: string): HttpRequest {
  const { service, region, jsonVersion } = options;
  const endpoint = options.endpoint ?? `https://${service}.${region}.amazonaws.com`;
  return {
    method: 'POST',
    url: new URL('/', endpoint).href,
    headers: { 'content-type': `application/x-amz-json-${jsonVersion}`, 'x-amz-target': action },
    body,
  };
}

async function callOnce(
  { send, sign, service, region }: AwsCallOptions,
  request: HttpRequest,
): Promise<Answer> {
  const response = await send(await sign(request, { service, region }), { timeouts });
  const body = await readBody(response, maxAnswerBytes);
  const answer = parseAnswer(body);
  if (response.status !== 200) {
    throw toAwsError(response.status, answer ?? {}, response.headers['x-amzn-errortype']);
  }
  if (!answer) throw new GatewayError('upstream_invalid_answer', 'The response is not a JSON object.');
  return answer;
}

function parseAnswer(body: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Answer) : undefined;
  } catch {
    return undefined;
  }
}

function toAwsError(status: number, answer: Answer, typeHeader = ''): AwsError {
  const named = typeof answer.__type === 'string' ? answer.__type : typeHeader;
  const message = answer.message ?? answer.Message;
  return new AwsError(withoutNamespace(named), typeof message === 'string' ? message : '', status);
}

/** `com.amazonaws.service#Type:http://…` is `Type`. */
function withoutNamespace(type: string): string {
  const [name = ''] = type.slice(type.lastIndexOf('#') + 1).split(':');
  return name || 'UnknownError';
}

const isThrottled = (error: unknown) => error instanceof AwsError && error.isThrottling;

function mayHelpToRetry(error: unknown): boolean {
  if (error instanceof AwsError) return error.status >= 500 || isThrottled(error);
  return error instanceof GatewayError && error.kind.startsWith('upstream_');
}

/** To the caller of the gateway, its own services are the gateway. */
function asFailure(error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error;
  return new GatewayError(
    'internal',
    'An AWS service that the gateway depends on did not respond. Try again later.',
    {
      cause: error,
    },
  );
}
