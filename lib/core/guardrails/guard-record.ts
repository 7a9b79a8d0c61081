/** What the ledger keeps of guardrails. */
import type { Action, Phase } from './policy.ts';

/** What one rule did with one phase of a request, as the ledger keeps it. */
export interface GuardRecord {
  readonly policy: string;
  readonly version: number;
  readonly rule: string;
  readonly phase: Phase;
  /** `pass`: it found nothing. `failed`: its detector did not answer, and the request went on or not, by its `onFailure`. */
  readonly action: Action | 'pass' | 'failed';
  /** What it found, without the matches. */
  readonly labels?: readonly string[];
  /** How long it took, in milliseconds; of several calls together. */
  readonly ms: number;
  /** What the detector bills by. */
  readonly units: number;
  /** Nano-dollars; null: unknown. */
  readonly cost: number | null;
}
