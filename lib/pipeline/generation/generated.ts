/** What `generate` gives. */

import type { Piped } from '../../async/pipe.ts';
import type { CacheVerdict } from '../../core/caching.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { Change } from '../../normalization/rule.ts';
import type { Attempt } from '../../routing/attempt.ts';
import type { DryRun } from '../dry-run/dry-run.ts';

export interface Generated {
  readonly target: Target;
  readonly attempts: readonly Attempt[];
  /** Everything that was changed of the caller's request. Complete when the events have been read. */
  readonly changes: readonly Change[];
  /** Whether the events have the target's own, in the caller's protocol. */
  readonly isOriginal: boolean;
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
  /** How a checked JSON answer fared, where it does not simply fit and that is known before it is sent. */
  readonly schema?: 'mismatch' | 'repaired';
  /** Of a request that was not sent. */
  readonly dry?: { readonly inputTokens: number; readonly report: DryRun };
  /** Absent: neither the request nor its key or tenant asked for the cache. */
  readonly cache?: CacheVerdict;
  /** Of an answer from the cache: the estimated tokens of its input. */
  readonly replayedInputTokens?: number;
  /** The whole answer from its first event on. Must be read to its end, or left by `return`. */
  readonly events: Piped<GenerationEvent>;
}
