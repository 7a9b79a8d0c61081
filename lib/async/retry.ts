/** Repeats work that failed, after a pause. */
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from './monotonic-ms.ts';

export interface RetryOptions {
  /** The pauses between attempts, in milliseconds. There is one attempt more than pauses. */
  readonly pausesMs: readonly number[];
  /** True: each pause is a random part of its length, so that many callers do not retry at the same moment. */
  readonly jitter?: boolean;
  /** Whether another attempt may follow an error; by default it may. */
  readonly mayRetry?: (error: unknown) => boolean;
  /** No pause goes beyond this time, counted from the start. */
  readonly timeoutMs?: number;
  /** Once it is aborted, no attempt follows. Asked for only when an attempt has failed. */
  readonly signal?: () => AbortSignal;
}

/** Rejects with the error of the last attempt. */
export async function retry<Result>(work: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  const { pausesMs, jitter = false, mayRetry, timeoutMs = Number.POSITIVE_INFINITY } = options;
  const until = monotonicMs() + timeoutMs;
  for (const longestMs of pausesMs) {
    const pauseMs = jitter ? Math.random() * longestMs : longestMs;
    try {
      return await work();
    } catch (error) {
      const isLate = monotonicMs() + pauseMs >= until;
      const signal = options.signal?.();
      if (isLate || signal?.aborted || mayRetry?.(error) === false) throw error;
      await sleep(pauseMs, undefined, { ...(signal && { signal }) }).catch(() => undefined);
      if (signal?.aborted) throw error;
    }
  }
  return await work();
}
