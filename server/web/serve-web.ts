/**
 * The gateway as a Web Function: one operation, on the address that Lambda gives. API Gateway stands before it, and what does not
 * come from there is refused. Source: AWS Lambda developer guide, "Building Lambda Web Functions with Node.js" and "Execution
 * environment lifecycle".
 */
import { readCorsOrigins } from '../../lib/core/cors.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import type { Log } from '../../lib/core/ports/log.ts';
import type { Handler } from '../../lib/http/request/http-request.ts';
import { readOriginSecrets } from '../../lib/runtime/admin/origin-secrets.ts';
import type { Variables } from '../../lib/runtime/environment.ts';
import { foundationOf } from '../../lib/runtime/foundation.ts';
import { createLog, readLogLevel } from '../../lib/runtime/log.ts';
import { keepWebRecords } from '../../lib/runtime/records/web-records.ts';
import { useServerClient } from '../../lib/runtime/server-client.ts';
import { createIsFromOrigin } from '../http/origin-secret.ts';
import { type GatewayServer, startServer } from '../http/server.ts';
import { loadInProcessEngine } from '../in-process.ts';
import { watchCrashes } from '../process/crashes.ts';
import type { Drain } from '../process/drain.ts';
import { startFigures } from '../process/figures.ts';
import { createMemoryBudget, defaultBudgetBytes } from '../process/memory-budget.ts';
import { type WebOperationName, webOperations } from './web-operations.ts';

/**
 * Lambda sends no more requests before the signal, and lets running ones end then. What still runs gets an error at once, since
 * after the signal nothing is promised; two seconds are what event functions have.
 */
const drainTimes: Drain = { noticeMs: 0, limitMs: 250, endMs: 750 };

/** Of an environment, whose requests are 128 at most, and whose files and sockets 1,024. Source: Lambda quotas, "Web Functions". */
const maxWebRunning = 256;
const maxWebWaiting = 256;

/** How often a process that should be replaced looks whether it is idle. */
const idleCheckMs = 250;

/** Loads the entry module of a function. */
type Load = (name: WebOperationName) => Promise<{ create(variables: Variables): Handler }>;

const entries: Readonly<Record<WebOperationName, () => ReturnType<Load>>> = {
  'chat-completions': () => import('../../functions/chat-completions.ts'),
  completions: () => import('../../functions/completions.ts'),
  responses: () => import('../../functions/responses.ts'),
  messages: () => import('../../functions/messages.ts'),
};

const loadEntry: Load = (name) => entries[name]();

/** Never rejects: a server that cannot start logs why, and the process ends. */
export async function serveWeb(variables: Variables, load: Load = loadEntry): Promise<void> {
  const log = createLog();
  try {
    await readLogLevel(variables);
    const server = await start(log, variables, load);
    process.once('SIGTERM', async () => {
      await server.drain(drainTimes);
      process.exit(0);
    });
    watchCrashes(log, () => endWhenIdle(server));
    log.info('server listens', { url: server.url });
  } catch (thrown) {
    log.error('server did not start', { reason: thrown instanceof Error ? thrown.message : 'unknown' });
    process.exitCode = 1;
  }
}

/** Lambda goes on to send requests to a process that should be replaced, so it serves them, and ends when it has none. */
function endWhenIdle(server: GatewayServer): void {
  setInterval(() => {
    if (server.requests().running === 0) process.exit(1);
  }, idleCheckMs);
}

async function start(log: Log, variables: Variables, load: Load): Promise<GatewayServer> {
  const name = webOperations.find((one) => one === variables.GATEWAY_OPERATION);
  if (name === undefined) throw new Error('GATEWAY_OPERATION must name an operation of the Web Functions.');
  const { host, port } = readEndpoint(variables.AWS_LAMBDA_HTTP_ENDPOINT);
  const operations = [operationNamed(name)];
  useServerClient(variables);
  keepWebRecords(variables);
  const memory = createMemoryBudget(defaultBudgetBytes(1));
  const handlerOf = async () => (await load(name)).create(variables);
  const [invoke, secrets] = await Promise.all([
    loadInProcessEngine(operations, handlerOf),
    readOriginSecrets(foundationOf(variables)),
  ]);
  const server = await startServer({
    operations,
    invoke,
    host,
    port,
    // The name is that of the endpoint, which Lambda has chosen.
    allowedHosts: 'any',
    isFromOrigin: createIsFromOrigin(secrets),
    corsOrigins: readCorsOrigins('GATEWAY_CORS_ORIGINS', variables.GATEWAY_CORS_ORIGINS),
    limits: { maxRunning: maxWebRunning, maxWaiting: maxWebWaiting },
    memory,
    log,
  });
  startFigures({ ...server, memory, log });
  return server;
}

interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `host:port`, as Lambda sets it.
 * @throws Error that names the variable.
 */
function readEndpoint(text = ''): Endpoint {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[^:[\]]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host !== undefined && Number(port) <= 65_535)
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  throw new Error('AWS_LAMBDA_HTTP_ENDPOINT must be a host and a port, such as 0.0.0.0:3000.');
}
