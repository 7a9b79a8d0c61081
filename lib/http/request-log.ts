/**
 * The one log line of a request: caller, target, outcome and duration. It never holds a prompt, an answer, a secret or any
 * text of the body: an error is logged by its codes and those of its causes, not by a message, and a model only if the catalog knows it.
 */
import { type FinishedRequest, usageOf } from '../core/accounting/ledger.ts';
import { nowhere } from '../core/accounting/refusal.ts';
import {
  type PlannedTarget,
  type ReplayedAnswer,
  type RequestFacts,
  unknownModel,
} from '../core/endpoint.ts';
import type { GatewayError } from '../core/errors/errors.ts';
import { awsFieldsOf, systemCodeOf, upstreamCodeOf } from '../core/errors/failure-fields.ts';
import { framesOf } from '../core/errors/stack-frames.ts';
import type { Usage } from '../core/generation/usage.ts';
import { timeOfRequest } from '../core/names/request-id.ts';
import type { Operation } from '../core/operations.ts';
import type { ApiKey } from '../core/ports/api-keys.ts';
import type { Log } from '../core/ports/log.ts';
import type { MeasuredRequest, MeasureRequest } from '../core/ports/request-metrics.ts';
import { ownTrace, parentHeader, readTrace, type TraceContext } from '../core/trace-context.ts';
import { type CallerIds, callerIds } from './request/caller-ids.ts';
import type { HttpRequest } from './request/http-request.ts';
import type { Outcome } from './streamed-body.ts';

export interface RequestLog {
  /** Filled by the operation. */
  readonly facts: RequestFacts;
  /** Undefined where no spans are made of requests. */
  readonly trace: TraceContext | undefined;
  identify(key: ApiKey | undefined): void;
  /** The response is about to be sent. */
  firstByte(): void;
  finish(outcome: Outcome): void;
  /** The same of a request that was refused, so that its caller can find it; undefined if there is one in the ledger, or it has no key. */
  toRefusal(outcome: Outcome): FinishedRequest | undefined;
  /** The request's entry in the ledger; undefined if no provider was called, and none is `planned`, or there is no key to bill. */
  toLedger(outcome: Outcome, planned?: PlannedTarget): FinishedRequest | undefined;
}

/** Of a function in Lambda. */
interface Invocation {
  /** As in the lines that Lambda writes itself. */
  readonly lambdaRequestId?: string | undefined;
  /** Whether a new environment was started for the request. */
  readonly coldStart?: boolean | undefined;
}

/** What is known of a request so far. */
interface KnownRequest {
  readonly requestId: string;
  readonly invocation: Invocation;
  readonly operation: Operation;
  readonly caller: CallerIds;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly facts: RequestFacts;
  readonly trace: TraceContext | undefined;
  key?: ApiKey | undefined;
  firstByteMs?: number;
}

interface RequestLogParts extends Invocation {
  readonly log: Log;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Whether spans are made of requests. */
  readonly isTraced?: boolean;
  /** Absent where the line has no metrics. */
  readonly measure?: MeasureRequest | undefined;
  /** Absent where the process counts no requests. */
  readonly count?: ((request: MeasuredRequest) => void) | undefined;
}

export function startRequestLog(
  operation: Operation,
  request: HttpRequest,
  requestId: string,
  { log, now, isTraced = false, measure, count, lambdaRequestId, coldStart }: RequestLogParts,
): RequestLog {
  const known: KnownRequest = {
    requestId,
    invocation: { lambdaRequestId, coldStart },
    operation,
    caller: callerIds(request),
    startedAt: timeOfRequest(requestId) ?? now(),
    facts: { attempts: [] },
    trace: isTraced ? traceOf(request, requestId) : undefined,
  };
  const elapsed = () => now() - known.startedAt;
  return {
    facts: known.facts,
    trace: known.trace,
    identify(key) {
      known.key = key;
    },
    firstByte() {
      known.firstByteMs = elapsed();
    },
    toRefusal(outcome) {
      const { status, error } = outcome;
      if (!error || status < 400 || status >= 499 || ledgerEntry(known, outcome, { totalMs: 0 }))
        return undefined;
      const planned = { ...nowhere, model: known.facts.model ?? unknownModel };
      return ledgerEntry(known, outcome, { totalMs: elapsed(), planned });
    },
    toLedger: (outcome, planned) => ledgerEntry(known, outcome, { totalMs: elapsed(), planned }),
    finish(outcome) {
      const { status, error } = outcome;
      const level = status >= 500 || (error && error.status >= 500) ? 'error' : 'info';
      const totalMs = elapsed();
      const measured: MeasuredRequest = {
        operation: operation.name,
        endedAt: known.startedAt + totalMs,
        isFailed: level === 'error',
        error: error?.kind,
        attempts: known.facts.attempts,
        guard: known.facts.guard,
        streamed: known.facts.streamed ?? false,
        firstByteMs: known.firstByteMs,
        totalMs,
      };
      count?.(measured);
      log[level]('request', { ...logFields(known, outcome, totalMs), ...measure?.(measured) });
    },
  };
}

type Entry = { -readonly [Name in keyof FinishedRequest]: FinishedRequest[Name] };

function ledgerEntry(
  known: KnownRequest,
  { status, error }: Outcome,
  { totalMs, planned }: { readonly totalMs: number; readonly planned?: PlannedTarget | undefined },
): FinishedRequest | undefined {
  const { requestId, operation, caller, startedAt, key, firstByteMs } = known;
  const {
    requestedModel,
    attempts,
    streamed = false,
    normalizations = 0,
    tags,
    response,
    guard,
    cached,
  } = known.facts;
  const last = attempts.at(-1);
  const target = last ?? planned ?? cached?.target ?? noTarget(known.facts);
  if (!key || !target) return undefined;
  const { model, provider, region } = target;
  // The open record asks too, while the last attempt runs: its end is that of the request.
  const ended = last && { ...last, endedAt: last.endedAt ?? startedAt + totalMs };
  const entry: Entry = {
    requestId,
    at: startedAt,
    tenant: key.tenant,
    key: key.id,
    operation: operation.name,
    requestedModel: model === unknownModel ? model : (requestedModel ?? model),
    model,
    provider,
    region,
    attempts: ended ? attempts.with(-1, ended) : [],
    status,
    streamed,
    normalizations,
    totalMs,
  };
  if (caller.user !== undefined) entry.user = caller.user;
  if (caller.session !== undefined) entry.session = caller.session;
  if (error) entry.error = error.code ?? error.kind;
  if (tags) entry.tags = tags;
  if (response !== undefined) entry.response = response;
  if (guard) entry.guard = guard;
  if (cached) entry.replayed = replayedOf(cached);
  if (firstByteMs !== undefined) entry.firstByteMs = firstByteMs;
  return known.trace ? { ...entry, ...spanFacts(known.trace, known.facts) } : entry;
}

/** Of a request that reached no provider: it is on record if a rule has blocked it, or its detectors cost something. */
function noTarget({ guard = [], model = unknownModel }: RequestFacts): PlannedTarget | undefined {
  const isKept = guard.some(({ action, cost }) => action === 'block' || cost !== 0);
  return isKept ? { ...nowhere, model } : undefined;
}

const replayedOf = ({ target: _, ...replayed }: ReplayedAnswer) => replayed;

/** Finish reasons of a record: a request can ask for more choices. */
const maxFinishReasons = 16;

/** What the spans of a request need beside what is recorded anyway. */
function spanFacts(
  trace: TraceContext,
  { finishReasons }: RequestFacts,
): Pick<FinishedRequest, 'finishReasons' | 'trace' | 'traceState'> {
  const { parentId, state } = trace;
  return {
    ...(finishReasons && { finishReasons: finishReasons.slice(0, maxFinishReasons) }),
    ...(parentId !== undefined && { trace: parentHeader(trace, parentId) }),
    ...(state !== undefined && { traceState: state }),
  };
}

const traceOf = (request: HttpRequest, requestId: string): TraceContext =>
  readTrace(request.headerValues('traceparent'), request.headerValues('tracestate')) ?? ownTrace(requestId);

/** Rules whose detector did not answer, by policy. */
function failedGuards({ guard }: RequestFacts): string | undefined {
  if (!guard) return undefined;
  const failed = guard.filter(({ action }) => action === 'failed');
  return failed.map(({ policy, rule }) => `${policy}/${rule}`).join(' ') || undefined;
}

function logFields(
  known: KnownRequest,
  { status, error }: Outcome,
  totalMs: number,
): Record<string, unknown> {
  const { finishReasons, model, attempts } = known.facts;
  const last = attempts.at(-1);
  const { user, session } = known.caller;
  return {
    request_id: known.requestId,
    lambda_request_id: known.invocation.lambdaRequestId,
    cold_start: known.invocation.coldStart || undefined,
    operation: known.operation.name,
    status,
    tenant: known.key?.tenant,
    key_id: known.key?.id,
    user_id: user,
    session_id: session,
    model,
    attempts: attempts.length || undefined,
    provider: last?.provider,
    region: last?.region,
    finish_reasons: finishReasons,
    streamed: known.facts.streamed || undefined,
    replayed: known.facts.replayed,
    failed_guards: failedGuards(known.facts),
    dry_run: known.facts.dryRun,
    guard: guardFields(known.facts),
    cached: known.facts.cached?.of,
    first_byte_ms: known.firstByteMs,
    total_ms: totalMs,
    ...usageFields(usageOf(known.facts)),
    ...errorFields(error),
  };
}

/** What found something, or failed: never what was found. */
function guardFields({ guard }: RequestFacts): readonly string[] | undefined {
  if (!guard) return undefined;
  const shown = guard.filter(({ action }) => action !== 'pass');
  if (shown.length === 0) return undefined;
  return shown.map(({ policy, rule, phase, action }) => `${action} ${policy}/${rule} ${phase}`);
}

function usageFields(usage: Usage | undefined): Record<string, number> {
  if (!usage) return {};
  return {
    prompt_tokens: usage.promptTokens,
    cached_tokens: usage.cachedTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    completion_tokens: usage.completionTokens,
    reasoning_tokens: usage.reasoningTokens,
  };
}

export function errorFields(error: GatewayError | undefined): Record<string, unknown> {
  if (!error) return {};
  const fields = {
    error: error.kind,
    error_code: error.code,
    upstream_status: error.upstreamStatus,
    upstream_code: upstreamCodeOf(error),
    aws_error: awsFieldsOf(error.cause),
    cause: systemCodeOf(error.cause),
  };
  return error.kind === 'internal' ? { ...fields, stack: frames(error.cause) } : fields;
}

/** Where an unexpected error was thrown. */
const frames = (cause: unknown): readonly string[] | undefined =>
  cause instanceof Error ? [cause.name, ...framesOf(cause).slice(0, 8)] : undefined;
