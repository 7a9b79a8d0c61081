/** Writes what someone says as one of OpenAI's segments, with who says it. */
import type { JsonObject } from '../../../core/generation/request.ts';
import type { Segment } from '../../../core/generation/transcription.ts';

/** Names of speakers stay; numbers and ids of voices are letters, in the order in which they are heard. */
export function segmentWriter() {
  const letters = new Map<string, string>();
  let written = 0;
  const nameOf = (speaker: string | undefined): string | null => {
    if (speaker === undefined) return null;
    if (!/\d$/.test(speaker)) return speaker;
    const letter = letters.get(speaker) ?? letterOf(letters.size);
    letters.set(speaker, letter);
    return letter;
  };
  return ({ start, end, text, speaker }: Segment): JsonObject => ({
    type: 'transcript.text.segment',
    id: `seg_${written++}`,
    start,
    end,
    speaker: nameOf(speaker),
    text,
  });
}

/** A to Z, then AA. */
const letterOf = (index: number): string =>
  index < 26
    ? String.fromCharCode(65 + index)
    : `${letterOf(Math.floor(index / 26) - 1)}${letterOf(index % 26)}`;
