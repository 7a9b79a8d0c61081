/** The Anthropic Messages API. */

import { asObject } from '../../core/formats/json-object.ts';
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
import type { GenerationProtocol, TokenCounter } from '../../core/generation/original/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { claudeFields } from '../claude.ts';
import { countedIn, readCount } from '../counts.ts';
import { decodeBody, decodeStream } from './decode.ts';
import { encode } from './encode.ts';
import { readFailure } from './failure.ts';
import { encodeOriginal } from './original.ts';
import { readTier, readUsage } from './usage.ts';
import type * as wire from './wire.ts';

/** The fields that callers may give as `native_fields`. Source: MessageCreateParams in Anthropic's SDKs. */
const messagesFields: NativeFields = {
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

export const anthropicMessages: GenerationProtocol = {
  name: 'anthropic-messages',
  nativeFields: () => messagesFields,
  framing: 'sse',
  path: () => '/messages',
  encode,
  encodeOriginal,
  decodeBody,
  decodeStream,
  readUsage: (body) => {
    const { usage } = asObject<wire.Message>(body);
    return countedIn(usage, (counts) => readUsage(counts), readTier(asObject(usage)));
  },
  readFailure,
};

/** What is about the answer and not the input. Every other field is sent, because callers may have newer ones. */
const ofAnswers: ReadonlySet<string> = new Set(
  [
    'max_tokens stream stop_sequences temperature top_p top_k metadata service_tier container inference_geo',
    'diagnostics safeguards fallbacks fallback_credit_token thread',
  ].flatMap((line) => line.split(' ')),
);

/** Sources: Anthropic's reference, "Count tokens in a Message"; `MessageCountTokensParams` in @anthropic-ai/sdk 1.12.0. */
export const messagesCounter: TokenCounter = {
  path: () => '/messages/count_tokens',
  body: (request) => Object.fromEntries(Object.entries(request).filter(([name]) => !ofAnswers.has(name))),
  read: (answer) => readCount(answer, 'input_tokens'),
  readOthers(answer) {
    const { context_management } = asObject(answer);
    return context_management ? { context_management } : {};
  },
};
