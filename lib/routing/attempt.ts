/** One attempt to get an answer from a target, or a target that was passed over, as reported in `debug.routing` and in the log. */
import type { Target } from '../core/catalog/model.ts';

export interface Attempt {
  readonly target: Target;
  /** What the request called the model, if not by its id. */
  readonly requested?: string | undefined;
  /** `skipped`: another target was preferred to it, or it was not allowed. */
  readonly status: 'succeeded' | 'failed' | 'skipped';
  /** Why it failed: the error's code. Why it was skipped: `failing`, or the setting or field that excludes it. */
  readonly reason?: string;
  /** Until it answered, or failed; 0 if it was skipped. */
  readonly latencyMs: number;
}
