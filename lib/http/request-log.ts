/**
 * The one log line of a request: who asked, who answered, how it went, how long it took. Never a prompt, an answer, a
 * secret, nor any text from the body: an error is told by its code, not by its message.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { FinishedRequest } from '../core/accounting/ledger.ts';
import type { RequestFacts } from '../core/endpoint.ts';
import type { GatewayError } from '../core/errors.ts';
import type { Usage } from '../core/generation/usage.ts';
import type { Operation } from '../core/operations.ts';
import type { ApiKey, Log } from '../core/ports.ts';
import { header } from './request.ts';
import type { Outcome } from './respond.ts';

export interface RequestLog {
  /** Filled by the operation. */
  readonly facts: RequestFacts;
  identify(key: ApiKey | undefined): void;
  /** The answer is about to leave. */
  firstByte(): void;
  finish(outcome: Outcome): void;
  /** What the ledger holds of it; undefined where no provider was asked, or nobody is to pay. */
  toLedger(outcome: Outcome): FinishedRequest | undefined;
}

/** What is known of a request so far. */
interface Seen {
  readonly requestId: string;
  readonly operation: Operation;
  readonly event: APIGatewayProxyEvent;
  /** Unix milliseconds. */
  readonly started: number;
  readonly facts: RequestFacts;
  who?: ApiKey | undefined;
  firstByteMs?: number;
}

export function startRequestLog(
  operation: Operation,
  event: APIGatewayProxyEvent,
  requestId: string,
  { log, now }: { readonly log: Log; readonly now: () => number },
): RequestLog {
  const seen: Seen = { requestId, operation, event, started: now(), facts: {} };
  const elapsed = () => now() - seen.started;
  return {
    facts: seen.facts,
    identify(key) {
      seen.who = key;
    },
    firstByte() {
      seen.firstByteMs = elapsed();
    },
    toLedger: (outcome) => ledgerEntry(seen, outcome, elapsed()),
    finish(outcome) {
      const { status, error } = outcome;
      const level = status >= 500 || (error && error.status >= 500) ? 'error' : 'info';
      log[level]('request', logFields(seen, outcome, elapsed()));
    },
  };
}

function ledgerEntry(seen: Seen, { status, error }: Outcome, totalMs: number): FinishedRequest | undefined {
  const { requestId, operation, event, started, who, firstByteMs } = seen;
  const { requestedModel, model, provider, region, attempts, finishReasons: _, ...work } = seen.facts;
  if (!who || !model || !provider || !region || !attempts) return undefined;
  return {
    requestId,
    at: started,
    tenant: who.tenant,
    key: who.id,
    ...callersNames(event),
    operation: operation.name,
    requestedModel: requestedModel ?? model,
    model,
    provider,
    region,
    attempts,
    status,
    ...(error && { error: error.code ?? error.kind }),
    streamed: false,
    normalizations: 0,
    ...work,
    ...(firstByteMs !== undefined && { firstByteMs }),
    totalMs,
  };
}

function logFields(seen: Seen, { status, error }: Outcome, totalMs: number): Record<string, unknown> {
  const { usage, finishReasons, model, provider, region, attempts } = seen.facts;
  const { user, session } = callersNames(seen.event);
  return {
    request_id: seen.requestId,
    operation: seen.operation.name,
    status,
    tenant: seen.who?.tenant,
    key_id: seen.who?.id,
    user_id: user,
    session_id: session,
    model,
    attempts,
    provider,
    region,
    finish_reasons: finishReasons,
    ...usageFields(usage),
    first_byte_ms: seen.firstByteMs,
    total_ms: totalMs,
    ...errorFields(error),
  };
}

/** What the caller says of their own users and sessions. */
function callersNames(event: APIGatewayProxyEvent): { readonly user?: string; readonly session?: string } {
  const user = header(event, 'x-gateway-user-id')?.slice(0, 128);
  const session = header(event, 'x-gateway-session-id')?.slice(0, 128);
  return { ...(user && { user }), ...(session && { session }) };
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

function errorFields(error: GatewayError | undefined): Record<string, unknown> {
  if (!error) return {};
  const fields = {
    error: error.kind,
    error_code: error.code,
    upstream_status: error.upstreamStatus,
    cause: systemCode(error.cause),
  };
  return error.kind === 'internal' ? { ...fields, stack: frames(error.cause) } : fields;
}

/** What the system said of a connection, for example `ECONNREFUSED`: a bare code, which tells nothing of the request. */
function systemCode(cause: unknown): string | undefined {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : undefined;
}

/** Where an unforeseen error was thrown; its message is left out, for it may quote the request. */
function frames(cause: unknown): readonly string[] | undefined {
  if (!(cause instanceof Error)) return undefined;
  const lines = (cause.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return [cause.name, ...lines.slice(0, 8).map((line) => line.trim())];
}
