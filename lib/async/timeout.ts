/**
 * Timeouts that nearly never pass, of which each request has several. A timer of Node's costs a microsecond to make, and another one to
 * clear; here one timer looks each second which will have passed at its next look. So a long one may be a second early; a short one is Node's own.
 */
export interface Timeout {
  readonly onLate: () => void;
  readonly milliseconds: number;
  /** When it passes, as `performance.now()`. */
  at: number;
  readonly timer: NodeJS.Timeout | undefined;
}

const shortMs = 10_000;
const lookMs = 1_000;

const long = new Set<Timeout>();
let isLooking = false;

/** Calls `onLate` after so many milliseconds, unless it is stopped before. */
export function startTimeout(onLate: () => void, milliseconds: number): Timeout {
  const timer = milliseconds < shortMs ? setTimeout(onLate, milliseconds) : undefined;
  const timeout = { onLate, milliseconds, at: performance.now() + milliseconds, timer };
  if (!timer) {
    long.add(timeout);
    lookSoon();
  }
  return timeout;
}

export function stopTimeout(timeout: Timeout): void {
  if (timeout.timer) clearTimeout(timeout.timer);
  else long.delete(timeout);
}

/** From now on. It has not passed, and is not stopped. */
export function restartTimeout(timeout: Timeout): void {
  if (timeout.timer) timeout.timer.refresh();
  else timeout.at = performance.now() + timeout.milliseconds;
}

function lookSoon(): void {
  if (isLooking || long.size === 0) return;
  isLooking = true;
  setTimeout(look, lookMs);
}

function look(): void {
  isLooking = false;
  const next = performance.now() + lookMs;
  for (const timeout of long) {
    if (timeout.at > next) continue;
    long.delete(timeout);
    timeout.onLate();
  }
  lookSoon();
}
