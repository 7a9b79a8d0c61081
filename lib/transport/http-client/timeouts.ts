/**
 * The one timer of an exchange. An exchange is always in one phase, so one timer, set anew for each, is enough.
 */
export interface Clock {
  /** Rings once after `ms`, unless it is set again or stopped before. */
  set(ms: number, onRing: () => void): void;
  /** Starts the running time over. Nothing happens when the clock is stopped. */
  restart(): void;
  stop(): void;
}

export function createClock(): Clock {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    set(ms, onRing) {
      stop();
      timer = setTimeout(onRing, ms);
    },
    restart() {
      timer?.refresh();
    },
    stop,
  };
}
