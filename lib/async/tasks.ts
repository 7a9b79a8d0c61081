/** Work that goes on when no one waits for it: how much of it there is at a time, and how it ends. */
import { withTimeout } from './with-timeout.ts';

export interface Tasks {
  /** Starts the work, which never rejects; false if there is too much already, or it is stopped. */
  start(work: (signal: AbortSignal) => Promise<void>): boolean;
  /** Aborts the signal of all work. */
  stop(reason: Error): void;
  /** Resolves when none runs, at the latest after so many milliseconds. */
  ended(withinMs: number): Promise<void>;
}

export function createTasks(maxRunning: number): Tasks {
  const running = new Set<Promise<void>>();
  const controller = new AbortController();
  return {
    start(work) {
      if (running.size >= maxRunning || controller.signal.aborted) return false;
      const task = work(controller.signal).finally(() => running.delete(task));
      running.add(task);
      return true;
    },
    stop: (reason) => controller.abort(reason),
    async ended(withinMs) {
      const allEnded = async () => {
        while (running.size > 0) await Promise.all(running);
      };
      await withTimeout(allEnded(), withinMs, () => {});
    },
  };
}
