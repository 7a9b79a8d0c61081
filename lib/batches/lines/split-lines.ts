/** Divides bytes into lines, of which one is in memory at a time. Only a line feed ends a line: texts may have any other separator. */

/** The longest line, in bytes: that of a request of its own. */
export const maxLineBytes = 10 * 1024 * 1024;

export interface FileLine {
  /** Counted from 0, blank lines too. */
  readonly n: number;
  /** Undefined where it is too long. */
  readonly bytes: Buffer | undefined;
}

const lineFeed = 0x0a;
const byteOrderMark = Buffer.from('\ufeff');

export async function* splitLines(
  source: AsyncIterable<Uint8Array>,
  longest: number = maxLineBytes,
): AsyncGenerator<FileLine> {
  let n = 0;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array) => {
    length += piece.length;
    if (length <= longest) pieces.push(piece);
    else pieces = [];
  };
  const take = (): FileLine => {
    const bytes = length <= longest ? Buffer.concat(pieces) : undefined;
    const line = { n, bytes: n === 0 && bytes ? withoutMark(bytes) : bytes };
    n += 1;
    pieces = [];
    length = 0;
    return line;
  };
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, end));
      from = end + 1;
      yield take();
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }
  if (length > 0) yield take();
}

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)
    ? bytes.subarray(byteOrderMark.length)
    : bytes;
