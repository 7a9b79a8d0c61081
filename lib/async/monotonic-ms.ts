/**
 * A time in milliseconds that only grows, whatever is done to the time of day. `performance.now()` says the same, but Node loads a module
 * for it, which takes a function a millisecond of its start.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
