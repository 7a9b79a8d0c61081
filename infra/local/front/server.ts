/**
 * The local front door: an HTTP server that treats a request as API Gateway does. It routes by the route table, holds
 * the same limits, answers its own errors from the same table, and hands everything else to the function.
 */

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { finished } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Operation } from '../../../lib/core/operations.ts';
import { buildEvent } from './event.ts';
import { headerLimit, headersFit, readBody } from './limits.ts';
import { beginOwnAnswer, sendNotFound, sendOwnAnswer, sendRawOwnAnswer } from './own-answers.ts';
import { createFindRoute, type FindRoute } from './routes.ts';

/** One call of a function. */
export interface Invocation {
  readonly operation: Operation;
  readonly event: APIGatewayProxyEvent;
  readonly requestId: string;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Where the answer goes. */
  readonly response: ServerResponse;
}

/** Runs a function. Rejects where it failed, before or while it answered. */
export type Invoke = (invocation: Invocation) => Promise<void>;

export interface Front {
  /** Without a slash at the end. */
  readonly url: string;
  /** Stops listening, gives running requests `graceMs` to end, then cuts them off. */
  close(graceMs?: number): Promise<void>;
}

interface FrontOptions {
  readonly operations: readonly Operation[];
  readonly invoke: Invoke;
  /** 0 takes any free port. */
  readonly port: number;
}

/** How long a client may go on sending a body that was refused. */
const lingerMs = 1_000;

export async function startFront({ operations, invoke, port: wantedPort }: FrontOptions): Promise<Front> {
  const parts: Parts = { findRoute: createFindRoute(operations), invoke };
  const answering = new Set<ServerResponse>();
  const server = createServer(
    // Node's own cap must let a request through that is only a little too large, to answer it from the table.
    { maxHeaderSize: 4 * headerLimit, noDelay: true, keepAliveTimeout: 65_000 },
    (request, response) => {
      answering.add(response);
      response.once('close', () => answering.delete(response));
      void handle(request, response, parts);
    },
  );
  server.on('clientError', onClientError);
  await listen(server, wantedPort);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: (graceMs = 5_000) => closeServer(server, answering, graceMs),
  };
}

interface Parts {
  readonly findRoute: FindRoute;
  readonly invoke: Invoke;
}

async function handle(request: IncomingMessage, response: ServerResponse, parts: Parts) {
  const requestId = randomUUID();
  const client = new AbortController();
  response.once('close', () => response.writableFinished || client.abort());
  try {
    await route(request, response, parts, { requestId, signal: client.signal });
  } catch (thrown) {
    if (client.signal.aborted) return;
    reportFailure(thrown, requestId);
    if (response.headersSent) breakOff(response);
    else sendOwnAnswer(response, 'INTEGRATION_FAILURE', requestId);
  }
}

/** What was written of the answer leaves before its connection is cut. */
function breakOff(response: ServerResponse): void {
  response.socket?.uncork();
  response.destroy();
}

/** Where it failed, but not the message: that may hold what a caller sent. */
function reportFailure(thrown: unknown, requestId: string): void {
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  console.error([`A function failed (request ${requestId}).`, ...frames].join('\n'));
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  { findRoute, invoke }: Parts,
  call: Pick<Invocation, 'requestId' | 'signal'>,
): Promise<void> {
  const refuse = (type: string, status?: number) => sendOwnAnswer(response, type, call.requestId, status);
  if (!headersFit(request)) return refuse('DEFAULT_4XX', 431);
  const url = parseUrl(request);
  const found = url && findRoute(request.method, url.pathname);
  if (!found) {
    const { method = 'GET' } = request;
    return sendNotFound(response, call.requestId, { method, path: url?.pathname ?? '/' });
  }
  const body = await readBody(request);
  if (body === undefined) return refuseBody(request, response, call.requestId);
  // In the cloud such bytes arrive as replacement characters; here, where they can be told, they are refused.
  if (!isUtf8(body)) return refuse('BAD_REQUEST_BODY');
  const event = buildEvent({ request, url, route: found, requestId: call.requestId, body });
  await invoke({ operation: found.operation, event, response, ...call });
}

/**
 * Answers while the client may still send. The connection closes after that, but not before the client had a moment
 * to stop: closing over unread bytes would take the answer away from it.
 */
function refuseBody(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  response.setHeader('connection', 'close');
  beginOwnAnswer(response, 'REQUEST_TOO_LARGE', requestId);
  const end = () => response.end();
  const enough = new AbortController();
  setTimeout(lingerMs, undefined, { signal: enough.signal }).then(end, () => {});
  finished(request.resume(), () => {
    enough.abort();
    end();
  });
}

/** A target that starts with two slashes is a path too, never a host. */
function parseUrl({ url = '/' }: IncomingMessage): URL | undefined {
  return URL.parse(url.startsWith('/') ? `http://127.0.0.1${url}` : url) ?? undefined;
}

/** What Node's parser refuses before there is a request. */
function onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  sendRawOwnAnswer(socket, 'DEFAULT_4XX', error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

/** Ends when no answer is under way any more. A connection may be open without one, also one that never had one. */
async function closeServer(server: Server, answering: ReadonlySet<ServerResponse>, graceMs: number) {
  const closed = new Promise((resolve) => server.close(resolve));
  const ended = Promise.allSettled([...answering].map((response) => once(response, 'close')));
  const grace = new AbortController();
  await Promise.race([ended, setTimeout(graceMs, undefined, { signal: grace.signal }).catch(() => {})]);
  grace.abort();
  server.closeAllConnections();
  await closed;
}
