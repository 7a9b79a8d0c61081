/**
 * One HTTP exchange over an undici dispatcher: its three timeouts, its abort, and what each way to fail means. Which
 * connections it runs over is the dispatcher's matter; what the bytes mean is the reader's.
 */
import type { Dispatcher } from 'undici';
import { GatewayError } from '../../core/errors.ts';
import type { HttpRequest, HttpResponse, Send, Timeouts } from '../../core/ports.ts';
import { type BodyQueue, createBodyQueue } from './body-queue.ts';
import { type Clock, createClock } from './timeouts.ts';

interface Exchange {
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  readonly body: BodyQueue;
  readonly answer: PromiseWithResolvers<HttpResponse>;
  readonly options: Dispatcher.DispatchOptions;
  /** There from the moment the request is on a socket. */
  controller: Dispatcher.DispatchController | undefined;
  /** Status and headers have come. */
  answered: boolean;
  /** Bytes of the body have come. */
  flowing: boolean;
  over: boolean;
  /** Stops listening to the caller's signal. */
  detach(): void;
}

/** Sends a request through `dispatcher`, as the port `Send` describes it. Redirects are not followed. */
export async function sendOver(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  request: HttpRequest,
  { timeouts, signal }: Parameters<Send>[1],
): Promise<HttpResponse> {
  if (signal?.aborted) throw closedByCaller();
  const exchange = createExchange(request, timeouts);
  if (signal) listen(exchange, signal);
  exchange.clock.set(timeouts.connectMs, () => fail(exchange, notConnected(timeouts.connectMs)));
  dispatcher.dispatch(exchange.options, createHandler(exchange));
  return exchange.answer.promise;
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
    clock: createClock(),
    body: createBodyQueue({
      onFull: () => pause(exchange),
      onDrained: () => resume(exchange),
      onLeave: () => fail(exchange, closedByCaller()),
    }),
    answer: Promise.withResolvers<HttpResponse>(),
    options: toDispatchOptions(request),
    controller: undefined,
    answered: false,
    flowing: false,
    over: false,
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
    // A compressed stream holds events back until the compressor has enough of them.
    headers: { 'accept-encoding': 'identity', ...headers },
    body: body ?? null,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function createHandler(exchange: Exchange): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      // Throwing drops a request that was given up while it waited, and leaves the connection to the next one.
      if (exchange.over) throw new Error('given up while queued');
      exchange.controller = controller;
      exchange.clock.set(exchange.timeouts.firstByteMs, () =>
        fail(exchange, timedOut(exchange.timeouts.firstByteMs)),
      );
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200 || exchange.over) return;
      exchange.answered = true;
      exchange.answer.resolve({ status, headers: joinHeaders(headers), body: exchange.body });
    },
    onResponseData(_controller, chunk) {
      onData(exchange, chunk);
    },
    onResponseEnd() {
      finish(exchange);
      // The connection is free again one turn of the event loop from now. A caller who hears of the end only then, and
      // sends the next request at once, does not open a second connection for it.
      process.nextTick(() => setImmediate(exchange.body.end));
    },
    onResponseError(_controller, error) {
      fail(exchange, exchange.answered ? cut(error) : neverAnswered(error));
    },
  };
}

function onData(exchange: Exchange, chunk: Uint8Array): void {
  if (exchange.over) return;
  if (exchange.flowing) exchange.clock.restart();
  else watchSilence(exchange);
  exchange.flowing = true;
  exchange.body.push(chunk);
}

function watchSilence(exchange: Exchange): void {
  exchange.clock.set(exchange.timeouts.idleMs, () => fail(exchange, idle(exchange.timeouts.idleMs)));
}

function pause(exchange: Exchange): void {
  // Upstream is not silent while it is us who do not read.
  exchange.clock.stop();
  exchange.controller?.pause();
}

function resume(exchange: Exchange): void {
  if (exchange.over) return;
  watchSilence(exchange);
  exchange.controller?.resume();
}

function finish(exchange: Exchange): void {
  exchange.over = true;
  exchange.clock.stop();
  exchange.detach();
}

function fail(exchange: Exchange, error: GatewayError): void {
  if (exchange.over) return;
  finish(exchange);
  exchange.answer.reject(error);
  exchange.body.fail(error);
  // A request still in the queue stays there as a husk until its turn: it need not keep its body.
  exchange.options.body = null;
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

/** What undici and Node call a request that they will not write. */
const unwritable: ReadonlySet<unknown> = new Set(['UND_ERR_INVALID_ARG', 'ERR_INVALID_CHAR']);

function neverAnswered(error: Error): GatewayError {
  // A key with a line break in it, for example: no other attempt can mend that, and no provider is to blame.
  if ('code' in error && unwritable.has(error.code))
    return new GatewayError('internal', 'The request to the provider could not be sent.', { cause: error });
  return unreachable(error);
}

function unreachable(cause: Error): GatewayError {
  return new GatewayError('upstream_unreachable', 'The provider could not be reached.', { cause });
}

function notConnected(limitMs: number): GatewayError {
  const message = `The gateway could not connect to the provider within ${seconds(limitMs)}.`;
  return new GatewayError('upstream_unreachable', message);
}

function timedOut(limitMs: number): GatewayError {
  return new GatewayError('upstream_timeout', `The provider did not respond within ${seconds(limitMs)}.`);
}

function idle(limitMs: number): GatewayError {
  const message = `The provider sent nothing for ${seconds(limitMs)} in the middle of its response.`;
  return new GatewayError('upstream_timeout', message);
}

const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;

function cut(cause: Error): GatewayError {
  const message = 'The connection to the provider was lost in the middle of its response.';
  return new GatewayError('upstream_cut', message, { cause });
}

function closedByCaller(): GatewayError {
  return new GatewayError('client_closed', 'The client closed the connection.');
}
