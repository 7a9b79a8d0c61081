/**
 * What becomes of an answer that must be JSON: code fences are taken off, and the text of each choice is checked against
 * the caller's schema at its end.
 */
import type { Transform } from '../../../async/pipe.ts';
import type { GenerationEvent } from '../../../core/generation/events.ts';
import { checkJson, type Problems } from './check-json.ts';
import type { JsonFormat } from './json-format.ts';

/** A finished choice whose text was checked. */
export interface CheckedText {
  readonly text: string;
  readonly problems: Problems;
}

interface Choice {
  fence: CodeFence;
  text: string;
  refused: boolean;
}

/** Longer texts are not kept, and so not checked. In characters. */
const maxCheckedText = 4_000_000;

/** `onChecked` is called for each choice that ended by itself, before its `finish` is passed on. */
export function holdToFormat(
  { schema, inWords }: JsonFormat,
  onChecked: (checked: CheckedText) => void,
): Transform<readonly GenerationEvent[], GenerationEvent> {
  const choices = new Map<number, Choice>();
  const newFence = inWords ? codeFence : () => noFence;
  const choiceAt = (index: number): Choice => {
    const known = choices.get(index);
    if (known) return known;
    const choice = { fence: newFence(), text: '', refused: false };
    choices.set(index, choice);
    return choice;
  };
  const say = (index: number, text: string, out: GenerationEvent[]) => {
    const choice = choiceAt(index);
    if (choice.text.length <= maxCheckedText) choice.text += text;
    if (text !== '') out.push({ type: 'text', choice: index, text });
  };
  const take = (event: GenerationEvent, out: GenerationEvent[]) => {
    if (event.type === 'text') return say(event.choice, choiceAt(event.choice).fence.add(event.text), out);
    if (event.type === 'refusal') choiceAt(event.choice).refused = true;
    // What is held of a text stays before the call that follows it.
    if (event.type === 'tool-call') {
      const choice = choiceAt(event.choice);
      say(event.choice, choice.fence.end(), out);
      choice.fence = newFence();
    }
    if (event.type === 'message' || event.type === 'finish') {
      const { choice: index } = event;
      say(index, choiceAt(index).fence.end(), out);
      const { text, refused } = choiceAt(index);
      if (event.type === 'finish' && event.reason === 'stop' && !refused) {
        onChecked({ text, problems: text.length > maxCheckedText ? undefined : checkJson(text, schema) });
      }
      choices.delete(index);
    }
    out.push(event);
  };
  return {
    each(events, out) {
      for (const event of events) take(event, out);
    },
  };
}

const noFence: CodeFence = { add: (piece) => piece, end: () => '' };

const fenceMark = '```';

/** No first line of a fence is longer. */
const maxFirstLine = 40;

/** White space of more than this is text, also where it may be that around a fence. In characters. */
const maxBlank = 1_000;

/** Where the end of a text begins that may be the closing fence. A pattern for it takes the square of a run of spaces. */
function closingAt(text: string): number {
  const written = text.trimEnd();
  const ticks = /`{0,3}$/.exec(written.slice(-fenceMark.length))?.[0].length ?? 0;
  return written.slice(0, written.length - ticks).trimEnd().length;
}

type CodeFence = ReturnType<typeof codeFence>;

export function codeFence() {
  let state: 'start' | 'inside' | 'none' = 'start';
  let held = '';

  function begin(): void {
    const text = held.trimStart();
    if (held.length <= maxBlank && fenceMark.startsWith(text)) return;
    const lineEnd = text.indexOf('\n');
    if (!text.startsWith(fenceMark) || (lineEnd < 0 && text.length > maxFirstLine)) state = 'none';
    else if (lineEnd >= 0) {
      state = 'inside';
      held = text.slice(lineEnd + 1);
    }
  }

  function release(): string {
    if (state === 'start') return '';
    const kept = state === 'inside' ? Math.max(closingAt(held), held.length - maxBlank) : held.length;
    const text = held.slice(0, kept);
    held = held.slice(kept);
    return text;
  }

  return {
    /** The text that is certain to be inside. */
    add(piece: string) {
      held += piece;
      if (state === 'start') begin();
      return release();
    },
    /** The rest, at the end of the text. */
    end: () => (state === 'inside' && held.trim() === fenceMark ? '' : held),
  };
}
