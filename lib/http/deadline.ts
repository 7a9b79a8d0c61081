/** The time limit of a whole request, the client's disconnect and the end of the host, as one signal. */

import { startTimeout, stopTimeout } from '../async/timeout.ts';
import type { BufferedLimit } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors/errors.ts';
import type { ReadOn } from '../core/read-on.ts';
import type { RequestHost } from './request/http-request.ts';

/** Reserved to finish the response before Lambda's own time limit ends the process. */
const reserveMs = 3_000;

export interface Deadline {
  readonly signal: AbortSignal;
  /** Aborted with it, but later where only the caller has left: what a provider generates is read on for its counts. */
  readonly lasting: AbortSignal;
  readonly remainingMs: () => number;
  /** From now on, the request ends with the host, and no longer with its caller. */
  readonly outliveCaller: () => void;
  /** Aborts the signal. */
  readonly abort: (reason: GatewayError) => void;
  /** Stops the timers. Call it when the request is over. */
  readonly clear: () => void;
}

/** Without `readOn`, calls end with the request. */
export function startDeadline(
  { interrupt, remainingMs: hostMs }: Pick<RequestHost, 'interrupt' | 'remainingMs'>,
  readOn?: ReadOn,
): Deadline {
  const controller = new AbortController();
  // Where no caller can leave before it, the request and its calls end together.
  const lasting = interrupt && readOn ? new AbortController() : controller;
  const abort = (reason: GatewayError) => {
    controller.abort(reason);
    lasting.abort(reason);
  };
  const remainingMs = () => Math.max(0, hostMs() - reserveMs);
  const expire = () => {
    const message =
      'The request took longer than the gateway allows. Ask for a shorter answer and try again.';
    abort(new GatewayError('deadline_exceeded', message));
  };
  let endReading = () => {};
  let outlives = false;
  const timeout = startTimeout(expire, remainingMs());
  interrupt?.listen(() => {
    const { stopped } = interrupt;
    if (stopped) return abort(stopped);
    if (outlives) return;
    const reason = new GatewayError('client_closed', 'The client closed the connection.');
    controller.abort(reason);
    endReading = startReading(readOn, () => lasting.abort(reason));
  });
  const clear = () => {
    stopTimeout(timeout);
    interrupt?.listen(undefined);
    endReading();
  };
  const outliveCaller = () => {
    outlives = true;
  };
  return { signal: controller.signal, lasting: lasting.signal, remainingMs, outliveCaller, abort, clear };
}

/** Calls `stop` when nothing is read on any more, which may be at once. Call the result when the request is over. */
function startReading(readOn: ReadOn | undefined, stop: () => void) {
  const end = readOn?.begin();
  if (!end) stop();
  const timer = end && setTimeout(stop, readOn?.limitMs);
  return () => {
    clearTimeout(timer);
    end?.();
  };
}

/** API Gateway closes a connection that carries nothing for five minutes. */
const maxIdleMs = 285_000;

export type BufferedDeadline = Pick<Deadline, 'remainingMs' | 'clear'>;

/**
 * The deadline for making an answer that is not streamed: it ends the request itself. JSON cannot begin before it is complete, so the
 * caller's connection is idle until then; and the complete answer must still be sent in time. Clear it when the answer is made.
 */
export function startBufferedDeadline(
  { remainingMs: allMs, abort }: Pick<Deadline, 'remainingMs' | 'abort'>,
  { share, message }: BufferedLimit,
): BufferedDeadline {
  const total = allMs();
  const reservedMs = total - Math.min(total * share, maxIdleMs);
  const remainingMs = () => Math.max(0, allMs() - reservedMs);
  const expire = () => abort(new GatewayError('deadline_exceeded', message));
  const timeout = startTimeout(expire, remainingMs());
  return { remainingMs, clear: () => stopTimeout(timeout) };
}
