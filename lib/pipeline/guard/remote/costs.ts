/**
 * What detectors cost. Source of the prices, and of the text unit of 1,000 characters: the pricing page of Amazon Bedrock as quoted by
 * hivebook.wiki, 2026-11-28.
 */
import { bedrockChecks, type RemoteRule } from '../../../core/guardrails/remote-rules.ts';
import { maxCalls } from './pieces.ts';

const charactersOfUnit = 1_000;

/** Of one call: as many as Bedrock takes in a second in most regions. */
export const maxCharacters = 25 * charactersOfUnit;

/** Nano-dollars for a unit, by the name of the count in `usage`. Words and expressions are free. */
export const prices: Readonly<Record<string, number>> = {
  contentPolicyUnits: 150_000,
  topicPolicyUnits: 150_000,
  sensitiveInformationPolicyUnits: 100_000,
  contextualGroundingPolicyUnits: 100_000,
};

/** Of the policies that look at texts without a source to compare them with. */
const highestPrice = 150_000 + 150_000 + 100_000;

/** The most that looking at texts of this length may cost, in nano-dollars; null: unknown. */
export function highestRemoteCost(rule: RemoteRule, characters: number): number | null {
  // OpenAI's moderation is free, and what a webhook costs is not the gateway's.
  if (rule.kind === 'openai' || rule.kind === 'webhook') return 0;
  const calls = maxCalls(characters, maxCharacters);
  // Each further call begins a unit, and has some characters again.
  const units = Math.ceil(characters / charactersOfUnit) + 2 * (calls - 1);
  if (rule.kind === 'bedrock') return units * highestPrice;
  const { unitPrice, checks = bedrockChecks } = rule;
  return unitPrice === undefined ? null : units * checks.length * unitPrice;
}
