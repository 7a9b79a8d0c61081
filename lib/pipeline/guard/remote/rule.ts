/** One rule of a detector outside the gateway. */
import type { RuleTerms } from '../../../core/guardrails/policy.ts';
import type { RemoteRule } from '../../../core/guardrails/remote-rules.ts';

export type RemoteRuleOf<Kind extends RemoteRule['kind']> = RuleTerms & Extract<RemoteRule, { kind: Kind }>;

const defaultTimeoutMs = 800;
const maxTimeoutMs = 3_000;

/** Of one call. */
export const timeoutOf = ({ timeoutMs = defaultTimeoutMs }: RuleTerms): number =>
  Math.min(timeoutMs, maxTimeoutMs);
