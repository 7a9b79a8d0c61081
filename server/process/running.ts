/** The requests that run: until their answers have ended, and what their functions still write after that. */
import { withTimeout } from '../../lib/async/with-timeout.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { Interrupt } from '../../lib/core/interrupt.ts';
import { stoppingMessage } from '../http/gateway-responses.ts';
import type { ResponseStream } from '../http/response-stream.ts';

interface RunningRequest {
  readonly response: ResponseStream;
  readonly interrupt: Interrupt;
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
  const running = new Map<ResponseStream, Interrupt>();
  const waiting = new Set<() => void>();
  let all = 0;
  let isClosing = false;
  const forget = (response: ResponseStream) => {
    running.delete(response);
    if (running.size === 0) for (const onNone of waiting) onNone();
  };
  return {
    counts: () => ({ running: running.size, all }),
    add(response, work) {
      all += 1;
      const interrupt = new Interrupt();
      running.set(response, interrupt);
      if (isClosing) response.shouldKeepAlive = false;
      let isClosed = false;
      let isDone = false;
      response.once('close', () => {
        isClosed = true;
        if (!response.writableFinished) interrupt.leave();
        if (isDone) forget(response);
      });
      void work({ response, interrupt }).then(() => {
        isDone = true;
        if (isClosed) forget(response);
      });
    },
    closeConnections() {
      isClosing = true;
      for (const response of running.keys()) response.shouldKeepAlive = false;
    },
    stop() {
      for (const interrupt of running.values()) interrupt.stop(stopping());
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
