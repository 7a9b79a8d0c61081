/**
 * The HTTP side of the sandbox: finds the handler of a path, calls it with the parsed request, and writes its response,
 * streams with a short pause between their chunks. It knows no provider.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parseJson } from '../lib/core/formats/parse-json.ts';
import { type BatchPace, paceOf } from './batches/pace.ts';
import { answerWith, type Handler, type SandboxResponse } from './exchange.ts';

/** A provider that the sandbox simulates. */
export interface SandboxRoute {
  readonly provider: string;
  /** Where it is served, up to and with its version segment, for example `/openai/v1`. */
  readonly base: string;
  /** What else it serves beside the base: what is below is passed on as below the second path. */
  readonly beside?: readonly [base: string, as: string];
  readonly handle: Handler;
}

export interface Sandbox {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

interface SandboxOptions {
  /** Between the pieces of a stream. */
  readonly pauseMs?: number;
  /** How far batches are. By default each takes five seconds. */
  readonly pace?: BatchPace;
}

/** Starts on a free port of the loopback. Also serves tests that script an upstream: a route's handler may be any. */
export async function startSandbox(
  routes: readonly SandboxRoute[],
  { pauseMs = 4, pace = paceOf(5_000) }: SandboxOptions = {},
): Promise<Sandbox> {
  const server = createServer({ noDelay: true, keepAliveTimeout: 65_000 }, (request, response) => {
    serve(routes, { pauseMs, pace }, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(
  routes: readonly SandboxRoute[],
  { pauseMs, pace }: Required<SandboxOptions>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(`http://sandbox${request.url ?? '/'}`);
  const route = routes.find((each) => pathIn(each, url) !== undefined);
  const bytes = await readBytes(request);
  if (route === undefined) return void response.writeHead(404).end();
  const answer = answerWith(route.handle, {
    provider: route.provider,
    method: request.method ?? 'GET',
    path: pathIn(route, url) ?? '',
    query: url.searchParams,
    headers: request.headers,
    body: parseJson(bytes.toString()),
    bytes,
    pace,
  });
  await write(answer, response, pauseMs);
}

/** The path below the base; undefined where the route has not the URL. */
function pathIn(
  { base, beside: [other, as] = ['', ''] }: SandboxRoute,
  { pathname }: URL,
): string | undefined {
  if (pathname.startsWith(`${base}/`)) return pathname.slice(base.length);
  return other !== '' && pathname.startsWith(`${other}/`)
    ? `${as}${pathname.slice(other.length)}`
    : undefined;
}

const none = (async function* () {})();

async function write(
  { status, headers, chunks, rest = none }: SandboxResponse,
  response: ServerResponse,
  pauseMs: number,
) {
  response.writeHead(status, { ...headers, 'x-gateway-sandbox': 'true' });
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0) await pause(pauseMs);
    if (response.destroyed) return;
    response.write(chunk);
  }
  response.flushHeaders();
  for await (const chunk of rest) {
    if (response.destroyed) return;
    response.write(chunk);
  }
  response.end();
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}
