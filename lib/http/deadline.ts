/** The time limit of a whole request and the client's disconnect, as one signal. */
import { GatewayError } from '../core/errors.ts';
import type { InvocationContext } from './request.ts';

/** Reserved to finish the response before Lambda's own time limit ends the process. */
const reserveMs = 3_000;

export interface Deadline {
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
  /** Stops the timer. Call it when the request is over. */
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
  const onDisconnect = () =>
    controller.abort(new GatewayError('client_closed', 'The client closed the connection.'));
  const timer = setTimeout(expire, remainingMs());
  context.signal?.addEventListener('abort', onDisconnect, { once: true });
  if (context.signal?.aborted) onDisconnect();
  const clear = () => {
    clearTimeout(timer);
    context.signal?.removeEventListener('abort', onDisconnect);
  };
  return { signal: controller.signal, remainingMs, clear };
}
