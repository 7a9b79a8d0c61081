/** Tools may answer with images and documents. Where a wire lets a tool say only text, the user shows them after it. */
import type { ContentPart, TextPart } from '../core/generation/request.ts';
import type { Change, ConversationRule, Placed } from './rule.ts';

/** What stands in a result has a number, so that the model sees what belongs to what. */
interface Attachment {
  readonly part: ContentPart;
  readonly origin: string;
}

const text = (value: string): TextPart => ({ type: 'text', text: value });

/** All that the results of one turn show comes in one message behind them: nothing may stand between results. */
export const onlyTextInResults: ConversationRule = {
  apply: (messages) => {
    const changes: Change[] = [];
    const placed: Placed[] = [];
    let shown: Attachment[] = [];
    for (const [index, one] of messages.entries()) {
      const { found, result } = withoutAttachments(one, shown.length);
      placed.push(result);
      shown = [...shown, ...found];
      changes.push(...found.map(moved));
      if (shown.length === 0 || messages[index + 1]?.message.role === 'tool') continue;
      placed.push({ ...showing(shown), position: one.position });
      shown = [];
    }
    return changes.length > 0 ? { messages: placed, changes } : undefined;
  },
};

function withoutAttachments(placed: Placed, known: number) {
  const { message, position } = placed;
  const found: Attachment[] = [];
  if (message.role !== 'tool') return { found, result: placed };
  const content = message.content.map((part, index) => {
    if (part.type === 'text') return part;
    found.push({ part, origin: `messages.${position}.content.${index}` });
    return text(`Attachment ${known + found.length} follows.`);
  });
  return { found, result: found.length > 0 ? { ...placed, message: { ...message, content } } : placed };
}

function showing(shown: readonly Attachment[]): Pick<Placed, 'message' | 'origins'> {
  const content = shown.flatMap(({ part }, index) => [text(`Attachment ${index + 1}:`), part]);
  const origins = shown.flatMap(({ origin }) => [origin, origin]);
  return { message: { role: 'user', content }, origins };
}

function moved({ origin }: Attachment): Change {
  return {
    param: origin,
    action: 'override',
    before: { role: 'tool' },
    after: { role: 'user' },
    reason: 'The provider takes only text as the result of a tool.',
  };
}
