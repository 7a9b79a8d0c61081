/**
 * A circuit breaker for database calls. The database counts as down when none of this process's calls has been answered
 * for a while, not when one call is slow: a database under load is slow but still answers.
 *
 * - `closed`: the database answers. A call may go on until the database has been silent for the whole timeout.
 * - `open`: the last call timed out. Every call is a probe with a short timeout; any answer closes the breaker.
 */
import type { AwsCall } from '../../core/ports/aws.ts';

/** A call that timed out rejects with this. It may still take place. */
export class DatabaseUnresponsive extends Error {
  constructor() {
    super('The database does not answer.');
    this.name = 'DatabaseUnresponsive';
  }
}

/** The timeout of a call while the breaker is open. */
const probeTimeoutMs = 100;

/** If this process itself was busy, an answer may be waiting to be read: it gets this many turns of the event loop. */
const turnsToRead = 3;

export function withCircuitBreaker(call: AwsCall, timeoutMs: number): AwsCall {
  let answeredAt = 0;
  let state: 'closed' | 'open' = 'closed';
  const close = () => {
    answeredAt = performance.now();
    state = 'closed';
  };
  /** Opens the breaker and calls `onTimeout` once the database has been silent for too long. Returns a cancel function. */
  function startTimeout(onTimeout: () => void): () => void {
    const startedAt = performance.now();
    const limitMs = state === 'open' ? Math.min(probeTimeoutMs, timeoutMs) : timeoutMs;
    const remainingMs = () => limitMs - (performance.now() - Math.max(startedAt, answeredAt));
    let isCancelled = false;
    const check = (turns: number) => {
      if (isCancelled) return;
      if (turns > 0) {
        setImmediate(check, turns - 1);
      } else if (remainingMs() > 0) {
        timer = setTimeout(check, remainingMs(), turnsToRead);
      } else {
        state = 'open';
        onTimeout();
      }
    };
    let timer = setTimeout(check, remainingMs(), turnsToRead);
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }
  return async (...args) => {
    const timedOut = Promise.withResolvers<never>();
    const cancelTimeout = startTimeout(() => timedOut.reject(new DatabaseUnresponsive()));
    try {
      return await Promise.race([call(...args).finally(close), timedOut.promise]);
    } finally {
      cancelTimeout();
    }
  };
}
