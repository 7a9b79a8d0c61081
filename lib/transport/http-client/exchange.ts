/**
 * One HTTP exchange over an undici dispatcher: its three timeouts, its abort, and the error for each way to fail. The
 * dispatcher owns the connections; the reader of the body owns its meaning.
 */
import type { Dispatcher } from 'undici';
import type { GatewayError } from '../../core/errors.ts';
import type { HttpRequest, HttpResponse, Send, Timeouts } from '../../core/ports/http.ts';
import { type BodyQueue, createBodyQueue } from './body-queue.ts';
import { closedByCaller, cut, idle, notConnected, notSent, timedOut } from './exchange-errors.ts';
import { createPhaseTimer, type PhaseTimer } from './phase-timer.ts';

interface Exchange {
  readonly timeouts: Timeouts;
  readonly timer: PhaseTimer;
  readonly body: BodyQueue;
  readonly response: PromiseWithResolvers<HttpResponse>;
  readonly options: Dispatcher.DispatchOptions;
  /** Set once the request is on a socket. */
  controller: Dispatcher.DispatchController | undefined;
  /** Status and headers have been received. */
  hasHead: boolean;
  /** Bytes of the body have been received. */
  hasData: boolean;
  isOver: boolean;
  /** Stops listening to the abort signal. */
  detach(): void;
}

/** Sends a request through `dispatcher`; see `Send`. Redirects are not followed. */
export async function sendOver(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  request: HttpRequest,
  { timeouts, signal, onSent }: Parameters<Send>[1],
): Promise<HttpResponse> {
  if (signal?.aborted) throw closedByCaller();
  const exchange = createExchange(request, timeouts);
  if (signal) listen(exchange, signal);
  exchange.timer.set(timeouts.connectMs, () => fail(exchange, notConnected(timeouts.connectMs)));
  dispatcher.dispatch(exchange.options, createHandler(exchange, onSent));
  return exchange.response.promise;
}

function listen(exchange: Exchange, signal: AbortSignal): void {
  const onAbort = () => {
    exchange.body.discard();
    fail(exchange, closedByCaller());
  };
  signal.addEventListener('abort', onAbort, { once: true });
  exchange.detach = () => signal.removeEventListener('abort', onAbort);
}

function createExchange(request: HttpRequest, timeouts: Timeouts): Exchange {
  const exchange: Exchange = {
    timeouts,
    timer: createPhaseTimer(),
    body: createBodyQueue({
      onFull: () => pause(exchange),
      onDrained: () => resume(exchange),
      onLeave: () => fail(exchange, closedByCaller()),
    }),
    response: Promise.withResolvers<HttpResponse>(),
    options: toDispatchOptions(request),
    controller: undefined,
    hasHead: false,
    hasData: false,
    isOver: false,
    detach: () => {},
  };
  return exchange;
}

function toDispatchOptions({ url, method, headers, body }: HttpRequest): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    path: pathname + search,
    method,
    // A compressor delays events until it has enough of them.
    headers: { 'accept-encoding': 'identity', ...headers },
    body: body ?? null,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function createHandler(exchange: Exchange, onSent?: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      // Throwing drops a request that was canceled in the queue, and leaves the connection to the next one.
      if (exchange.isOver) throw new Error('canceled in the queue');
      exchange.controller = controller;
      onSent?.();
      exchange.timer.set(exchange.timeouts.firstByteMs, () =>
        fail(exchange, timedOut(exchange.timeouts.firstByteMs)),
      );
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200 || exchange.isOver) return;
      exchange.hasHead = true;
      exchange.response.resolve({ status, headers: joinHeaders(headers), body: exchange.body });
    },
    onResponseData(_controller, chunk) {
      onData(exchange, chunk);
    },
    onResponseEnd() {
      finish(exchange);
      // The connection is free one turn of the event loop from now. Reporting the end only then lets a caller that sends
      // its next request at once reuse the connection.
      process.nextTick(() => setImmediate(exchange.body.end));
    },
    onResponseError(_controller, error) {
      fail(exchange, exchange.hasHead ? cut(error) : notSent(error));
    },
  };
}

function onData(exchange: Exchange, chunk: Uint8Array): void {
  if (exchange.isOver) return;
  if (exchange.hasData) exchange.timer.restart();
  else startIdleTimer(exchange);
  exchange.hasData = true;
  exchange.body.push(chunk);
}

function startIdleTimer(exchange: Exchange): void {
  exchange.timer.set(exchange.timeouts.idleMs, () => fail(exchange, idle(exchange.timeouts.idleMs)));
}

function pause(exchange: Exchange): void {
  // Upstream is not idle while the gateway does not read.
  exchange.timer.stop();
  exchange.controller?.pause();
}

function resume(exchange: Exchange): void {
  if (exchange.isOver) return;
  startIdleTimer(exchange);
  exchange.controller?.resume();
}

function finish(exchange: Exchange): void {
  exchange.isOver = true;
  exchange.timer.stop();
  exchange.detach();
}

function fail(exchange: Exchange, error: GatewayError): void {
  if (exchange.isOver) return;
  finish(exchange);
  exchange.response.reject(error);
  exchange.body.fail(error);
  exchange.controller?.abort(error);
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
