/** The settings of the rules that a service outside the gateway applies. */

export type RemoteRule =
  | {
      readonly kind: 'bedrock';
      readonly guardrail: string;
      readonly guardrailVersion: string;
      readonly region: string;
    }
  | { readonly kind: 'bedrock_checks'; readonly region: string }
  | { readonly kind: 'openai' }
  | { readonly kind: 'webhook'; readonly url: string };
