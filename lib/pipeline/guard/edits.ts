/** Replacements in a text. */

/** UTF-16 code units. Edits of one text are sorted, and apart. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function edited(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  let last = 0;
  const pieces: string[] = [];
  for (const { start, end, text: replacement } of edits) {
    pieces.push(text.slice(last, start), replacement);
    last = end;
  }
  return pieces.join('') + text.slice(last);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Sorted; of those that overlap one that covers all of them, with what the first and longest says. */
export function joinRanges<Found extends Range>(ranges: readonly Found[]): readonly Found[] {
  const joined: Found[] = [];
  for (const range of ranges.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const before = joined.at(-1);
    if (!before || range.start >= before.end) joined.push(range);
    else if (range.end > before.end) joined[joined.length - 1] = { ...before, end: range.end };
  }
  return joined;
}
