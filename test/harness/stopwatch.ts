/**
 * Time that was spent waiting, for tests of timeouts. Time in which the process had no turn, since it or the machine was
 * busy, does not count.
 */
const tickMs = 10;

interface Stopwatch {
  /** Milliseconds of waiting since the start. */
  waitedMs(): number;
}

export function startStopwatch(): Stopwatch {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, tickMs).unref();
  return {
    waitedMs() {
      clearInterval(timer);
      return ticks * tickMs;
    },
  };
}
