/**
 * Turns answers and errors into HTTP responses. The head of a stream is sent after its first meaningful event; a later
 * failure is reported inside the stream.
 */
import type { Answer } from '../core/endpoint.ts';
import type { GatewayError } from '../core/errors/errors.ts';
import type { ErrorForm } from '../core/operations.ts';
import { type Finished, type StreamedBody, streamedBody, writeBatch, writeEvents } from './streamed-body.ts';

export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that come more than once. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly body: StreamedBody | string;
}

export interface RespondOptions {
  readonly requestId: string;
  /** As `Operation.errors`. */
  readonly errors?: ErrorForm | undefined;
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

export const defaultHeartbeatMs = 10_000;

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
  if (errors !== 'anthropic') {
    const body = error.toBody();
    // Cohere's clients show it.
    return { status: error.status, body: errors === 'cohere' ? { message: error.message, ...body } : body };
  }
  const { anthropicStatus, toAnthropicBody } = await import('../core/errors/anthropic-error.ts');
  return { status: anthropicStatus(error), body: toAnthropicBody(error, requestId) };
}

/** In whole seconds: always with a 429, with a 409 or 503 if it is known. */
function retryAfterOf({ status, retryAfterMs }: GatewayError): string | undefined {
  if (status !== 429 && ((status !== 409 && status !== 503) || retryAfterMs === undefined)) return undefined;
  return `${Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1000))}`;
}

/** `more`: headers that the answer's own come before. */
export async function respond(
  answer: Answer,
  options: RespondOptions,
  more?: Readonly<Record<string, string>>,
): Promise<HttpAnswer> {
  const { finished, heartbeatMs = defaultHeartbeatMs } = options;
  const vary = [options.cors?.vary, answer.headers?.vary].filter((name) => name !== undefined).join(', ');
  const headers = {
    ...commonHeaders(options),
    ...options.cors,
    ...more,
    ...answer.headers,
    ...(vary !== '' && { vary }),
  };
  if (answer.type === 'json') return await respondWithText(JSON.stringify(answer.body), headers, options);
  if (answer.type === 'tagged-json') {
    const tagged = { ...headers, etag: answer.tag };
    if (!hasTag(options.ifNoneMatch, answer.tag)) return await respondWithText(answer.text, tagged, options);
    await finished({ status: 304 });
    return { statusCode: 304, headers: tagged, body: '' };
  }
  if (answer.type === 'large-json') {
    const body = streamedBody({ items: asyncItems(answer.text), write: (text) => text, finished });
    return { statusCode: 200, headers: { ...headers, ...json }, body };
  }
  if (answer.type === 'bytes') {
    const { status = 200, contentType, length, bytes: items } = answer;
    const size = length !== undefined && { 'content-length': `${length}` };
    const body = streamedBody({ items, write: (bytes) => bytes, status, finished });
    return { statusCode: status, headers: { ...headers, 'content-type': contentType, ...size }, body };
  }
  const type = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  };
  const body = streamedBody({
    items: answer.events,
    write: writeBatch,
    writeError: (error) => writeEvents(answer.onError(error)),
    heartbeat: { periodMs: heartbeatMs, event: answer.heartbeat },
    finished,
  });
  return { statusCode: 200, headers: { ...headers, ...type }, body };
}

/** A JSON client waits for the end in any case, and complete text is sent in one write. */
async function respondWithText(
  text: string,
  headers: Readonly<Record<string, string>>,
  { finished, isDisconnected }: RespondOptions,
): Promise<HttpAnswer> {
  await finished({ status: isDisconnected?.() ? 499 : 200 });
  return { statusCode: 200, headers: { ...headers, ...json }, body: text };
}

/** Whether `If-None-Match` names a version. Caches on the way may have marked it as weak (RFC 9110, 13.1.2). */
export function hasTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(tag) || known.includes('*');
}

async function* asyncItems(text: Iterable<string>): AsyncGenerator<string> {
  yield* text;
}

/** Anthropic's SDKs read the id from another header than OpenAI's. */
export function commonHeaders({
  requestId,
  errors,
}: Pick<RespondOptions, 'requestId' | 'errors'>): Record<string, string> {
  return { 'x-request-id': requestId, ...(errors === 'anthropic' && { 'request-id': requestId }) };
}
