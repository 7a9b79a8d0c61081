/**
 * How answers and errors become HTTP. The head of a stream leaves when its answer has been committed; what goes wrong
 * later is told inside the stream.
 */
import { Readable } from 'node:stream';
import type { Answer } from '../core/endpoint.ts';
import { asGatewayError, type GatewayError } from '../core/errors.ts';
import { writeEvent } from './server-sent-events.ts';
import { streamBody } from './stream-body.ts';

export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | string;
}

/** What the request's log line learns from the way it went out. */
export interface Outcome {
  readonly status: number;
  readonly error?: GatewayError;
}

export type Finished = (outcome: Outcome) => Promise<void>;

export interface RespondOptions {
  readonly requestId: string;
  /** Called once, when the last byte is there or the reader has left; the answer ends when it has resolved. */
  readonly finished: Finished;
  readonly heartbeatMs?: number | undefined;
  /** Whether the caller has left before the answer; where nobody can tell, absent. */
  readonly hasLeft?: () => boolean;
}

const defaultHeartbeatMs = 10_000;

/** What leaves at once, in characters. With a longer text the function would wait for ever for a reader who has left. */
const largestText = 16 * 1024;

const json = { 'content-type': 'application/json' };

/** `methods` are the ones that the path takes, `more` what else the caller is told. */
export async function respondWithError(
  error: GatewayError,
  methods: readonly string[],
  { requestId, finished }: Pick<RespondOptions, 'requestId' | 'finished'>,
  more: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  const headers: Record<string, string> = { ...commonHeaders(requestId), ...json, ...more };
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  if (error.status === 405) headers.allow = methods.join(', ');
  const wait = retryAfterOf(error);
  if (wait !== undefined) headers['retry-after'] = wait;
  await finished({ status: error.status, error });
  return { statusCode: error.status, headers, body: JSON.stringify(error.toBody()) };
}

/** Always told with a 429; with a 503 where it is known. In whole seconds. */
function retryAfterOf({ status, retryAfterMs }: GatewayError): string | undefined {
  if (status !== 429 && (status !== 503 || retryAfterMs === undefined)) return undefined;
  return `${Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1000))}`;
}

export async function respond(answer: Answer, options: RespondOptions): Promise<HttpAnswer> {
  const { requestId, finished, heartbeatMs = defaultHeartbeatMs } = options;
  const headers = { ...commonHeaders(requestId), ...answer.headers };
  if (answer.type === 'json') {
    // Its reader waits for the end in any case, and a text that is whole leaves in one write.
    const text = JSON.stringify(answer.body);
    await finished({ status: options.hasLeft?.() ? 499 : 200 });
    const body = text.length > largestText ? Readable.from(text) : text;
    return { statusCode: 200, headers: { ...headers, ...json }, body };
  }
  if (answer.type === 'large-json') {
    const body = reporting(finished, (once) => Readable.from(finishing(answer.text, once)));
    return { statusCode: 200, headers: { ...headers, ...json }, body };
  }
  const type = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  };
  const body = reporting(finished, (once) => streamBody(streamText(answer, once), heartbeatMs));
  return { statusCode: 200, headers: { ...headers, ...type }, body };
}

/** A body that tells how it ended, once: also where its reader has left before anything of it was read. */
function reporting(finished: Finished, make: (once: Finished) => Readable): Readable {
  let isTold = false;
  const once: Finished = async (outcome) => {
    if (isTold) return;
    isTold = true;
    await finished(outcome);
  };
  const body = make(once);
  body.once('close', () => void once({ status: 499 }));
  return body;
}

/** The pieces, and the news when the last one has gone or the reader has left. */
async function* finishing(text: Iterable<string>, finished: Finished): AsyncGenerator<string> {
  let status = 499;
  try {
    yield* text;
    status = 200;
  } finally {
    await finished({ status });
  }
}

/** Never throws: an error in a response stream would end the whole Lambda environment. */
async function* streamText(answer: Answer & { type: 'stream' }, finished: Finished): AsyncGenerator<string> {
  let outcome: Outcome = { status: 499 };
  try {
    for await (const events of answer.events) yield events.map(writeEvent).join('');
    outcome = { status: 200 };
  } catch (thrown) {
    const error = asGatewayError(thrown);
    // Who has left was not answered, though the head said 200.
    outcome = { status: error.kind === 'client_closed' ? error.status : 200, error };
    for (const event of answer.onError(error)) yield writeEvent(event);
  } finally {
    await finished(outcome);
  }
}

function commonHeaders(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId };
}
