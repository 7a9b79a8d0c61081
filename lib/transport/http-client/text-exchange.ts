/**
 * One HTTP exchange whose whole response is read at once, as calls of AWS are. Without a queue, an iterator and a signal, which
 * streams need, it takes half of the processor time of `exchange.ts`. Timeouts and errors are the same.
 */
import type { Dispatcher } from 'undici';
import { GatewayError } from '../../core/errors/errors.ts';
import type { HttpRequest, SendForText, TextResponse, Timeouts } from '../../core/ports/http.ts';
import { toDispatchOptions } from './exchange.ts';
import { cut, idle, notConnected, notSent, timedOut } from './exchange-errors.ts';

type Controller = Dispatcher.DispatchController;

/** Sends a request through `dispatcher`; see `SendForText`. Redirects are not followed. */
export function sendForTextOver(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  request: HttpRequest,
  { timeouts, maxBytes }: Parameters<SendForText>[1],
): Promise<TextResponse> {
  const { url } = request;
  // Behind the scheme, which ends with two slashes.
  const pathAt = url.indexOf('/', 'https://'.length);
  const options = toDispatchOptions(request, { origin: url.slice(0, pathAt), path: url.slice(pathAt) });
  return new Promise((resolve, reject) => {
    const exchange = new TextExchange(timeouts, maxBytes, resolve, reject);
    dispatcher.dispatch(options, exchange);
  });
}

/** The dispatcher calls its methods in their order here. */
class TextExchange implements Dispatcher.DispatchHandler {
  readonly #timeouts: Timeouts;
  readonly #maxBytes: number;
  readonly #resolve: (response: TextResponse) => void;
  readonly #reject: (error: GatewayError) => void;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #status = 0;
  #headers: TextResponse['headers'] = {};
  #isOver = false;
  /** As in `exchange.ts`. */
  #controller: Controller | undefined;
  #timer: NodeJS.Timeout;
  #waitMs: number;

  constructor(
    timeouts: Timeouts,
    maxBytes: number,
    resolve: (response: TextResponse) => void,
    reject: (error: GatewayError) => void,
  ) {
    this.#timeouts = timeouts;
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#waitMs = timeouts.connectMs;
    this.#timer = setTimeout(onTimeout, this.#waitMs, this);
  }

  onRequestStart(controller: Controller): void {
    // Throwing drops a request that was canceled in the queue, and leaves the connection to the next one.
    if (this.#isOver) throw new Error('canceled in the queue');
    this.#controller = controller;
    this.#wait(this.#timeouts.firstByteMs);
  }

  onResponseStart(_controller: Controller, status: number, headers: TextResponse['headers']): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) {
      this.#fail(tooLarge(this.#status));
      return;
    }
    this.#wait(this.#timeouts.idleMs);
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#controller = undefined;
    clearTimeout(this.#timer);
    const [first] = this.#chunks;
    const whole = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    const response = { status: this.#status, headers: this.#headers, text: whole.toString() };
    // The connection is free one turn of the event loop from now. A caller that sends its next request at once reuses it.
    process.nextTick(setImmediate, this.#resolve, response);
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#fail(this.#status > 0 ? cut(error) : notSent(error));
  }

  /** From now on. Most waits are as long as the one before. */
  #wait(ms: number): void {
    if (ms === this.#waitMs) {
      this.#timer.refresh();
      return;
    }
    clearTimeout(this.#timer);
    this.#waitMs = ms;
    this.#timer = setTimeout(onTimeout, ms, this);
  }

  expire(): void {
    if (!this.#controller) this.#fail(notConnected(this.#waitMs));
    else if (this.#chunks.length === 0) this.#fail(timedOut(this.#waitMs));
    else this.#fail(idle(this.#waitMs));
  }

  #fail(error: GatewayError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#reject(error);
    this.#controller?.abort(error);
  }
}

/** One function for all timers. */
const onTimeout = (exchange: TextExchange) => exchange.expire();

const tooLarge = (upstreamStatus: number) =>
  new GatewayError('upstream_invalid_answer', 'The service returned a response that is too large.', {
    upstreamStatus,
    mayRetry: false,
  });
