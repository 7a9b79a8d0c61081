/**
 * Claude on Bedrock for callers of the Messages operation: by InvokeModel, which takes their bodies as they are. Other
 * operations use the Converse API, which they have in common with all models of Bedrock.
 */
import { unsupported } from '../../normalization/rules.ts';
import { bedrockInvoke, invokeCounter } from '../../protocols/bedrock-invoke/protocol.ts';
import { anthropic } from '../anthropic/provider.ts';
import { callingElsewhere, countingWithoutBetas } from '../claude/claude-elsewhere.ts';
import type { Generation } from '../provider.ts';
import { nextAtBedrock } from './betas.ts';

/** Source: AWS, Bedrock user guide, "Request and Response" of Anthropic Claude: a payload of at most 20 MB. */
export const maxPayloadBytes = 20 * 1024 * 1024;

const { rules } = anthropic.generation;

export const bedrockClaude: Generation = {
  protocol: bedrockInvoke,
  call: callingElsewhere(nextAtBedrock),
  counter: countingWithoutBetas(invokeCounter),
  takesImageUrls: false,
  maxRequestBytes: maxPayloadBytes,
  rules: { ...rules, parameters: [...rules.parameters, ...unsupported('service_tier')] },
};
