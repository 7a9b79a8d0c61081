/**
 * Handles a request as API Gateway does: the same routes, limits and errors. Everything else is passed to the function. What
 * fails in here, or in the function, is the failure of this request only.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { corsHeaders, preflightHeaders } from '../../lib/core/cors.ts';
import { framesOf } from '../../lib/core/errors/stack-frames.ts';
import { type FindRoute, meantPath } from '../../lib/core/find-route.ts';
import type { Interrupt } from '../../lib/core/interrupt.ts';
import type { Log } from '../../lib/core/ports/log.ts';
import type { RequestMemory } from '../../lib/core/ports/memory.ts';
import { isForOtherPages, type RoutedOperation } from '../../lib/core/routes.ts';
import type { HttpRequest } from '../../lib/http/request/http-request.ts';
import type { IsOwn } from '../addresses.ts';
import type { RequestCounts } from '../metrics/request-counts.ts';
import { arrivingBody } from './arriving-body.ts';
import { headersFit, type ServerLimits } from './limits.ts';
import { type IsFromOrigin, originHeader } from './origin-secret.ts';
import { type OwnHeaders, ownHeaders, sendMisdirected, sendNotFound, sendOwnAnswer } from './own-answers.ts';
import { receivedRequest } from './received-request.ts';
import { clientAddress, hostOf, type Target } from './request-target.ts';
import type { ResponseStream } from './response-stream.ts';
import { admitBody, type Share, takeBody } from './take-body.ts';

/** One call of a function. */
export interface Invocation {
  readonly operation: RoutedOperation;
  readonly request: HttpRequest;
  readonly requestId: string;
  readonly interrupt: Interrupt;
  /** What the request takes of what all have. */
  readonly memory?: RequestMemory;
  /** The response to write to. */
  readonly response: ResponseStream;
}

/** Runs a function. Rejects if it fails, before or during its answer. */
export type Invoke = (invocation: Invocation) => Promise<void>;

/** A function did not end within the time limit of its operation. */
export class FunctionTimeout extends Error {}

export interface Handling {
  readonly operations: readonly RoutedOperation[];
  readonly invoke: Invoke;
  readonly findRoute: FindRoute;
  /** Absent: every Host header is answered. */
  readonly isOwn: IsOwn | undefined;
  /** Absent: every request is answered. */
  readonly isFromOrigin: IsFromOrigin | undefined;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: number;
  readonly limits: Pick<ServerLimits, 'maxRequestMs' | 'maxUnreadMs'>;
  readonly counts: RequestCounts;
  readonly log: Pick<Log, 'info' | 'error'>;
}

/** One request. */
interface Exchange {
  readonly request: IncomingMessage;
  /** Undefined: it is no URL. */
  readonly url: Target | undefined;
  readonly response: ResponseStream;
  readonly requestId: string;
  readonly share: Share;
  readonly interrupt: Interrupt;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** The one that its function serves, once that runs. */
  operation?: string;
}

/** Never rejects. */
export async function handleRequest(exchange: Exchange, parts: Handling): Promise<void> {
  const { response, requestId } = exchange;
  const common = ownHeaders(requestId, parts.corsOrigins.length > 0);
  response.once('close', () => {
    parts.counts.respond(response.writableFinished ? response.statusCode : 499, exchange.operation);
  });
  const note = (type: string) => logOwnAnswer(exchange, parts, type);
  try {
    const refusal = await route(exchange, parts, common);
    if (refusal !== undefined) note(refusal);
  } catch (thrown) {
    if (response.destroyed) return;
    parts.log.error('function failed', { request_id: requestId, stack: stackOf(thrown) });
    if (response.headersSent) return closeAfterWritten(response);
    const type = thrown instanceof FunctionTimeout ? 'INTEGRATION_TIMEOUT' : 'INTEGRATION_FAILURE';
    sendOwnAnswer(response, type, common);
    note(type);
  }
}

/** Sends what was written of the answer, then closes the connection. */
function closeAfterWritten(response: ServerResponse): void {
  while (response.socket?.writableCorked) response.socket.uncork();
  response.destroy();
}

/** The name of an error and where it was thrown. */
export const stackOf = (thrown: unknown): readonly string[] => [
  thrown instanceof Error ? thrown.name : typeof thrown,
  ...framesOf(thrown),
];

/** The line of a request that no function has answered, with the names of the functions' own lines and of API Gateway's. */
function logOwnAnswer(exchange: Exchange, { log, trustedProxies, counts }: Handling, type: string): void {
  const { request, response, requestId, startedAt } = exchange;
  const { statusCode: status } = response;
  counts.refuse(type);
  log[status >= 500 ? 'error' : 'info']('request', {
    request_id: requestId,
    method: request.method,
    status,
    source_ip: clientAddress(request, trustedProxies),
    gateway_response: type,
    total_ms: Date.now() - startedAt,
  });
}

/** Returns the type of the server's own answer, if it was one. */
async function route(exchange: Exchange, parts: Handling, common: OwnHeaders): Promise<string | undefined> {
  const { request, url, response, share, requestId, interrupt } = exchange;
  const { operations, findRoute, isOwn, isFromOrigin, invoke, corsOrigins, trustedProxies, counts } = parts;
  const refuse = (type: string, status?: number) => {
    sendOwnAnswer(response, type, common, status);
    return type;
  };
  if (isFromOrigin && !isFromOrigin(request.headers[originHeader])) {
    // Unauthenticated callers could fill the log. The body is not read.
    response.shouldKeepAlive = false;
    counts.refuse(refuse('ACCESS_DENIED'));
    return undefined;
  }
  if (isOwn && !isOwn(hostOf(request))) return sendMisdirected(response, common);
  if (!headersFit(request)) return refuse('DEFAULT_4XX', 431);
  const found = url && findRoute(request.method, url.pathname);
  if (!found) {
    const { method = 'GET' } = request;
    const path = url?.pathname ?? '/';
    return sendNotFound(response, common, { method, path, meant: meantPath(operations, path) });
  }
  if (request.method === 'OPTIONS' && corsOrigins.length > 0 && isForOtherPages(found.operation)) {
    response
      .writeHead(204, { ...corsHeaders(corsOrigins, request.headers.origin), ...preflightHeaders })
      .end();
    return undefined;
  }
  // The request has the body as a text: its bytes are not held beside it while the function runs.
  const takeRequest = async () => {
    const sourceIp = clientAddress(request, trustedProxies);
    if (found.operation.takesFile && request.method === found.operation.method) {
      const refusal = admitBody(request, response, common, share);
      response.mayBeEarly = true;
      const arriving = arrivingBody(request, parts.limits.maxUnreadMs);
      return refusal ?? receivedRequest({ request, url, route: found, arriving, sourceIp });
    }
    const body = await takeBody(request, response, common, {
      ...share,
      interrupt,
      maxFormBytes: found.operation.maxFormBytes,
      maxMs: parts.limits.maxRequestMs,
    });
    if (typeof body === 'string') return body;
    return receivedRequest({ request, url, route: found, body, sourceIp });
  };
  const taken = await takeRequest();
  if (typeof taken === 'string') return taken;
  const { operation } = found;
  exchange.operation = operation.name;
  await invoke({ operation, request: taken, response, requestId, interrupt, memory: share.memory });
  return undefined;
}
