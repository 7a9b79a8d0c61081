/** A Messages answer as one body: the events of the stream, folded. */
import type { Batched } from '../../../async/pipe.ts';
import type { GenerationEvent } from '../../../core/generation/events.ts';
import type { MessagesAnswer } from './write-stream.ts';

export async function writeMessagesBody(
  events: Batched<GenerationEvent>,
  { id, model, debug }: MessagesAnswer,
): Promise<object> {
  let text = '';
  for await (const list of events) for (const event of list) text += event.type === 'text' ? event.text : '';
  const facts = debug();
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    ...(facts && { debug: facts }),
  };
}
