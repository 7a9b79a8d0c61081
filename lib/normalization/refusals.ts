/** An assistant's refusal in a history, for hosts that do not know OpenAI's field for it: it becomes text. */
import type { AssistantText } from '../core/generation/request.ts';
import type { MessageRule } from './rule.ts';

/** Source: BerriAI/litellm issue 30835: Mistral refuses fields of messages that it does not know (`extra_forbidden`). */
export const refusalsAsText: MessageRule = {
  reason: 'The provider does not support refusals in messages. The text is sent.',
  apply: (message) => {
    if (message.role !== 'assistant' || message.refusal === undefined) return undefined;
    const { refusal, ...rest } = message;
    const said: AssistantText = { type: 'text', text: refusal };
    return {
      message: { ...rest, content: [...message.content, said] },
      field: 'refusal',
      before: { type: 'refusal' },
      after: { type: 'text' },
    };
  },
};
