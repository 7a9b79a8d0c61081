/** Token counts of the OpenAI Responses protocol: those of the chat protocol under other names. */

import { asObject } from '../../core/formats/json-object.ts';
import { hostedCallsOf } from '../../core/generation/tools/tool-counts.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { readToolCounts } from '../counts.ts';
import { asCount } from '../json.ts';
import { readUsage as readChatUsage } from '../openai-chat/usage.ts';
import type * as wire from './wire.ts';

/** Undefined if a response has none. */
export function readUsage(source: unknown): Usage | undefined {
  const usage = asObject<wire.Usage>(source);
  const counted = readChatUsage({
    usage: {
      prompt_tokens: usage.input_tokens,
      completion_tokens: usage.output_tokens,
      total_tokens: usage.total_tokens,
      prompt_tokens_details: usage.input_tokens_details,
      completion_tokens_details: usage.output_tokens_details,
      cost: usage.cost,
      cost_in_usd_ticks: usage.cost_in_usd_ticks,
    },
  });
  return counted && { ...counted.usage, ...readServerTools(usage) };
}

/** Searches are counted apart; servers of callers cost their tokens alone. Source: xAI "Pricing", tool invocations. */
const notHosted = new Set(['web_search', 'mcp']);

/** xAI counts the calls of its tools, and also charges for pages that were read. Without details they are searches. */
function readServerTools(usage: wire.Usage): Pick<Usage, 'webSearches' | 'hostedCalls'> {
  const { server_side_tool_usage_details: details } = usage;
  const counts = asObject(details);
  const searches = asCount(details ? counts.web_search_calls : usage.num_server_side_tools_used);
  return {
    ...(searches > 0 && { webSearches: searches }),
    ...hostedCallsOf(readToolCounts(counts, '_calls', notHosted)),
  };
}
