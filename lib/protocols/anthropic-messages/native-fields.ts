/** The fields of the Messages API that callers may give as `native_fields`. Source: MessageCreateParams in Anthropic's SDKs. */
import {
  choice,
  json,
  type NativeFields,
  namesakes,
  number,
  object,
  over,
  parameter,
  text,
  texts,
} from '../../core/generation/original/native-fields.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { claudeFields } from '../claude-fields.ts';

export const messagesFields: NativeFields = {
  ...claudeFields,
  ...namesakes(number, 'temperature', 'top_p'),
  max_tokens: parameter('max_completion_tokens', 'count'),
  stop_sequences: over(texts, 'stop'),
  metadata: object({ user_id: over(text, 'user') }),
  service_tier: choice('service_tier', { auto: 'auto', standard_only: 'default' }),
  tool_choice: over(json, 'tool_choice', 'parallel_tool_calls'),
  cache_control: object(
    { type: { type: 'text', values: ['ephemeral'] }, ttl: text },
    { reads: (marker: JsonObject) => ({ parameters: {}, marker }) },
  ),
};
