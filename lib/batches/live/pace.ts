/** How many requests run at a time: as many as their provider and the caller's limits take without refusals for their rate. */

export const maxAtOnce = 64;

/** Where it begins. */
const firstAtOnce = 8;

const shortestPauseMs = 1_000;
const longestPauseMs = 60_000;

interface Pace {
  /** Whether one more may begin. */
  mayBegin(running: number, now: number): boolean;
  /** How long nothing may begin, in milliseconds. */
  pauseMs(now: number): number;
  succeeded(): void;
  refused(now: number, retryAfterMs: number): void;
}

export function createPace(): Pace {
  let atOnce = firstAtOnce;
  let pausedUntil = 0;
  let refusals = 0;
  return {
    mayBegin: (running, now) => running < Math.floor(atOnce) && now >= pausedUntil,
    pauseMs: (now) => Math.max(0, pausedUntil - now),
    succeeded() {
      refusals = 0;
      // With each round of answers, one more.
      atOnce = Math.min(maxAtOnce, atOnce + 1 / Math.floor(atOnce));
    },
    refused(now, retryAfterMs) {
      // Those that ran at the same time are refused for the same reason.
      if (now < pausedUntil) return;
      atOnce = Math.max(1, atOnce / 2);
      const own = Math.min(longestPauseMs, shortestPauseMs * 2 ** refusals);
      pausedUntil = now + Math.min(longestPauseMs, Math.max(own, retryAfterMs));
      refusals += 1;
    },
  };
}
