/** A time limit of work that also waits for its turn: the wait is not included, since others decide how long it is. */
import { monotonicMs } from './monotonic-ms.ts';

export interface WorkTime {
  /** Is aborted when the time is over. */
  readonly signal: AbortSignal;
  /** Does a part of the work, one after the other. It must end by itself when the signal is aborted. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createWorkTime(limitMs: number): WorkTime {
  const over = new AbortController();
  let leftMs = limitMs;
  return {
    signal: over.signal,
    async run(work) {
      const begun = monotonicMs();
      const timer = setTimeout(() => over.abort(), Math.max(0, leftMs));
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        leftMs -= monotonicMs() - begun;
      }
    },
  };
}
