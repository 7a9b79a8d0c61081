/** Texts as the calls of a detector take them: several in one call, and a long one in pieces. */

export interface Piece {
  /** The index of its text. */
  readonly text: number;
  /** Where it begins there, in UTF-16 code units. */
  readonly start: number;
  readonly value: string;
}

/** What two pieces of one text share, so that what stands where it is cut is seen whole. */
const overlap = 200;

/** The pieces of each call, which have at most `max` UTF-16 code units together. Empty texts have none. */
export function callsOf(texts: readonly string[], max: number): readonly (readonly Piece[])[] {
  const calls: Piece[][] = [];
  let left = 0;
  for (const piece of texts.flatMap((text, index) => piecesOf(text, index, max))) {
    const { length } = piece.value;
    if (length > left) {
      calls.push([]);
      left = max;
    }
    calls.at(-1)?.push(piece);
    left -= length;
  }
  return calls;
}

export function piecesOf(text: string, index: number, max: number): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let start = 0; start < text.length; ) {
    const end = wholeCharacter(text, start + max);
    pieces.push({ text: index, start, value: text.slice(start, end) });
    start = end === text.length ? end : wholeCharacter(text, end - overlap);
  }
  return pieces;
}

/** The position, or the one before it where it is within a character. */
function wholeCharacter(text: string, position: number): number {
  if (position >= text.length) return text.length;
  const isWithin = /[\uDC00-\uDFFF]/.test(text.charAt(position));
  return isWithin ? position - 1 : position;
}

/** An upper bound of the calls for texts of this length together: two that follow each other have more than one could take. */
export function maxCalls(characters: number, max: number): number {
  return characters <= max ? 1 : 2 * Math.ceil(characters / (max - overlap)) + 1;
}
