/**
 * A circuit breaker for database calls. The database counts as down when none of this process's calls has been answered
 * for a while, not when one call is slow: a database under load is slow but still answers.
 *
 * - `closed`: the database answers. A call may go on until the database has not answered for the whole timeout.
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

/**
 * A timeout is counted in this many ticks. A process that was busy or suspended gets one tick for the whole time, so an
 * answer that it could not read in that time is no sign that the database is unavailable.
 */
const ticksOfTimeout = 10;

export function withCircuitBreaker(call: AwsCall, timeoutMs: number): AwsCall {
  let answers = 0;
  let state: 'closed' | 'open' = 'closed';
  const close = () => {
    answers += 1;
    state = 'closed';
  };
  /** Opens the breaker and calls `onTimeout` once the database has not answered for too long. Returns a cancel function. */
  function startTimeout(onTimeout: () => void): () => void {
    const limitMs = state === 'open' ? Math.min(probeTimeoutMs, timeoutMs) : timeoutMs;
    let answersBefore = answers;
    let idleTicks = 0;
    const timer = setInterval(() => {
      idleTicks = answers === answersBefore ? idleTicks + 1 : 0;
      answersBefore = answers;
      if (idleTicks < ticksOfTimeout) return;
      clearInterval(timer);
      state = 'open';
      onTimeout();
    }, limitMs / ticksOfTimeout);
    return () => clearInterval(timer);
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
