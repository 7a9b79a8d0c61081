/** The settings of the rules that a service outside the gateway applies. */

export const bedrockChecks = ['content', 'attack', 'personal'] as const;
export type BedrockCheck = (typeof bedrockChecks)[number];

export type RemoteRule =
  /** A guardrail of the operator's account at Bedrock: its id or ARN. */
  | {
      readonly kind: 'bedrock';
      readonly guardrail: string;
      readonly guardrailVersion: string;
      readonly region: string;
    }
  /** Checks of Bedrock that need no guardrail there. */
  | {
      readonly kind: 'bedrock_checks';
      readonly region: string;
      /** Absent: all; an answer is not looked at for attacks. */
      readonly checks?: readonly BedrockCheck[];
      /** The least score that is a finding, from 0 to 1. Absent: 0.6. */
      readonly threshold?: number;
      /** Of personal data, as Bedrock names them. Absent: all but those that are in most texts. */
      readonly types?: readonly string[];
      /** What AWS bills the operator for a text unit, in nano-dollars. Absent in old versions: unknown. */
      readonly unitPrice?: number;
    }
  | { readonly kind: 'openai' }
  /** `secret`: with what its calls are signed. Absent in old versions. */
  | { readonly kind: 'webhook'; readonly url: string; readonly secret?: string };
