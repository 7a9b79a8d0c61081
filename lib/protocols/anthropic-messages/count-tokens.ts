/**
 * Counts tokens at Anthropic. Sources: Anthropic's reference, "Count tokens in a Message"; `MessageCountTokensParams` and
 * `BetaMessageTokensCount` in @anthropic-ai/sdk 1.12.0.
 */

import { asObject } from '../../core/formats/json-object.ts';
import type { TokenCounter } from '../../core/generation/original/protocol.ts';
import { readCount } from '../token-count.ts';

/** What is about the answer and not the input. Every other field is sent, because callers may have newer ones. */
const ofAnswers: ReadonlySet<string> = new Set(
  [
    'max_tokens stream stop_sequences temperature top_p top_k metadata service_tier container inference_geo',
    'diagnostics safeguards fallbacks fallback_credit_token thread',
  ].flatMap((line) => line.split(' ')),
);

export const messagesCounter: TokenCounter = {
  path: () => '/messages/count_tokens',
  body: (request) => Object.fromEntries(Object.entries(request).filter(([name]) => !ofAnswers.has(name))),
  read: (answer) => readCount(answer, 'input_tokens'),
  readOthers(answer) {
    const { context_management } = asObject(answer);
    return context_management ? { context_management } : {};
  },
};
