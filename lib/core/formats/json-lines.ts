/** JSON lines: one value on each, ended by a line feed. */

const lineFeed = 0x0a;
const byteOrderMark = Buffer.from('\ufeff');

/**
 * Clients in Python that split a text with `splitlines` would end a line at these characters, which JSON may have in its texts as they
 * are. Source: docs.python.org/3/library/stdtypes.html#str.splitlines.
 */
const lineEnds = /[\u0085\u2028\u2029]/g;

/** JSON without them. */
export const withoutLineEnds = (json: string): string =>
  json.replace(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A value as a line, with its end. */
export const jsonLine = (value: object): string => `${withoutLineEnds(JSON.stringify(value))}\n`;

export interface FileLine {
  /** Counted from 0, blank lines too. */
  readonly n: number;
  /** Without its end; undefined where it is too long, which is known before its end. */
  readonly bytes: Buffer | undefined;
}

/** Only a line feed ends a line: texts may have any other separator. No more is held than a line and what came with it. */
export async function* splitLines(
  source: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<FileLine> {
  let n = 0;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const isTooLong = () => length > longest;
  /** Whether the line is too long with this piece, and was not without it. */
  const add = (piece: Uint8Array): boolean => {
    const wasTooLong = isTooLong();
    length += piece.length;
    if (isTooLong()) pieces = [];
    else pieces.push(piece);
    return isTooLong() && !wasTooLong;
  };
  const end = () => {
    n += 1;
    pieces = [];
    length = 0;
  };
  const whole = (): FileLine => {
    const bytes = Buffer.concat(pieces);
    return { n, bytes: n === 0 ? withoutMark(bytes) : bytes };
  };
  for await (const chunk of source) {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
      if (add(chunk.subarray(from, to))) yield { n, bytes: undefined };
      if (!isTooLong()) yield whole();
      end();
      from = to + 1;
    }
    if (add(chunk.subarray(from))) yield { n, bytes: undefined };
  }
  if (length > 0 && !isTooLong()) yield whole();
}

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)
    ? bytes.subarray(byteOrderMark.length)
    : bytes;

/** The lines as texts, without those that are blank. `longest`: for what others have written, with the error for a line that is longer. */
export async function* readLines(
  source: AsyncIterable<Uint8Array>,
  longest = Number.POSITIVE_INFINITY,
  tooLong = () => new Error('A line is too long.'),
): AsyncGenerator<string> {
  for await (const { bytes } of splitLines(source, longest)) {
    if (!bytes) throw tooLong();
    const text = bytes.toString().trim();
    if (text !== '') yield text;
  }
}
