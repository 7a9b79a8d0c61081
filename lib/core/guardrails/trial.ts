/** What the rules of a guardrail say of a text that no one has sent: an operator tries them. */
import type { Finding } from './detection.ts';
import type { GuardAction } from './guard-record.ts';
import type { Phase, Policy, Rule } from './policy.ts';

export interface Trial {
  readonly tenant: string;
  readonly text: string;
  readonly phase: Phase;
  /** Whether rules whose detectors are elsewhere are asked, too. */
  readonly remote: boolean;
  readonly signal: AbortSignal;
}

export interface RuleTrial {
  readonly rule: Rule;
  /** `not_asked`: of a rule whose detector is elsewhere. */
  readonly action: GuardAction | 'not_asked';
  readonly findings: readonly Finding[];
  /** In milliseconds. */
  readonly ms: number;
  readonly units: number;
  /** Nano-dollars; null: unknown. */
  readonly cost: number | null;
  /** Of `failed`: what was wrong, without what the detector said. */
  readonly failure?: string;
}

/** Of the rules that look at the phase, in their order. */
export type TryPolicy = (policy: Policy, trial: Trial) => Promise<readonly RuleTrial[]>;
