/** The handler of every operation: one request in, one HTTP response out, and one log line when it is over. */
import type * as z from 'zod/mini';
import type { Endpoint } from '../core/endpoint.ts';
import type { Operation } from '../core/operations.ts';
import { authenticate } from './authenticate.ts';
import { startBufferedDeadline } from './deadline.ts';
import { startEarlyHead } from './early-head.ts';
import type { Handler, HttpRequest, RequestHost } from './request/http-request.ts';
import { readAhead } from './request/read-input.ts';
import { isMethodOf, methodNotAllowed } from './request/request.ts';
import { readTags } from './request/tags.ts';
import { defaultHeartbeatMs, type HttpAnswer, respond } from './respond.ts';
import { callOf } from './served/call.ts';
import { allowedMethods, fail } from './served/fail.ts';
import { isLarge, readLate } from './served/read-body.ts';
import type { ServeParts } from './served/serve-parts.ts';
import { checkLimits, identified, isBilled, startServed } from './served/served-request.ts';

/** The handler of an operation. */
export const serve =
  <Schema extends z.core.$ZodType, Input>(
    operation: Operation,
    endpoint: Endpoint<Schema, Input>,
    parts: ServeParts,
  ): Handler =>
  (request, host) => {
    const answering = handle(operation, endpoint, parts, request, host);
    return request.method === 'HEAD' ? withoutBody(answering) : answering;
  };

/** A body is seldom left out. */
async function withoutBody(answering: Promise<HttpAnswer>): Promise<HttpAnswer> {
  return (await import('./served/without-body.ts')).withoutBody(await answering);
}

/** Never throws: every failure becomes a response. */
async function handle<Schema extends z.core.$ZodType, Input>(
  operation: Operation,
  endpoint: Endpoint<Schema, Input>,
  parts: ServeParts,
  request: HttpRequest,
  host: RequestHost,
): Promise<HttpAnswer> {
  const { claimAnswer, createStream, heartbeatMs = defaultHeartbeatMs } = parts;
  const served = startServed(operation, parts, request, host);
  const { deadline, requestLog } = served;
  try {
    if (!isMethodOf(request, operation)) throw methodNotAllowed(request, await allowedMethods(operation));
    const needsKey = operation.authenticated || endpoint.needsKey?.(request.query);
    const identifying = needsKey
      ? (parts.identify?.() ?? authenticate(request, parts.findApiKey))
      : undefined;
    // An unauthenticated caller gets a 401 and nothing else; so an error in the request is thrown only when the result is used.
    const isLate = isLarge(served, endpoint);
    const isKept = isBilled(operation) || operation.keepsAnswers;
    const idempotencyKey = isKept ? request.header('idempotency-key') : undefined;
    // It is gone once it is read; a large one is read later, and not held beside what is read from it.
    const earlyBody = isLate || idempotencyKey === undefined ? undefined : request.body;
    const readEarly = isLate || endpoint.form ? undefined : readAhead(endpoint, request);
    if (identifying) identified(served, await identifying);
    const { key, meter } = served;
    if (key && claimAnswer && idempotencyKey !== undefined) {
      const { claimServed } = await import('./served/keep-answer.ts');
      const body = earlyBody ?? request.body;
      const repeated = await claimServed(served, endpoint, { key, claimAnswer, idempotencyKey, body });
      if (repeated) return repeated;
    }
    const tags = readTags(request);
    if (tags) requestLog.facts.tags = tags;
    if (isLate) await checkLimits(served, endpoint, true);
    const input = readEarly ? readEarly() : await readLate(served, endpoint);
    if (key && createStream && endpoint.isResumable?.(input)) {
      const { keepStream } = await import('./served/keep-stream.ts');
      keepStream(served, key, createStream);
    }
    const checking = checkLimits(served, endpoint, endpoint.isCostly?.(input) ?? false, input);
    if (checking) await checking;
    const limit = endpoint.bufferedLimit?.(input);
    if (limit) served.buffered = startBufferedDeadline(deadline, limit);
    const frame = limit ? undefined : endpoint.earlyFrame?.(host.requestId);
    const early = frame && startEarlyHead(frame, heartbeatMs, deadline.signal);
    const answering = endpoint.answer(callOf(served, input, early));
    if (early) answering.then(requestLog.firstByte, () => {});
    const made = await (early ? early.sendFor(answering) : answering);
    if (!early) requestLog.firstByte();
    const { buffered, keep, resumable } = served;
    const answer = resumable && made.type === 'stream' ? await resumable.keep(made) : made;
    buffered?.clear();
    const response = await respond(answer, served.options, meter.headers(operation.errors));
    const answered = resumable?.outlive(response) ?? response;
    return keep ? await keep(answered) : answered;
  } catch (thrown) {
    return await fail(served, thrown);
  }
}
