/** Whether a failed call of a target is repeated, and after which wait. */
import type { GatewayError } from '../core/errors/errors.ts';

const maxTries = 2;
const shortestWaitMs = 500;
/** A longer wait is not worth it: another target, or the caller, is better served at once. */
const longestWaitMs = 10_000;

interface RetryState {
  /** Calls of the target so far. */
  readonly tries: number;
  /** Until the caller's deadline. */
  readonly remainingMs: number;
  /** From 0 to 1; random where absent. */
  readonly jitter?: number;
}

/**
 * The wait in milliseconds when the failure allows one more call of the same target: what the provider asked for, at least
 * half a second, plus up to a quarter of jitter, if that fits the deadline. Undefined: the target is not called again.
 */
export function retryWaitMs(
  error: GatewayError,
  { tries, remainingMs, jitter = Math.random() }: RetryState,
): number | undefined {
  if (error.recovery !== 'retry' || tries >= maxTries) return undefined;
  const requested = Math.max(error.retryAfterMs ?? 0, shortestWaitMs);
  const waitMs = requested * (1 + jitter / 4);
  return requested > longestWaitMs || waitMs >= remainingMs ? undefined : waitMs;
}
