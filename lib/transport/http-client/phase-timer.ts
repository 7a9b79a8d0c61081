/** The one timer of an exchange. An exchange is always in exactly one phase, so one timer, set again for each, is enough. */
interface PhaseTimer {
  /** Calls `onTimeout` once after `ms`, unless the timer is set again or stopped first. */
  set(ms: number, onTimeout: () => void): void;
  /** Starts the current time over. Does nothing when the timer is stopped. */
  restart(): void;
  stop(): void;
}

export function createPhaseTimer(): PhaseTimer {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    set(ms, onTimeout) {
      stop();
      timer = setTimeout(onTimeout, ms);
    },
    restart() {
      timer?.refresh();
    },
    stop,
  };
}
