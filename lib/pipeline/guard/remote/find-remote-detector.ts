/** Finds the detectors of rules that a service outside the gateway applies. Each kind is loaded with the first rule of it. */
import type { Detect } from '../../../core/guardrails/detection.ts';
import type { RuleTerms } from '../../../core/guardrails/policy.ts';
import type { RemoteRule } from '../../../core/guardrails/remote-rules.ts';
import type { ProviderParts } from './call-provider.ts';
import type { WebhookParts } from './webhook.ts';

export type RemoteParts = ProviderParts & WebhookParts;

export async function findRemoteDetector(rule: RuleTerms & RemoteRule, parts: RemoteParts): Promise<Detect> {
  switch (rule.kind) {
    case 'bedrock':
      return (await import('./bedrock.ts')).bedrockDetector(rule, parts);
    case 'bedrock_checks':
      return (await import('./bedrock-checks.ts')).bedrockChecksDetector(rule, parts);
    case 'openai':
      return (await import('./openai.ts')).openaiDetector(rule, parts);
    case 'webhook':
      return (await import('./webhook.ts')).webhookDetector(rule, parts);
  }
}
