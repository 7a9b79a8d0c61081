/** Guardrail policies: which texts of a request or an answer are looked at, by which rules, and what a finding leads to. */
import type { LocalRule } from './local-rules.ts';
import type { RemoteRule } from './remote-rules.ts';

export const phases = ['input', 'output'] as const;
/** What is looked at: what the caller sends, or what the model answers. */
export type Phase = (typeof phases)[number];

export const actions = ['flag', 'redact', 'block'] as const;
/** What a finding leads to, from the mildest to the strictest. */
export type Action = (typeof actions)[number];

/** What every rule has. */
export interface RuleTerms {
  /** Unique in its policy. */
  readonly id: string;
  readonly on: readonly Phase[];
  readonly action: Action;
  /** Whether the input is looked at before the provider is called, or in parallel with the call. Absent: before. */
  readonly when?: 'before' | 'parallel';
  /** Whether a request goes on when the detector fails. Absent: blocking and redacting rules are closed, flagging ones open. */
  readonly onFailure?: 'open' | 'closed';
  /** Of one call of the detector; absent: 800. */
  readonly timeoutMs?: number;
}

export type Rule = RuleTerms & (LocalRule | RemoteRule);
export type RuleKind = Rule['kind'];

/** One version of a policy. A version never changes. */
export interface Policy {
  readonly id: string;
  readonly version: number;
  /** Absent: the texts since the last turn of the assistant, and the system's. */
  readonly scan?: 'new' | 'all';
  /** Whether an answer is held back in windows or until its end, or only reported. Absent: in windows. */
  readonly output?: 'window' | 'whole' | 'flag';
  /** What a caller gets for a blocked input. Absent: an error. */
  readonly answer?: 'error' | 'refusal';
  readonly rules: readonly Rule[];
}

/** Which version of a policy applies to a tenant, and whether to all its requests or to those that ask for it. */
export interface PolicyReference {
  readonly id: string;
  readonly version: number;
  readonly always: boolean;
}
