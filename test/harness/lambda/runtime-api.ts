/**
 * A small Lambda Runtime API: the HTTP service from which a runtime client takes events and to which it streams
 * answers. Serves one execution environment, one event at a time, as Lambda does.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an invocation gave: the runtime's own POST, body still to be read. */
export interface RuntimeAnswer {
  /** `response` for an answer, `error` where the function failed before it streamed. */
  readonly kind: 'response' | 'error';
  readonly request: IncomingMessage;
}

interface Pending {
  readonly id: string;
  readonly event: unknown;
  readonly deadline: number;
  readonly resolve: (answer: RuntimeAnswer) => void;
  readonly fail: (error: Error) => void;
}

export interface RuntimeApi {
  /** `host:port`, for AWS_LAMBDA_RUNTIME_API. */
  readonly address: string;
  /** Queues an event. Resolves when the answer begins; rejects when the environment dies first. */
  invoke(id: string, event: unknown, timeoutMs: number): Promise<RuntimeAnswer>;
  /** Rejects everything that waits, and every later event. */
  failAll(error: Error): void;
  close(): Promise<void>;
}

interface State {
  /** Set when the environment has ended. */
  ended: Error | undefined;
  readonly queue: Pending[];
  readonly running: Map<string, Pending>;
  waiting: ServerResponse | undefined;
}

export async function startRuntimeApi(): Promise<RuntimeApi> {
  const state: State = { ended: undefined, queue: [], running: new Map(), waiting: undefined };
  // Lambda's own closes no idle connection either: the runtime client would end if it met a closing one.
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) =>
    serve(state, request, response),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    invoke: (id, event, timeoutMs) => enqueue(state, id, event, timeoutMs),
    failAll: (error) => failAll(state, error),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function enqueue(state: State, id: string, event: unknown, timeoutMs: number): Promise<RuntimeAnswer> {
  return new Promise((resolve, fail) => {
    if (state.ended) return fail(state.ended);
    state.queue.push({ id, event, deadline: Date.now() + timeoutMs, resolve, fail });
    handOut(state);
  });
}

function handOut(state: State): void {
  const pending = state.waiting && state.queue.shift();
  if (state.waiting === undefined || pending === undefined) return;
  state.running.set(pending.id, pending);
  state.waiting.writeHead(200, {
    'content-type': 'application/json',
    'lambda-runtime-aws-request-id': pending.id,
    'lambda-runtime-deadline-ms': String(pending.deadline),
    'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:local:000000000000:function:local',
  });
  state.waiting.end(JSON.stringify(pending.event));
  state.waiting = undefined;
}

function serve(state: State, request: IncomingMessage, response: ServerResponse): void {
  const [kind, id] = (request.url ?? '').split('/').reverse();
  if (request.method === 'GET') {
    state.waiting = response;
    handOut(state);
    return;
  }
  const pending = state.running.get(decodeURIComponent(id ?? ''));
  request.once('end', () => response.writeHead(202).end());
  if (pending === undefined) return void (id === 'init' ? failInit(state, request) : request.resume());
  state.running.delete(pending.id);
  pending.resolve({ kind: kind === 'error' ? 'error' : 'response', request });
}

function failInit(state: State, request: IncomingMessage): void {
  request.resume();
  failAll(state, new Error('The function could not be loaded.'));
}

function failAll(state: State, error: Error): void {
  state.ended ??= error;
  for (const pending of [...state.queue.splice(0), ...state.running.values()]) pending.fail(error);
  state.running.clear();
}
