/**
 * The local HTTP server, which treats a request as API Gateway does: the same routes, limits and errors. It passes
 * everything else to the function.
 */
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { finished } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { corsHeaders, preflightHeaders } from '../lib/core/cors.ts';
import type { Operation } from '../lib/core/operations.ts';
import { withTime } from '../lib/core/request-id.ts';
import { createIsOwn, type IsOwn, loopback, urlOf } from './addresses.ts';
import { type Arrival, createConnections } from './connections.ts';
import { buildEvent, isEncoded } from './event.ts';
import { headerLimit, headersFit, readBody, type ServerLimits, serverLimits } from './limits.ts';
import { closeServer, listen } from './listen.ts';
import {
  beginOwnAnswer,
  type OwnHeaders,
  ownHeaders,
  sendMisdirected,
  sendNotFound,
  sendOwnAnswer,
  sendRawOwnAnswer,
} from './own-answers.ts';
import { ResponseStream } from './response-stream.ts';
import { createFindRoute, type FindRoute, meantPath } from './routes.ts';

/** One call of a function. */
export interface Invocation {
  readonly operation: Operation;
  readonly event: APIGatewayProxyEvent;
  readonly requestId: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** The response to write to. */
  readonly response: ResponseStream;
}

/** A request that has just arrived. */
export interface ReceivedRequest {
  readonly requestId: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly response: ServerResponse;
}

/** Runs a function. Rejects if it fails, before or during its answer. */
export type Invoke = (invocation: Invocation) => Promise<void>;

export interface GatewayServer {
  /** Without a slash at the end. */
  readonly url: string;
  runningRequests(): number;
  /** Stops listening, waits up to `graceMs` for running requests, then closes their connections. */
  close(graceMs?: number): Promise<void>;
}

interface ServerOptions {
  readonly operations: readonly Operation[];
  readonly invoke: Invoke;
  /** 0 takes any free port. */
  readonly port: number;
  /** The address or name to listen on; only this machine can connect if absent. */
  readonly host?: string;
  /** Names that requests may call the server by, beside its own addresses; in lower case. */
  readonly allowedHosts?: readonly string[];
  /** The origins of the web pages that may call; none if absent. */
  readonly corsOrigins?: readonly string[];
  readonly onRequest?: (request: ReceivedRequest) => void;
  /** Default: those of `limits.ts`. */
  readonly limits?: Partial<ServerLimits>;
}

/** How often Node looks for connections that are too slow. */
const checkMs = 1_000;

/** How long a client may continue to send a refused body. */
const lingerMs = 1_000;

export async function startServer(options: ServerOptions): Promise<GatewayServer> {
  const {
    port: wantedPort,
    host = loopback,
    allowedHosts = [],
    operations,
    corsOrigins = [],
    ...rest
  } = options;
  const limits = { ...serverLimits, ...options.limits };
  const connections = createConnections(limits);
  const parts: Parts = {
    ...rest,
    operations,
    findRoute: createFindRoute(operations),
    isOwn: createIsOwn(host, allowedHosts),
    corsOrigins,
  };
  const answering = new Set<ServerResponse>();
  const server = createServer(
    {
      // Node's own limit must be higher: a request that is slightly too large is answered from the table.
      maxHeaderSize: 4 * headerLimit,
      noDelay: true,
      keepAliveTimeout: 65_000,
      headersTimeout: limits.maxHeadersMs,
      requestTimeout: limits.maxRequestMs,
      connectionsCheckingInterval: checkMs,
      ServerResponse: ResponseStream,
    },
    (request, response) => {
      const arrival = connections.begin(request.socket);
      answering.add(response);
      response.once('close', () => {
        answering.delete(response);
        arrival.end();
      });
      void handle(request, response, parts, arrival);
    },
  );
  server.on('connection', connections.add);
  server.on('clientError', onClientError);
  await listen(server, wantedPort, host);
  const { port } = server.address() as AddressInfo;
  return {
    url: urlOf(host, port),
    runningRequests: () => answering.size,
    close: (graceMs = 5_000) => closeServer(server, answering, graceMs),
  };
}

interface Parts extends Pick<ServerOptions, 'operations' | 'invoke' | 'onRequest'> {
  readonly findRoute: FindRoute;
  readonly isOwn: IsOwn;
  readonly corsOrigins: readonly string[];
}

/** One request, and what every answer of the server itself has. */
type Exchange = Pick<Invocation, 'requestId' | 'signal'> & {
  readonly common: OwnHeaders;
  readonly arrival: Arrival;
};

async function handle(request: IncomingMessage, response: ResponseStream, parts: Parts, arrival: Arrival) {
  const requestId = withTime(randomUUID(), Date.now());
  const path = parseUrl(request)?.pathname ?? '';
  parts.onRequest?.({ requestId, method: request.method ?? '', path, response });
  const common = ownHeaders(requestId, parts.corsOrigins.length > 0);
  const client = new AbortController();
  response.once('close', () => response.writableFinished || client.abort());
  try {
    await route(request, response, parts, { requestId, common, arrival, signal: client.signal });
  } catch (thrown) {
    if (client.signal.aborted) return;
    reportFailure(thrown, requestId);
    if (response.headersSent) closeAfterWritten(response);
    else sendOwnAnswer(response, 'INTEGRATION_FAILURE', common);
  }
}

/** Sends what was written of the answer, then closes the connection. */
function closeAfterWritten(response: ServerResponse): void {
  response.socket?.uncork();
  response.destroy();
}

/** The stack without the message, which may contain what a caller sent. */
function reportFailure(thrown: unknown, requestId: string): void {
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  console.error([`A function failed (request ${requestId}).`, ...frames].join('\n'));
}

async function route(
  request: IncomingMessage,
  response: ResponseStream,
  { operations, findRoute, isOwn, invoke, corsOrigins }: Parts,
  { common, arrival, ...call }: Exchange,
): Promise<void> {
  const refuse = (type: string, status?: number) => sendOwnAnswer(response, type, common, status);
  if (!isOwn(hostOf(request))) return sendMisdirected(response, common);
  if (!headersFit(request)) return refuse('DEFAULT_4XX', 431);
  const url = parseUrl(request);
  const found = url && findRoute(request.method, url.pathname);
  if (!found) {
    const { method = 'GET' } = request;
    const path = url?.pathname ?? '/';
    return sendNotFound(response, common, { method, path, meant: meantPath(operations, path) });
  }
  if (request.method === 'OPTIONS' && corsOrigins.length > 0) {
    response
      .writeHead(204, { ...corsHeaders(corsOrigins, request.headers.origin), ...preflightHeaders })
      .end();
    return;
  }
  const body = await readBody(request, arrival.receive);
  if (body === undefined) return refuseBody(request, response, common);
  if (!arrival.complete()) return refuse('THROTTLED');
  // API Gateway replaces invalid UTF-8; here it can be detected and is refused.
  if (!isEncoded(request) && !isUtf8(body)) return refuse('BAD_REQUEST_BODY');
  const event = buildEvent({ request, url, route: found, requestId: call.requestId, body });
  await invoke({ operation: found.operation, event, response, ...call });
}

/**
 * Answers while the client may still send. The connection closes a moment later: closing it with unread bytes would
 * reset the connection before the client has read the answer.
 */
function refuseBody(request: IncomingMessage, response: ServerResponse, common: OwnHeaders): void {
  response.setHeader('connection', 'close');
  beginOwnAnswer(response, 'REQUEST_TOO_LARGE', common);
  const end = () => response.end();
  const enough = new AbortController();
  setTimeout(lingerMs, undefined, { signal: enough.signal }).then(end, () => {});
  finished(request.resume(), () => {
    enough.abort();
    end();
  });
}

/** A target that starts with two slashes is a path, not a host. */
function parseUrl({ url = '/' }: IncomingMessage): URL | undefined {
  return URL.parse(url.startsWith('/') ? `http://127.0.0.1${url}` : url) ?? undefined;
}

/** The host that a request is for: where its target names one, that counts, and not the header (RFC 9112, 3.2.2). */
function hostOf({ url = '/', headers }: IncomingMessage): string | undefined {
  return (url.startsWith('/') ? undefined : URL.parse(url)?.host) ?? headers.host;
}

/** Of the errors of Node's server; of all others, it is 400. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['HPE_HEADER_OVERFLOW', 431],
]);

/** For what Node's parser refuses before there is a request, and for one that does not arrive in time. */
function onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  sendRawOwnAnswer(socket, 'DEFAULT_4XX', statuses.get(error.code ?? '') ?? 400);
}
