/** Counts the tokens of a message, as Anthropic does. Source: Anthropic's reference, "Count tokens in a Message". */
import { jsonAnswer, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { objectOf, unknownKey } from '../json.ts';
import { countInput } from '../script.ts';
import { checkRequest } from './check.ts';
import { readMessages } from './read.ts';
import { refuse } from './refuse.ts';
import type { Terms } from './terms.ts';

const known = new Set(
  [
    'messages model cache_control context_management mcp_servers output_config output_format system thinking',
    'tool_choice tools speed compaction billing_policy',
  ].flatMap((line) => line.split(' ')),
);

/** What a count does not need, and a message does. */
const unlimited = { max_tokens: Number.MAX_SAFE_INTEGER };

export function countMessage({ body, provider }: SandboxRequest, terms: Terms): SandboxResponse {
  const unknown = unknownKey(objectOf(body), known);
  if (unknown !== undefined) refuse(`${unknown}: Extra inputs are not permitted`);
  const whole: unknown = { ...objectOf(body), ...unlimited };
  checkRequest(whole, terms);
  const input_tokens = countInput(readMessages(whole, provider));
  // Source: `BetaMessageTokensCount` in @anthropic-ai/sdk 1.12.0.
  const edited = 'context_management' in whole;
  const context_management = { original_input_tokens: input_tokens };
  return jsonAnswer({ input_tokens, ...(edited && { context_management }) });
}
