/** The requests that run: until their answers have ended, and what their functions still write after that. */
import { withTimeout } from '../../lib/async/with-timeout.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { CallerLeft } from '../../lib/core/read-on.ts';
import { stoppingMessage } from '../http/gateway-responses.ts';
import type { ResponseStream } from '../http/response-stream.ts';

interface RunningRequest {
  readonly response: ResponseStream;
  /** Aborts with CallerLeft as its reason when the client disconnects, and with a GatewayError when the server stops. */
  readonly signal: AbortSignal;
}

export interface RunningCounts {
  readonly running: number;
  /** Since the start. */
  readonly all: number;
}

export interface RunningRequests {
  counts(): RunningCounts;
  /** `work` resolves when everything about the request is done; it never rejects. */
  add(response: ResponseStream, work: (request: RunningRequest) => Promise<void>): void;
  /** From now on, each answer that begins also closes its connection. */
  closeConnections(): void;
  /** The functions get an error in place of what they wait for, so that they can report it in their answers. */
  stop(): void;
  /** Resolves when none runs, at the latest after so many milliseconds. */
  ended(withinMs: number): Promise<void>;
}

export function createRunningRequests(): RunningRequests {
  const running = new Map<ResponseStream, AbortController>();
  const waiting = new Set<() => void>();
  let all = 0;
  let isClosing = false;
  const forget = (response: ResponseStream) => {
    running.delete(response);
    if (running.size === 0) for (const onNone of waiting) onNone();
  };
  /** What the function does for a caller who has left also ends when the server stops. */
  const leave = (response: ResponseStream, controller: AbortController) => {
    const rest = new AbortController();
    running.set(response, rest);
    controller.abort(new CallerLeft(rest.signal));
  };
  return {
    counts: () => ({ running: running.size, all }),
    add(response, work) {
      all += 1;
      const controller = new AbortController();
      running.set(response, controller);
      if (isClosing) response.shouldKeepAlive = false;
      let isClosed = false;
      let isDone = false;
      response.once('close', () => {
        isClosed = true;
        if (!response.writableFinished) leave(response, controller);
        if (isDone) forget(response);
      });
      void work({ response, signal: controller.signal }).then(() => {
        isDone = true;
        if (isClosed) forget(response);
      });
    },
    closeConnections() {
      isClosing = true;
      for (const response of running.keys()) response.shouldKeepAlive = false;
    },
    stop() {
      for (const controller of running.values()) controller.abort(stopping());
    },
    async ended(withinMs) {
      if (running.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      await withTimeout(promise, withinMs, () => {});
      waiting.delete(resolve);
    },
  };
}

export const stopping = () => new GatewayError('gateway_stopping', stoppingMessage);

/** Whether the server stops, and not the client. */
export const isStopped = ({ reason }: AbortSignal): boolean => reason instanceof GatewayError;
