/**
 * Timeouts that nearly never pass, of which each request has several. A timer of Node's costs a microsecond to make, and another one to
 * clear; here one timer looks four times a second which have passed. So a long one may be a quarter of a second late; a short one is
 * Node's own.
 */
import { monotonicMs } from './monotonic-ms.ts';

export interface Timeout {
  readonly onLate: () => void;
  readonly milliseconds: number;
  /** When it passes, as `monotonicMs()`. */
  at: number;
  readonly timer: NodeJS.Timeout | undefined;
  /** Its neighbours in the ring of all long ones; itself, if it is in none. */
  before: Timeout;
  after: Timeout;
}

const shortMs = 2_000;
const lookMs = 250;

/** Where the ring begins and ends. */
const ring = newTimeout(() => {}, Number.POSITIVE_INFINITY);
let isLooking = false;

/** Calls `onLate` after so many milliseconds, unless it is stopped before. */
export function startTimeout(onLate: () => void, milliseconds: number): Timeout {
  if (milliseconds < shortMs) return newTimeout(onLate, milliseconds, setTimeout(onLate, milliseconds));
  const timeout = newTimeout(onLate, milliseconds);
  timeout.before = ring.before;
  timeout.after = ring;
  ring.before.after = timeout;
  ring.before = timeout;
  lookSoon();
  return timeout;
}

/** From now on. It has not passed, and is not stopped. */
export function restartTimeout(timeout: Timeout): void {
  if (timeout.timer) timeout.timer.refresh();
  else timeout.at = monotonicMs() + timeout.milliseconds;
}

export function stopTimeout(timeout: Timeout): void {
  clearTimeout(timeout.timer);
  timeout.before.after = timeout.after;
  timeout.after.before = timeout.before;
  timeout.before = timeout;
  timeout.after = timeout;
}

function newTimeout(onLate: () => void, milliseconds: number, timer?: NodeJS.Timeout): Timeout {
  const at = monotonicMs() + milliseconds;
  const timeout = { onLate, milliseconds, at, timer } as Timeout;
  timeout.before = timeout;
  timeout.after = timeout;
  return timeout;
}

function lookSoon(): void {
  if (isLooking || ring.after === ring) return;
  isLooking = true;
  setTimeout(look, lookMs);
}

function look(): void {
  isLooking = false;
  const now = monotonicMs();
  const passed: Timeout[] = [];
  for (let one = ring.after; one !== ring; one = one.after) if (one.at <= now) passed.push(one);
  for (const timeout of passed) {
    // One that has passed may have stopped another one.
    if (timeout.after === timeout) continue;
    stopTimeout(timeout);
    timeout.onLate();
  }
  lookSoon();
}
