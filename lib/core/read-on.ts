/**
 * Reading on: a provider whose caller has left is still read to its counts, which come last, because it charges for what it generates.
 * For a bounded time, bytes and number of requests: after that, the call is closed and its use estimated.
 */

/** After the caller has left, in milliseconds. Most answers that are left near their end report their counts by then. */
export const maxReadOnMs = 30_000;

/** Of one stream. */
export const maxReadOnBytes = 16 * 1024 * 1024;

/** Requests of one process at a time. */
export const maxReadingOn = 256;

export type ReadOn = ReturnType<typeof createReadOn>;

/** Shared by the requests of a process. With a limit of 0, none is read on. */
export function createReadOn(limitMs = maxReadOnMs) {
  let running = 0;
  return {
    limitMs,
    /** Call the result when the request is over. Undefined: this one is not read on, because too many are. */
    begin() {
      if (limitMs === 0 || running >= maxReadingOn) return undefined;
      running += 1;
      let isOver = false;
      return () => {
        if (!isOver) running -= 1;
        isOver = true;
      };
    },
  };
}
