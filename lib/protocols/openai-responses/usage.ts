/** Token counts of the OpenAI Responses protocol: those of the chat protocol under other names. */
import type { Usage } from '../../core/generation/usage.ts';
import { asCount, asObject } from '../json.ts';
import { readUsage as readChatUsage } from '../openai-chat/usage.ts';

/** Undefined if a response has none. */
export function readUsage(source: unknown): Usage | undefined {
  const usage = asObject(source);
  const counted = readChatUsage({
    usage: {
      prompt_tokens: usage.input_tokens,
      completion_tokens: usage.output_tokens,
      total_tokens: usage.total_tokens,
      prompt_tokens_details: usage.input_tokens_details,
      completion_tokens_details: usage.output_tokens_details,
    },
  });
  // xAI also charges for pages that were read.
  const webSearches = asCount(usage.num_server_side_tools_used);
  return counted && { ...counted.usage, ...(webSearches > 0 && { webSearches }) };
}
