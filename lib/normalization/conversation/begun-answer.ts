/** The beginning of an answer, which is a last message of the assistant's: some hosts continue it without reasoning only. */
import { pathOf } from '../../core/generation/original/source.ts';
import { willReason } from '../effort.ts';
import { type ConversationRule, overridden } from '../rule.ts';

/** Source: Alibaba Cloud Model Studio, "Partial mode": its models have it in non-thinking mode. */
export const continuedWithoutReasoning: ConversationRule = {
  apply: (messages, { parameters, target }) => {
    const last = messages.at(-1);
    if (last?.role !== 'assistant' || !willReason(parameters, target)) return undefined;
    const change = overridden(
      pathOf(last),
      { continued: true },
      { continued: false },
      'The model does not continue an assistant message while it reasons. It answers after it.',
    );
    return { messages: messages.with(-1, { ...last, continued: false }), changes: [change] };
  },
};
