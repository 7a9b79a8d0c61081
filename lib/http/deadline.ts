/** The one clock of a whole request, and the caller's leaving, as one signal. */
import { GatewayError } from '../core/errors.ts';
import type { InvocationContext } from './request.ts';

/** Left for finishing the answer properly before Lambda's own limit ends the process. */
const reserveMs = 3_000;

export interface Deadline {
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
  /** Stops the clock; call it when the request is over. */
  readonly clear: () => void;
}

export function startDeadline(context: InvocationContext): Deadline {
  const controller = new AbortController();
  const remainingMs = () => Math.max(0, context.getRemainingTimeInMillis() - reserveMs);
  const expire = () => {
    const message =
      'The request took longer than the gateway allows. Ask for a shorter answer and try again.';
    controller.abort(new GatewayError('deadline_exceeded', message));
  };
  const leave = () =>
    controller.abort(new GatewayError('client_closed', 'The client closed the connection.'));
  const timer = setTimeout(expire, remainingMs());
  context.signal?.addEventListener('abort', leave, { once: true });
  if (context.signal?.aborted) leave();
  const clear = () => {
    clearTimeout(timer);
    context.signal?.removeEventListener('abort', leave);
  };
  return { signal: controller.signal, remainingMs, clear };
}
