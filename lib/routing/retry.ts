/** Whether the same target is asked a second time, and after which wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayError } from '../core/errors.ts';

const maxTries = 2;
const shortestWaitMs = 500;
/** Longer waits are not worth it: another target, or the caller, is better served at once. */
const longestWaitMs = 10_000;

export interface RetryOptions {
  readonly remainingMs: () => number;
  readonly signal: AbortSignal;
}

/**
 * Waits and gives true when the failure allows one more try of the same target: what the provider asked for, else half a
 * second, plus up to a quarter of jitter, if that fits the deadline. Gives false at once otherwise.
 */
export async function retryDelay(
  error: GatewayError,
  tries: number,
  { remainingMs, signal }: RetryOptions,
): Promise<boolean> {
  if (error.recovery !== 'retry' || tries >= maxTries) return false;
  const asked = Math.max(error.retryAfterMs ?? 0, shortestWaitMs);
  const wait = asked * (1 + Math.random() / 4);
  if (asked > longestWaitMs || wait >= remainingMs()) return false;
  await sleep(wait, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
