/** Puts back into an answer what was taken out of the request, where the model has written its tag. */
import type { Transform } from '../../async/pipe.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import { pieceOf, withText } from './answer-texts.ts';
import { maxTag, type Tags, tagForm } from './tags.ts';

/** The beginning of what may become a tag. */
const unfinished = new RegExp(`\\[[A-Z0-9_]{0,${maxTag}}$`);

interface Held {
  readonly event: GenerationEvent;
  readonly text: string;
}

/** `isJson`: the answer's text is JSON. Signed reasoning stays as it was signed. */
export function restoreTags(
  tags: Pick<Tags, 'valueOf'>,
  isJson: boolean,
): Transform<readonly GenerationEvent[], GenerationEvent> {
  /** By choice: the piece whose end may be the beginning of a tag. */
  const held = new Map<number, Held>();
  const custom = new Set<string>();
  const restored = (event: GenerationEvent, text: string): string => {
    const isPlain = event.type === 'tool-arguments' ? custom.has(`${event.choice} ${event.call}`) : !isJson;
    return text.replaceAll(tagForm, (found) => {
      const value = tags.valueOf(found);
      if (value === undefined) return found;
      return isPlain ? value : JSON.stringify(value).slice(1, -1);
    });
  };
  const flush = (choice: number, out: GenerationEvent[]) => {
    const last = held.get(choice);
    held.delete(choice);
    if (last && last.text !== '') out.push(withText(last.event, last.text));
  };
  const take = (event: GenerationEvent, out: GenerationEvent[]) => {
    if (!('choice' in event)) return void out.push(event);
    if (event.type === 'tool-call' && event.kind === 'custom') custom.add(`${event.choice} ${event.call}`);
    const piece = event.type === 'reasoning' ? undefined : pieceOf(event);
    const before = held.get(event.choice);
    if (!piece || (before && pieceOf(before.event)?.channel !== piece.channel)) flush(event.choice, out);
    if (!piece) return void out.push(event);
    const text = (held.get(event.choice)?.text ?? '') + piece.text;
    held.delete(event.choice);
    const from = unfinished.exec(text)?.index ?? text.length;
    const whole = restored(event, text.slice(0, from));
    if (whole !== '') out.push(withText(event, whole));
    if (from < text.length) held.set(event.choice, { event, text: text.slice(from) });
  };
  return {
    each(events, out) {
      for (const event of events) take(event, out);
    },
    end(out) {
      for (const choice of [...held.keys()]) flush(choice, out);
    },
  };
}
