/** The finest detail of images, which only the newest models know; others get the finest of theirs. */
import { pathOf } from '../../core/generation/original/source.ts';
import type { ContentPart, Message } from '../../core/generation/request.ts';
import { type Change, type ConversationRule, overridden } from '../rule.ts';

/** Source: OpenAI's guide "Images and vision": `original` is for gpt-5.4 and later. */
export const originalDetail: ConversationRule = {
  apply: (given, { target }) => {
    if (target.model.traits.originalDetail) return undefined;
    const changes: Change[] = [];
    const lowered = (part: ContentPart): ContentPart => {
      if (part.type !== 'image' || part.detail !== 'original') return part;
      const reason = 'The model does not support this detail. The nearest supported detail is used.';
      const [before, after] = ['original', 'high'];
      changes.push(overridden(pathOf(part, 'detail'), before, after, reason));
      return { ...part, detail: 'high' };
    };
    const messages = given.map((message): Message => {
      if (message.role !== 'user' && message.role !== 'tool') return message;
      if (message.content.every((part) => part.type !== 'image')) return message;
      return { ...message, content: message.content.map(lowered) };
    });
    return changes.length > 0 ? { messages, changes } : undefined;
  },
};
