/** The HTTP server: connections and their limits, the requests that run, and how it stops. */

import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTasks, type Tasks } from '../../lib/async/tasks.ts';
import { createFindRoute } from '../../lib/core/find-route.ts';
import { newRequestId } from '../../lib/core/names/request-id.ts';
import type { Log } from '../../lib/core/ports/log.ts';
import type { RoutedOperation } from '../../lib/core/routes.ts';
import { createLog } from '../../lib/runtime/log.ts';
import { createIsOwn, loopback, urlOf } from '../addresses.ts';
import type { Health } from '../metrics/health.ts';
import { type CountedSeries, createRequestCounts, type RequestCounts } from '../metrics/request-counts.ts';
import { type Drain, drain, immediately } from '../process/drain.ts';
import { type MemoryBudget, unlimitedBudget } from '../process/memory-budget.ts';
import { createRunningRequests, type RunningCounts, stopping } from '../process/running.ts';
import { type ConnectionCounts, createConnections } from './connections.ts';
import { type Handling, handleRequest, type Invoke } from './handle-request.ts';
import { headerLimit, maxUploadMs, type ServerLimits, serverLimits } from './limits.ts';
import { createServer, listen } from './node-http.ts';
import type { IsFromOrigin } from './origin-secret.ts';
import { onClientError } from './own-answers.ts';
import { parseUrl } from './request-target.ts';
import { ResponseStream } from './response-stream.ts';

/** A request that has just arrived. */
export interface ReceivedRequest {
  readonly requestId: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly response: ServerResponse;
}

export interface GatewayServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** Whether it is about to stop. */
  isDraining(): boolean;
  requests(): RunningCounts;
  connections(): ConnectionCounts;
  counted(): CountedSeries;
  /** Lets running requests end within their time, stops the others, and closes the server. */
  drain(times: Drain): Promise<void>;
  /** The same with new connections refused at once, and `graceMs` for running requests. */
  close(graceMs?: number): Promise<void>;
}

export interface ServerOptions {
  readonly operations: readonly RoutedOperation[];
  readonly invoke: Invoke;
  /** 0 takes any free port. */
  readonly port: number;
  /** The address or name to listen on; only this machine can connect if absent. */
  readonly host?: string;
  /** Names that requests may call the server by, beside its own addresses, in lower case; `any`: every name. */
  readonly allowedHosts?: readonly string[] | 'any';
  /** Whether a request comes from what stands before the server; absent: all are answered. */
  readonly isFromOrigin?: IsFromOrigin;
  /** The origins of the web pages that may call; none if absent. */
  readonly corsOrigins?: readonly string[];
  /** How many proxies in a row stand before the server; none if absent. */
  readonly trustedProxies?: number;
  readonly onRequest?: (request: ReceivedRequest) => void;
  /** The answers to checks; none if absent. */
  readonly health?: Health;
  /** Default: those of `limits.ts`. */
  readonly limits?: Partial<ServerLimits>;
  /** What the requests share; absent: no request is refused for want of memory. */
  readonly memory?: MemoryBudget;
  /** What goes on without a request, and is waited for; absent: nothing does. */
  readonly tasks?: Tasks;
  /** Counts what is answered; absent: nothing is counted. */
  readonly counts?: RequestCounts;
  /** For requests that no function answers. Default: that of the functions. */
  readonly log?: Pick<Log, 'info' | 'error'>;
}

/** How often Node looks for connections that are too slow. */
const checkMs = 1_000;

export async function startServer(options: ServerOptions): Promise<GatewayServer> {
  const { port: wantedPort, host = loopback, health, onRequest, memory = unlimitedBudget() } = options;
  const { tasks = createTasks(0) } = options;
  const limits = { ...serverLimits, ...options.limits };
  const connections = createConnections(limits, memory.spare);
  memory.onTaken(connections.makeRoom);
  const handling = handlingOf(options);
  const running = createRunningRequests();
  let isDraining = false;
  const server = createServer(
    {
      // Node's own limit must be higher: a request that is slightly too large is answered from the table.
      maxHeaderSize: 4 * headerLimit,
      noDelay: true,
      keepAliveTimeout: limits.keepAliveMs,
      headersTimeout: limits.maxHeadersMs,
      requestTimeout: Math.max(limits.maxRequestMs, maxUploadMs),
      connectionsCheckingInterval: checkMs,
      ServerResponse: ResponseStream,
    },
    (request, received) => {
      const arrival = connections.begin(request.socket);
      received.once('close', arrival.end);
      const url = parseUrl(request);
      const path = url?.pathname ?? '';
      if (health?.answer(path, received)) return;
      const startedAt = Date.now();
      const requestId = newRequestId(startedAt);
      onRequest?.({ requestId, method: request.method ?? '', path, response: received });
      const own = memory.open();
      running.add(received, ({ response, interrupt }) =>
        handleRequest(
          { request, url, response, requestId, share: { arrival, memory: own }, interrupt, startedAt },
          handling,
        ).finally(own.release),
      );
    },
  );
  server.on('connection', connections.add);
  server.setTimeout(limits.maxUnreadMs, connections.idle);
  server.on('clientError', onClientError);
  await listen(server, wantedPort, host);
  const { port } = server.address() as AddressInfo;
  const stop = async (times: Drain) => {
    isDraining = true;
    await drain(server, running, { stop: () => tasks.stop(stopping()), ended: tasks.ended }, times);
  };
  return {
    url: urlOf(host, port),
    isDraining: () => isDraining,
    requests: running.counts,
    connections: connections.counts,
    counted: handling.counts.read,
    drain: stop,
    close: (graceMs = 5_000) => stop(immediately(graceMs)),
  };
}

function handlingOf(options: ServerOptions): Handling {
  const { operations, invoke, host = loopback, allowedHosts = [], corsOrigins = [] } = options;
  return {
    operations,
    invoke,
    findRoute: createFindRoute(operations),
    isOwn: allowedHosts === 'any' ? undefined : createIsOwn(host, allowedHosts),
    isFromOrigin: options.isFromOrigin,
    corsOrigins,
    trustedProxies: options.trustedProxies ?? 0,
    limits: { ...serverLimits, ...options.limits },
    counts: options.counts ?? createRequestCounts(),
    log: options.log ?? createLog(),
  };
}
