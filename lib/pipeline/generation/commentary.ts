/**
 * OpenAI's newest models comment on their work in messages of their own. In chat all messages are one, and a JSON answer with a
 * commentary before it could not be parsed: there, the commentary becomes reasoning.
 */
import type { Piped } from '../../async/pipe.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';

export function commentaryAsReasoning(events: Piped<GenerationEvent>): Piped<GenerationEvent> {
  let isCommentary = false;
  return events.pipe({
    each(list, out: GenerationEvent[]) {
      for (const event of list) {
        if (event.type === 'message') isCommentary = event.phase === 'commentary';
        if (!isCommentary || (event.type !== 'text' && event.type !== 'annotation')) out.push(event);
        else if (event.type === 'text') out.push({ ...event, type: 'reasoning' });
      }
    },
  });
}
