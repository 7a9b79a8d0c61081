/** What a process has for guardrails. */
import type { FindDetector, HighestCost } from '../guardrails/detection.ts';
import type { Policy, PolicyReference } from '../guardrails/policy.ts';

export interface Guardrails {
  /** Rejects if it cannot be read; undefined: there is no such version. */
  readonly findPolicy: (tenant: string, reference: PolicyReference) => Promise<Policy | undefined>;
  readonly findDetector: FindDetector;
  readonly highestCost: HighestCost;
  /** What a remote rule has found nothing in lately: instructions come with each request. */
  readonly passed: PassedTexts;
}

interface PassedTexts {
  has(key: string): boolean;
  add(key: string): void;
}
