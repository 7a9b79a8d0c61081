/** Processes with another time than this one. */

/** The option of Node that shifts `Date.now` of a process by so many milliseconds. */
export const shiftedClock = (shiftMs: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(
    `const now = Date.now; Date.now = () => now() + ${shiftMs};`,
  )}`;
