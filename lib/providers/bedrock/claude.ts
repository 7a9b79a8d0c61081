/**
 * Claude on Bedrock for callers of the Messages operation: by InvokeModel, which takes their bodies as they are. Other
 * operations use the Converse API, which they have in common with all models of Bedrock.
 */

import { unsupported } from '../../normalization/rules.ts';
import { bedrockInvoke, invokeCounter, messageOf } from '../../protocols/bedrock-invoke/protocol.ts';
import { lookUp } from '../../protocols/json.ts';
import { anthropic } from '../anthropic/provider.ts';
import {
  callingElsewhere,
  countingWithoutBetas,
  type NextBetas,
  otherNames,
} from '../claude/claude-elsewhere.ts';
import type { Generation } from '../provider.ts';

/**
 * Betas that some model of Bedrock takes. Sources: AWS, Bedrock user guide, "Request and Response", "Tool use" and "Compaction" of
 * Anthropic Claude, as listed in BerriAI/litellm pull requests 19877 and 29206; its anthropic_beta_headers_config.json.
 */
const known: ReadonlySet<string> = new Set([
  'compact-2026-01-12',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dangerous-tool-use-2026-09-03',
  'dev-full-thinking-2025-05-14',
  'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'mid-conversation-output-config-2026-07-01',
  'mid-conversation-tool-changes-2026-07-01',
  'output-128k-2025-02-19',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'token-efficient-tools-2025-02-19',
  'tool-examples-2025-10-29',
  'tool-search-tool-2025-10-19',
]);

/** Bedrock refuses betas without their names. Source: anthropics/claude-code issues 49370 and 56595. */
const nextAtBedrock: NextBetas = (body, sent) => {
  if (!/^invalid beta flag/i.test(messageOf(body))) return undefined;
  const named = sent.map((beta) => lookUp(otherNames, beta) ?? beta);
  const taken = [...new Set(named)].filter((beta) => known.has(beta));
  return taken.join() === sent.join() ? [] : taken;
};

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
