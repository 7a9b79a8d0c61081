/** Images and documents in tool results. Where a protocol takes only text there, a user message after them shows the rest. */
import { pathOf, source, wholeSource } from '../../core/generation/original/source.ts';
import type { ContentPart, Message, TextPart } from '../../core/generation/request.ts';
import { type Change, type ConversationRule, overridden } from '../rule.ts';

/** A text of the gateway that refers to an attachment. */
function label(text: string, attachment: ContentPart): TextPart {
  return { type: 'text', text, [source]: wholeSource(pathOf(attachment)) };
}

/** What results may hold, and the reason for moving the rest. */
interface Results {
  readonly taken: readonly ContentPart['type'][];
  readonly reason: string;
}

export const onlyTextInResults: ConversationRule = resultsOf({
  taken: ['text'],
  reason: 'The provider supports only text in tool results.',
});

/** Source: anomalyco/opencode PR 28561 (xAI). */
export const noFilesInResults: ConversationRule = resultsOf({
  taken: ['text', 'image'],
  reason: 'The provider does not support files in tool results.',
});

/**
 * The attachments of all results of one turn come in one message after them, since results must not be separated. They
 * are numbered, so that the model sees which belongs to which result.
 */
function resultsOf(results: Results): ConversationRule {
  return {
    apply: (given) => {
      if (!given.some(({ role }) => role === 'tool')) return undefined;
      const changes: Change[] = [];
      const messages: Message[] = [];
      let shown: ContentPart[] = [];
      for (const [index, message] of given.entries()) {
        const { found, result } = withoutAttachments(message, shown.length, results);
        messages.push(result);
        shown = [...shown, ...found];
        changes.push(...found.map((part) => moved(part, results)));
        if (shown.length === 0 || given[index + 1]?.role === 'tool') continue;
        messages.push(showing(shown, message));
        shown = [];
      }
      return changes.length > 0 ? { messages, changes } : undefined;
    },
  };
}

function withoutAttachments(message: Message, known: number, { taken }: Results) {
  const found: ContentPart[] = [];
  if (message.role !== 'tool') return { found, result: message };
  const content = message.content.map((part) => {
    if (taken.includes(part.type)) return part;
    found.push(part);
    return label(`Attachment ${known + found.length} follows.`, part);
  });
  return { found, result: found.length > 0 ? { ...message, content } : message };
}

/** `last`: the result that the message comes after. */
function showing(shown: readonly ContentPart[], { [source]: last }: Message): Message {
  const content = shown.flatMap((part, index) => [label(`Attachment ${index + 1}:`, part), part]);
  return { role: 'user', content, ...(last && { [source]: last }) };
}

function moved(part: ContentPart, { reason }: Results): Change {
  return overridden(pathOf(part), { role: 'tool' }, { role: 'user' }, reason);
}
