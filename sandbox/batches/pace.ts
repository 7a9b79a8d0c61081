/** How far batches of the sandbox are, by the time since they began, in milliseconds. */
export interface BatchPace {
  /** Which part of the lines is answered: from 0 to 1. */
  readonly answered: (elapsedMs: number) => number;
  /** Whether the provider has given up the others. */
  readonly isExpired: (elapsedMs: number) => boolean;
}

const dayMs = 86_400_000;

/** Each takes this long. */
export const paceOf = (milliseconds: number): BatchPace => ({
  answered: (elapsedMs) => (elapsedMs >= milliseconds ? 1 : elapsedMs / milliseconds),
  isExpired: (elapsedMs) => elapsedMs > dayMs,
});
