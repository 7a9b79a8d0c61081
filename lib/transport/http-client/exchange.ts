/**
 * One HTTP exchange over an undici dispatcher: its three timeouts, its abort, and the error for each way to fail. The
 * dispatcher owns the connections; the reader of the body owns its meaning.
 */

import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { restartTimeout, startTimeout, stopTimeout, type Timeout } from '../../async/timeout.ts';
import type { GatewayError } from '../../core/errors/errors.ts';
import type { HttpRequest, HttpResponse, Send, Timeouts } from '../../core/ports/http.ts';
import { BodyQueue, type BodyQueueEvents } from './body-queue.ts';
import { closedByCaller, cut, idle, notConnected, notSent, timedOut } from './exchange-errors.ts';

/** Sends a request through `dispatcher`; see `Send`. Redirects are not followed. */
export async function sendOver(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  request: HttpRequest,
  { timeouts, signal, onSent }: Parameters<Send>[1],
): Promise<HttpResponse> {
  if (signal?.aborted) throw closedByCaller();
  const exchange = new Exchange(timeouts, signal, onSent);
  dispatcher.dispatch(toDispatchOptions(request, partsOf(request.url)), exchange);
  exchange.awaitConnection();
  return exchange.response.promise;
}

/** Of a URL. */
interface Address {
  readonly origin: string;
  readonly path: string;
}

export function toDispatchOptions(
  { method, headers: given, body }: HttpRequest,
  { origin, path }: Address,
): Dispatcher.DispatchOptions {
  const isPieces = typeof body === 'object' && 'pieces' in body;
  // A compressor delays events until it has enough of them.
  const headers: Record<string, string> = { 'accept-encoding': 'identity', ...given };
  if (isPieces) headers['content-length'] = `${body.byteLength}`;
  return {
    origin,
    path,
    method,
    headers,
    body: isPieces ? Readable.from(body.pieces(), { objectMode: false }) : (body ?? null),
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

let last = { url: '', origin: '', path: '' };

/** Most requests go where the one before went: only another URL is parsed. */
function partsOf(url: string): Address {
  if (url !== last.url) {
    const { origin, pathname, search } = new URL(url);
    last = { url, origin, path: pathname + search };
  }
  return last;
}

/** The dispatcher calls its methods `onRequest…` and `onResponse…`, the queue of the body the others. */
class Exchange implements Dispatcher.DispatchHandler, BodyQueueEvents {
  readonly response = Promise.withResolvers<HttpResponse>();
  readonly #timeouts: Timeouts;
  readonly #signal: AbortSignal | undefined;
  readonly #onSent: (() => void) | undefined;
  /** The exchange is always in exactly one phase, so one timer, set again for each, is enough. */
  #timeout: Timeout | undefined;
  readonly #body = new BodyQueue(this);
  /**
   * Set while the request is on a socket. What has ended lets go of it: with it, several times as much of each request survives a
   * collection of the young generation, which takes a tenth of a request.
   */
  #controller: Dispatcher.DispatchController | undefined;
  /** Status and headers have been received. */
  #hasHead = false;
  /** Bytes of the body have been received. */
  #hasData = false;
  #isOver = false;

  constructor(timeouts: Timeouts, signal: AbortSignal | undefined, onSent: (() => void) | undefined) {
    this.#timeouts = timeouts;
    this.#signal = signal;
    this.#onSent = onSent;
    signal?.addEventListener('abort', this, { once: true });
  }

  /** Called by the signal when it is aborted. */
  handleEvent(): void {
    this.#body.discard();
    this.#fail(closedByCaller());
  }

  /** Limits the time until the request is on a socket. It is at once if there is a free connection, as there nearly always is. */
  awaitConnection(): void {
    if (this.#controller || this.#isOver) return;
    this.#startTimer(this.#timeouts.connectMs, notConnected);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Throwing drops a request that was canceled in the queue, and leaves the connection to the next one.
    if (this.#isOver) throw new Error('canceled in the queue');
    this.#controller = controller;
    this.#onSent?.();
    this.#startTimer(this.#timeouts.firstByteMs, timedOut);
  }

  onResponseStart(_controller: unknown, status: number, headers: ReceivedHeaders): void {
    if (status < 200 || this.#isOver) return;
    this.#hasHead = true;
    this.response.resolve({ status, headers: joinHeaders(headers), body: this.#body });
  }

  onResponseData(_controller: unknown, chunk: Uint8Array): void {
    if (this.#isOver) return;
    if (!this.#hasData) this.#startTimer(this.#timeouts.idleMs, idle);
    else if (this.#timeout) restartTimeout(this.#timeout);
    this.#hasData = true;
    this.#body.push(chunk);
  }

  onResponseEnd(): void {
    this.#finish();
    // The connection is free one turn of the event loop from now. Reporting the end only then lets a caller that sends
    // its next request at once reuse the connection.
    process.nextTick(setImmediate, end, this.#body);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(this.#hasHead ? cut(error) : notSent(error));
  }

  onFull(): void {
    // Upstream is not idle while the gateway does not read.
    this.#stopTimer();
    this.#controller?.pause();
  }

  onDrained(): void {
    if (this.#isOver) return;
    this.#startTimer(this.#timeouts.idleMs, idle);
    this.#controller?.resume();
  }

  onLeave(): void {
    this.#fail(closedByCaller());
  }

  #startTimer(limitMs: number, errorOf: (limitMs: number) => GatewayError): void {
    this.#stopTimer();
    this.#timeout = startTimeout(() => this.#fail(errorOf(limitMs)), limitMs);
  }

  #stopTimer(): void {
    if (this.#timeout) stopTimeout(this.#timeout);
    this.#timeout = undefined;
  }

  #finish(): void {
    this.#isOver = true;
    this.#controller = undefined;
    this.#stopTimer();
    this.#signal?.removeEventListener('abort', this);
  }

  #fail(error: GatewayError): void {
    if (this.#isOver) return;
    const controller = this.#controller;
    this.#finish();
    this.response.reject(error);
    this.#body.fail(error);
    controller?.abort(error);
  }
}

type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The same object where no name is repeated. */
function joinHeaders(headers: ReceivedHeaders): HttpResponse['headers'] {
  let joined: Record<string, string | string[] | undefined> | undefined;
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (typeof value === 'string') continue;
    joined ??= { ...headers };
    joined[name] = value?.join(', ') ?? '';
  }
  return (joined ?? headers) as HttpResponse['headers'];
}

const end = (body: BodyQueue) => body.end();
