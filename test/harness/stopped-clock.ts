/** A clock that moves only when a test moves it: what is counted by the minute does not depend on when the tests run. */
import { afterAll, beforeAll } from 'vitest';

export interface StoppedClock {
  /** Sets the time within the minute in which the tests started, or in a later one. */
  set(offset: { readonly minutes?: number; readonly seconds: number }): void;
}

const minuteMs = 60_000;

/** Stops `Date.now` for the tests of a file, 30 seconds into a minute. Call it before a gateway is started. */
export function useStoppedClock(): StoppedClock {
  const running = Date.now;
  const start = Math.floor(running() / minuteMs) * minuteMs;
  let time = start + 30_000;
  beforeAll(() => {
    Date.now = () => time;
  });
  afterAll(() => {
    Date.now = running;
  });
  return {
    set({ minutes = 0, seconds }) {
      time = start + minutes * minuteMs + seconds * 1_000;
    },
  };
}
