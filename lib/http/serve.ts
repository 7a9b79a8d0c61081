/**
 * The front of every function: one Lambda event in, one HTTP answer out, and one log line when it is over.
 */
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Endpoint } from '../core/endpoint.ts';
import { asGatewayError, GatewayError } from '../core/errors.ts';
import { methodsOf, type Operation } from '../core/operations.ts';
import type { FindApiKey, FoundApiKey, Log, NoteKeyUse, OpenMeter, RequestMeter } from '../core/ports.ts';
import { authenticate, authorize } from './authenticate.ts';
import { startBufferedDeadline } from './buffered-deadline.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { header, type InvocationContext, jsonBody, parameters, requestIdOf } from './request.ts';
import { startRequestLog } from './request-log.ts';
import { type HttpAnswer, type Outcome, respond, respondWithError } from './respond.ts';
import { validate } from './validate.ts';

/** What serving needs of the outer world. */
export interface ServeParts {
  readonly findApiKey: FindApiKey;
  readonly log: Log;
  readonly now: () => number;
  /** Absent for functions that call no provider: nothing is counted there. */
  readonly openMeter?: OpenMeter;
  /** Absent for functions that may only read keys. */
  readonly noteKeyUse?: NoteKeyUse;
  /** Milliseconds of silence after which a stream's reader is sent a comment; 10 s where not set. */
  readonly heartbeatMs?: number | undefined;
}

/** The Lambda handler of an operation. One that is not built yet has no endpoint, and answers so. */
export function serve<Schema extends z.core.$ZodType, Input>(
  operation: Operation,
  endpoint: Endpoint<Schema, Input> | undefined,
  parts: ServeParts,
) {
  return middy<APIGatewayProxyEvent, HttpAnswer, Error, InvocationContext>({
    executionMode: executionModeStreamifyResponse,
  }).handler(async (event, context) => {
    const answer = await handle(operation, endpoint, parts, event, context);
    // Nobody will read it, so that it would never end.
    if (context.signal?.aborted && typeof answer.body !== 'string') answer.body.destroy();
    return answer;
  });
}

/** Never throws: every failure is an answer. */
async function handle<Schema extends z.core.$ZodType, Input>(
  operation: Operation,
  endpoint: Endpoint<Schema, Input> | undefined,
  parts: ServeParts,
  event: APIGatewayProxyEvent,
  context: InvocationContext,
): Promise<HttpAnswer> {
  const requestId = requestIdOf(event, context);
  const deadline = startDeadline(context);
  const requestLog = startRequestLog(operation, event, requestId, parts);
  let meter = unmetered;
  let key: FoundApiKey | undefined;
  let buffered: Deadline | undefined;
  const finished = async (outcome: Outcome) => {
    deadline.clear();
    buffered?.clear();
    requestLog.finish(outcome);
    await Promise.all([meter.settle(requestLog.toLedger(outcome)), key && parts.noteKeyUse?.(key)]);
  };
  try {
    checkMethod(event, operation);
    const identified = operation.authenticated ? authenticate(event, parts.findApiKey) : undefined;
    const readInput = endpoint && readAhead(endpoint, event);
    key = await identified;
    requestLog.identify(key);
    if (!endpoint || !readInput) throw notBuilt(operation);
    if (key) {
      authorize(key, operation);
      meter = parts.openMeter?.(key, requestId) ?? unmetered;
    }
    const input = readInput();
    const limit = endpoint.bufferedLimit?.(input);
    if (limit) buffered = startBufferedDeadline(deadline, limit);
    const { signal, remainingMs } = buffered ?? deadline;
    const sessionId = header(event, 'x-gateway-session-id');
    const known = { ...(key && { key }), ...(sessionId && { sessionId }) };
    const { facts } = requestLog;
    const { admit } = meter;
    const begin = () => meter.begin(requestLog.toLedger({ status: 200 }));
    const call = { input, requestId, signal, remainingMs, facts, admit, begin, ...known };
    const answer = await endpoint.answer(call);
    buffered?.clear();
    requestLog.firstByte();
    const headers = { ...meter.headers(), ...answer.headers };
    const hasLeft = () => context.signal?.aborted === true;
    const options = { requestId, finished, heartbeatMs: parts.heartbeatMs, hasLeft };
    return await respond({ ...answer, headers }, options);
  } catch (thrown) {
    const error = asGatewayError(thrown);
    return await respondWithError(error, methodsOf(operation.path), { requestId, finished }, meter.headers());
  }
}

/** What a function that calls no provider counts. */
const unmetered: RequestMeter = {
  admit: async () => {},
  headers: () => ({}),
  begin: () => {},
  settle: async () => {},
};

function checkMethod(event: APIGatewayProxyEvent, operation: Operation): void {
  if (event.httpMethod === operation.method) return;
  const message = `Method ${event.httpMethod} not allowed; use ${methodsOf(operation.path).join(' or ')}.`;
  throw new GatewayError('method_not_allowed', message);
}

/**
 * Reads the request while it is being found out who sent it. What is wrong with it is thrown when the result is asked for:
 * a stranger is told nothing else than that.
 */
function readAhead<Schema extends z.core.$ZodType, Input>(
  endpoint: Endpoint<Schema, Input>,
  event: APIGatewayProxyEvent,
): () => Input {
  try {
    const given = event.httpMethod === 'POST' ? jsonBody(event) : parameters(event);
    const input = endpoint.read(validate(endpoint.schema, given));
    endpoint.prepare?.(input);
    return () => input;
  } catch (thrown) {
    return () => {
      throw thrown;
    };
  }
}

function notBuilt(operation: Operation): GatewayError {
  return new GatewayError(
    'not_implemented',
    `${operation.path} is not served by this version of the gateway.`,
  );
}
