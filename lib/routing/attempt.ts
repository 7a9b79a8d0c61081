/** One attempt to get an answer from a target, as reported in `debug.routing` and in the log. */
import type { Target } from '../core/model.ts';

export interface Attempt {
  readonly target: Target;
  readonly status: 'succeeded' | 'failed';
  /** Why it failed: the error's code. */
  readonly reason?: string;
  /** Until it answered, or failed. */
  readonly latencyMs: number;
}
