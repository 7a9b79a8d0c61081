/** A request while it is served: what is known of it at each step, and what is done when it ends. The steps are in `serve.ts`. */
import type * as z from 'zod/mini';
import { corsHeaders } from '../../core/cors.ts';
import type { Endpoint, RequestEnd } from '../../core/endpoint.ts';
import type { Operation } from '../../core/operations.ts';
import type { FoundApiKey } from '../../core/ports/api-keys.ts';
import type { RequestMeter } from '../../core/ports/metering.ts';
import { authorize } from '../authenticate.ts';
import { type BufferedDeadline, type Deadline, startDeadline } from '../deadline.ts';
import type { ReceivedForm } from '../form/read-form.ts';
import { callerIds } from '../request/caller-ids.ts';
import type { HttpRequest, RequestHost } from '../request/http-request.ts';
import { type RequestLog, startRequestLog } from '../request-log.ts';
import type { HttpAnswer, RespondOptions } from '../respond.ts';
import type { Resumable } from '../resumable.ts';
import type { Outcome } from '../streamed-body.ts';
import type { ServeParts } from './serve-parts.ts';

export interface ServedRequest {
  readonly operation: Operation;
  readonly parts: ServeParts;
  readonly request: HttpRequest;
  readonly host: RequestHost;
  readonly deadline: Deadline;
  readonly requestLog: RequestLog;
  readonly options: RespondOptions;
  meter: RequestMeter;
  /** Absent: it is not known, or none is needed. */
  key?: FoundApiKey;
  /** Its body, if it is a form whose file is stored. */
  form?: ReceivedForm | undefined;
  /** Of an answer that is not streamed. */
  buffered?: BufferedDeadline;
  /** Of a stream that its caller can read on. */
  resumable?: Resumable;
  /** Keeps the answer for a request with the same idempotency key. Absent: none may come. */
  keep?: (answer: HttpAnswer) => Promise<HttpAnswer>;
  /** Work of the operation beside the final record. */
  atEnd?: (end: RequestEnd) => Promise<void>;
  ended?: Outcome;
}

export function startServed(
  operation: Operation,
  parts: ServeParts,
  request: HttpRequest,
  host: RequestHost,
): ServedRequest {
  const { requestId } = host;
  const served: ServedRequest = {
    operation,
    parts,
    request,
    host,
    deadline: startDeadline(host, parts.readOn),
    requestLog: startRequestLog(operation, request, requestId, {
      log: parts.log,
      now: parts.now,
      isTraced: parts.isTraced ?? false,
      measure: parts.measure,
      count: host.count,
      lambdaRequestId: host.lambdaRequestId,
      coldStart: parts.isColdStart?.(),
    }),
    options: {
      requestId,
      errors: operation.errors,
      cors: corsHeaders(parts.corsOrigins ?? [], request.header('origin')),
      ifNoneMatch: request.header('if-none-match'),
      heartbeatMs: parts.heartbeatMs,
      isDisconnected: () => host.interrupt?.hasLeft === true,
      finished: (outcome) => finish(served, outcome),
    },
    meter: unmetered,
  };
  return served;
}

export const isBilled = ({ endpoint, onlyCounts }: Operation): boolean =>
  endpoint !== undefined && !onlyCounts;

/** Whether the whole answer was made, and its caller has stayed. */
export const isComplete = (ended: Outcome | undefined): boolean =>
  ended?.status === 200 && ended.error === undefined;

/** From now on, the request has a caller, whom its log line, its limits and its record name. */
export function identified(served: ServedRequest, key: FoundApiKey): void {
  const { operation, parts, request, host } = served;
  served.key = key;
  served.requestLog.identify(key);
  authorize(key, operation);
  served.meter = parts.openMeter?.(key, host.requestId, callerIds(request).user) ?? unmetered;
}

/** Refuses a request whose limits are used up, as far as that is known. Without `input`, its body is not read yet. */
export function checkLimits<Schema extends z.core.$ZodType, Input>(
  { meter, key }: ServedRequest,
  { mayBeFree }: Endpoint<Schema, Input>,
  mayRead: boolean,
  input?: Input,
): Promise<void> | undefined {
  const isFree = async () => key !== undefined && ((await mayBeFree?.(key, input)) ?? false);
  return meter.check({ mayRead, mayBeFree: isFree });
}

/** Resolves when its record is written, and all that ends with it. */
function finish(served: ServedRequest, outcome: Outcome): Promise<void> {
  const { key, parts, requestLog, deadline } = served;
  served.ended = outcome;
  deadline.clear();
  served.buffered?.clear();
  requestLog.finish(outcome);
  const recorded = served.meter.finish(requestLog.toLedger(outcome));
  const refused = noteRefusal(served, outcome);
  const used = key && parts.noteKeyUse?.(key);
  const stream = served.resumable?.end();
  const work = served.atEnd?.({ isComplete: isComplete(outcome) });
  if (!refused && !used && !stream && !work) return recorded;
  return Promise.all([recorded, refused, used, stream, work]).then(() => {});
}

function noteRefusal({ operation, parts, requestLog }: ServedRequest, outcome: Outcome) {
  const { error } = outcome;
  const refused = error && isBilled(operation) && requestLog.toRefusal(outcome);
  return refused && parts.noteRefusal?.(refused, error);
}

/** For functions that call no provider. */
const unmetered: RequestMeter = {
  check: () => undefined,
  admit: () => undefined,
  headers: () => ({}),
  begin: () => {},
  handOver: async () => undefined,
  finish: async () => {},
};
