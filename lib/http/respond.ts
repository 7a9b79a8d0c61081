/**
 * Turns answers and errors into HTTP responses. The head of a stream is sent after its first meaningful event; a later
 * failure is reported inside the stream.
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

/** How a response ended, for the request's log line. */
export interface Outcome {
  readonly status: number;
  readonly error?: GatewayError;
}

export type Finished = (outcome: Outcome) => Promise<void>;

export interface RespondOptions {
  readonly requestId: string;
  /** As `Operation.errors`. */
  readonly errors?: 'anthropic' | undefined;
  /** Called once, after the last byte or when the client has disconnected. The response ends when it has resolved. */
  readonly finished: Finished;
  readonly heartbeatMs?: number | undefined;
  /** The tags of the versions that the caller has, if given. */
  readonly ifNoneMatch?: string | undefined;
  /** What lets a browser's page read the response. */
  readonly cors?: Readonly<Record<string, string>>;
  /** Whether the client has disconnected before the response; absent where the platform does not report it. */
  readonly isDisconnected?: () => boolean;
}

const defaultHeartbeatMs = 10_000;

/** Longer text is streamed, in characters: sent at once, it would wait indefinitely for a client that has disconnected. */
const maxTextLength = 16 * 1024;

const json = { 'content-type': 'application/json' };

/** `methods` are the methods that the path allows, `more` additional headers. */
export async function respondWithError(
  error: GatewayError,
  methods: readonly string[],
  options: Pick<RespondOptions, 'requestId' | 'errors' | 'cors' | 'finished'>,
  more: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  const headers: Record<string, string> = { ...commonHeaders(options), ...options.cors, ...json, ...more };
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  if (error.status === 405) headers.allow = methods.join(', ');
  // OpenAI's SDKs repeat every 429 but for this header, and Claude Code every 401.
  if (error.isFinal) headers['x-should-retry'] = 'false';
  const wait = retryAfterOf(error);
  if (wait !== undefined) headers['retry-after'] = wait;
  const { status, body } = await written(error, options);
  await options.finished({ status, error });
  return { statusCode: status, headers, body: JSON.stringify(body) };
}

/** Anthropic's form is loaded with the first error of an operation that has it. */
async function written(
  error: GatewayError,
  { requestId, errors }: Pick<RespondOptions, 'requestId' | 'errors'>,
): Promise<{ readonly status: number; readonly body: object }> {
  if (errors === undefined) return { status: error.status, body: error.toBody() };
  const { anthropicStatus, toAnthropicBody } = await import('../core/anthropic-error.ts');
  return { status: anthropicStatus(error), body: toAnthropicBody(error, requestId) };
}

/** In whole seconds: always with a 429, with a 503 if it is known. */
function retryAfterOf({ status, retryAfterMs }: GatewayError): string | undefined {
  if (status !== 429 && (status !== 503 || retryAfterMs === undefined)) return undefined;
  return `${Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1000))}`;
}

export async function respond(answer: Answer, options: RespondOptions): Promise<HttpAnswer> {
  const { finished, heartbeatMs = defaultHeartbeatMs } = options;
  const headers = { ...commonHeaders(options), ...options.cors, ...answer.headers };
  if (answer.type === 'json') return await respondWithText(JSON.stringify(answer.body), headers, options);
  if (answer.type === 'tagged-json') {
    const tagged = { ...headers, etag: answer.tag };
    if (!hasTag(options.ifNoneMatch, answer.tag)) return await respondWithText(answer.text, tagged, options);
    await finished({ status: 304 });
    return { statusCode: 304, headers: tagged, body: '' };
  }
  if (answer.type === 'large-json') {
    const body = reporting(finished, (once) => Readable.from(withReport(answer.text, once)));
    return { statusCode: 200, headers: { ...headers, ...json }, body };
  }
  const type = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  };
  const body = reporting(finished, (once) =>
    streamBody(streamText(answer, once), heartbeatMs, answer.heartbeat),
  );
  return { statusCode: 200, headers: { ...headers, ...type }, body };
}

/** A JSON client waits for the end in any case, and complete text is sent in one write. */
async function respondWithText(
  text: string,
  headers: Readonly<Record<string, string>>,
  { finished, isDisconnected }: RespondOptions,
): Promise<HttpAnswer> {
  await finished({ status: isDisconnected?.() ? 499 : 200 });
  const body = text.length > maxTextLength ? Readable.from(text) : text;
  return { statusCode: 200, headers: { ...headers, ...json }, body };
}

/** Whether `If-None-Match` names a version. Caches on the way may have marked it as weak (RFC 9110, 13.1.2). */
function hasTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(tag) || known.includes('*');
}

/** A body that reports how it ended, once, also when the client disconnects before reading any of it. */
function reporting(finished: Finished, make: (once: Finished) => Readable): Readable {
  let isReported = false;
  const once: Finished = async (outcome) => {
    if (isReported) return;
    isReported = true;
    await finished(outcome);
  };
  const body = make(once);
  body.once('close', () => void once({ status: 499 }));
  return body;
}

/** Passes the text on, and reports when the last piece has been read or the client has disconnected. */
async function* withReport(text: Iterable<string>, finished: Finished): AsyncGenerator<string> {
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
    // A disconnected client got no complete answer, although the head said 200.
    outcome = { status: error.kind === 'client_closed' ? error.status : 200, error };
    for (const event of answer.onError(error)) yield writeEvent(event);
  } finally {
    await finished(outcome);
  }
}

/** Anthropic's SDKs read the id from another header than OpenAI's. */
function commonHeaders({
  requestId,
  errors,
}: Pick<RespondOptions, 'requestId' | 'errors'>): Record<string, string> {
  return { 'x-request-id': requestId, ...(errors === 'anthropic' && { 'request-id': requestId }) };
}
