/** The time limit of a whole request, the client's disconnect and the end of the host, as one signal. */
import { GatewayError } from '../core/errors.ts';
import type { InvocationContext } from './request.ts';

/** Reserved to finish the response before Lambda's own time limit ends the process. */
const reserveMs = 3_000;

export interface Deadline {
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
  /** Aborts the signal. */
  readonly abort: (reason: GatewayError) => void;
  /** Stops the timer. Call it when the request is over. */
  readonly clear: () => void;
}

/**
 * In whole seconds where it is long: timers of one length are one list in Node, while each length of its own is one more to be
 * sorted in.
 */
export const timerMs = (milliseconds: number): number =>
  milliseconds > 60_000 ? milliseconds - (milliseconds % 1_000) : milliseconds;

export function startDeadline(context: InvocationContext): Deadline {
  const controller = new AbortController();
  const remainingMs = () => Math.max(0, context.getRemainingTimeInMillis() - reserveMs);
  const expire = () => {
    const message =
      'The request took longer than the gateway allows. Ask for a shorter answer and try again.';
    controller.abort(new GatewayError('deadline_exceeded', message));
  };
  const onAbort = () => controller.abort(reasonOf(context.signal));
  const timer = setTimeout(expire, timerMs(remainingMs()));
  context.signal?.addEventListener('abort', onAbort, { once: true });
  if (context.signal?.aborted) onAbort();
  const clear = () => {
    clearTimeout(timer);
    context.signal?.removeEventListener('abort', onAbort);
  };
  return { signal: controller.signal, remainingMs, abort: (reason) => controller.abort(reason), clear };
}

/** A host that stops gives its own reason. */
const reasonOf = (signal: AbortSignal | undefined): GatewayError =>
  signal?.reason instanceof GatewayError
    ? signal.reason
    : new GatewayError('client_closed', 'The client closed the connection.');
