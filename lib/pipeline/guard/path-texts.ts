/** Texts that are no conversation. */
import type { Change } from '../../normalization/rule.ts';

export interface PathText {
  readonly text: string;
  /** Where the caller wrote it. */
  readonly path: string;
}

export interface GuardedTexts {
  readonly texts: readonly string[];
  /** What was taken out. */
  readonly changes: readonly Change[];
}
