/** The spans of a request: one for itself, which is the child of the caller's, and one for each attempt. Pure. */
import type { LedgerRecord } from '../core/accounting/ledger.ts';
import { operationNamed } from '../core/operations.ts';
import { ownTrace, readTrace, spanIdOf, type TraceContext } from '../core/trace-context.ts';
import {
  type Attempted,
  attemptAttributes,
  attributesOf,
  operationOf,
  requestAttributes,
} from './attributes.ts';
import { failedStatus, nanoseconds, type Span, spanKinds } from './otlp.ts';

/** The trace of the record's request. */
export function traceOf({ requestId, trace, traceState }: LedgerRecord): TraceContext {
  const parents = trace === undefined ? [] : [trace];
  return readTrace(parents, traceState === undefined ? [] : [traceState]) ?? ownTrace(requestId);
}

/** The request first, then its attempts in order. The same record gives the same spans. */
export function spansOf(record: LedgerRecord): readonly Span[] {
  const trace = traceOf(record);
  const attempts = record.attempts.map((attempt, index) => ({ record, attempt, number: index + 1 }));
  return [requestSpan(record, trace), ...attempts.map((attempted) => attemptSpan(attempted, trace))];
}

function requestSpan(record: LedgerRecord, trace: TraceContext): Span {
  const { requestId, operation, at, totalMs } = record;
  const { method, path } = operationNamed(operation);
  const { parentId } = trace;
  return {
    ...inTrace(trace),
    spanId: spanIdOf(requestId, 0),
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name: `${method} ${path}`,
    kind: spanKinds.server,
    startTimeUnixNano: nanoseconds(at),
    endTimeUnixNano: nanoseconds(at + totalMs),
    attributes: attributesOf(requestAttributes, record),
    status: isFailed(record) ? { code: failedStatus } : {},
  };
}

function attemptSpan(attempted: Attempted, trace: TraceContext): Span {
  const { record, attempt, number } = attempted;
  const { requestId, operation } = record;
  const { at, endedAt = at } = attempt;
  return {
    ...inTrace(trace),
    spanId: spanIdOf(requestId, number),
    parentSpanId: spanIdOf(requestId, 0),
    name: `${operationOf(operation)} ${attempt.model}`,
    kind: spanKinds.client,
    startTimeUnixNano: nanoseconds(at),
    endTimeUnixNano: nanoseconds(Math.max(at, endedAt)),
    attributes: attributesOf(attemptAttributes, attempted),
    status: attempt.error === undefined ? {} : { code: failedStatus },
  };
}

const inTrace = ({ traceId, flags, state }: TraceContext) => ({
  traceId,
  flags,
  ...(state !== undefined && { traceState: state }),
});

/**
 * What is the client's fault is no failure of a server. A stream that fails late has the status that it began with.
 * Source: open-telemetry/semantic-conventions, docs/http/http-spans.md, "Status".
 */
const isFailed = ({ status, error }: LedgerRecord): boolean =>
  status >= 500 || (error !== undefined && status < 400);
