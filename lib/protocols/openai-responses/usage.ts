/** Token counts on the OpenAI Responses wire: those of the chat wire under other names. */
import type { Usage } from '../../core/usage.ts';
import { asObject } from '../json.ts';
import { readUsage as readChatUsage } from '../openai-chat/usage.ts';

/** Undefined where a response carries none. */
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
  return counted?.usage;
}
