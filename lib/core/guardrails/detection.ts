/** What a detector is asked, and what it answers. */
import type { Phase, Rule } from './policy.ts';

/**
 * Offsets are UTF-16 code units of the text with this index. A finding without an offset is about the whole text. It never has
 * the match itself.
 */
export interface Finding {
  readonly text: number;
  readonly start?: number;
  readonly end?: number;
  /** What was found, such as `email`: a name, which a record may show. */
  readonly label: string;
}

export interface Detection {
  readonly findings: readonly Finding[];
  /** What the detector bills by; 0 for local rules. */
  readonly units: number;
  /** Nano-dollars; null: unknown. */
  readonly cost: number | null;
  /** The new texts of a detector that replaces them itself, one for each. */
  readonly replaced?: readonly string[];
}

interface DetectOptions {
  readonly signal: AbortSignal;
  readonly tenant: string;
}

/** Rejects if the detector fails. */
export type Detect = (texts: readonly string[], phase: Phase, options: DetectOptions) => Promise<Detection>;

/** Finds the detector of a rule. What a kind needs is loaded with the first rule of it. */
export type FindDetector = (rule: Rule) => Promise<Detect>;

/** The most that looking at texts of this length may cost, in nano-dollars, for what is reserved; null: unknown. */
export type HighestCost = (rule: Rule, characters: number) => number | null;
