/**
 * How a host ends a request whose answer is not complete. It has one listener, which is that of the step that the request is in: an
 * AbortController and what listens to its signal would take 5 us of each request.
 */
import type { GatewayError } from './errors/errors.ts';

export class Interrupt {
  /** The client has disconnected, or the server has closed the connection. */
  hasLeft = false;
  /** The server stops: the error to answer with. It may stop after the client has left, too. */
  stopped: GatewayError | undefined = undefined;
  #listener: (() => void) | undefined = undefined;

  leave(): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    // A server that stops closes its connections: who listens has heard of that.
    if (!this.stopped) this.#listener?.();
  }

  stop(error: GatewayError): void {
    this.stopped = error;
    this.#listener?.();
  }

  /** From now on, instead of the one before: also at once, if there is something to hear. Undefined: no one listens. */
  listen(listener: (() => void) | undefined): void {
    this.#listener = listener;
    if (this.isRaised) listener?.();
  }

  get isRaised(): boolean {
    return this.hasLeft || this.stopped !== undefined;
  }
}
