/** The segments of what a target has heard: its own or, without those, its words by sentence, pause and speaker. */
import type { Segment, Transcript, Word } from '../../../core/generation/transcription.ts';

const pauseSeconds = 1;
const maxSeconds = 30;
const endsSentence = /[.!?…。！？]["'”’)\]]*$/;

export function segmentsOf({ segments, words = [] }: Transcript): readonly Segment[] {
  if (segments) return segments;
  const found: Word[][] = [];
  for (const word of words) {
    const open = found.at(-1);
    if (open && continues(open, word)) open.push(word);
    else found.push([word]);
  }
  return found.map(joined);
}

function continues(open: readonly Word[], word: Word): boolean {
  const [first, last] = [open.at(0), open.at(-1)];
  return (
    first !== undefined &&
    last !== undefined &&
    last.speaker === word.speaker &&
    !endsSentence.test(last.text.trim()) &&
    word.start - last.end <= pauseSeconds &&
    word.end - first.start <= maxSeconds
  );
}

function joined(words: readonly Word[]): Segment {
  const [first, last] = [words.at(0), words.at(-1)];
  return {
    start: first?.start ?? 0,
    end: last?.end ?? 0,
    text: words.map(({ text }) => text.trim()).join(' '),
    ...(first?.speaker !== undefined && { speaker: first.speaker }),
  };
}
