/** What the ledger keeps of guardrails. */
import type { Phase } from './policy.ts';

/**
 * What a rule did, from what says least. `pass`: it found nothing. `failed`: its detector did not answer, and the request went on or
 * not, by its `onFailure`.
 */
export const guardActions = ['pass', 'flag', 'redact', 'failed', 'block'] as const;
export type GuardAction = (typeof guardActions)[number];

export const strictest = (one: GuardAction, other: GuardAction): GuardAction =>
  guardActions.indexOf(one) > guardActions.indexOf(other) ? one : other;

/** What one rule did with one phase of a request, as the ledger keeps it. */
export interface GuardRecord {
  readonly policy: string;
  readonly version: number;
  readonly rule: string;
  readonly phase: Phase;
  readonly action: GuardAction;
  /** What it found, without the matches. */
  readonly labels?: readonly string[];
  /** How long it took, in milliseconds; of several calls together. */
  readonly ms: number;
  /** What the detector bills by. */
  readonly units: number;
  /** Nano-dollars; null: unknown. */
  readonly cost: number | null;
}
