/**
 * Writes a JSON body with long base64 texts as bytes. As one text, it would be in memory twice, and twice as large for a single
 * character that is not Latin.
 */
import { randomUUID } from 'node:crypto';

/** A text of at least this many characters is long. */
const longText = 4 * 1024;

/** Whether it is the same in JSON: each character is one byte, and none is escaped. A pattern would hold the last text that it saw. */
const isPlain = (text: string): boolean =>
  Buffer.byteLength(text) === text.length && JSON.stringify(text).length === text.length + 2;

/** The same bytes as those of `JSON.stringify`. */
export function writeLargeJson(body: object): Buffer {
  const long: string[] = [];
  // Random, so that no text of a caller looks like a placeholder.
  const mark = randomUUID();
  const text = JSON.stringify(body, (_name, value: unknown) => {
    if (typeof value !== 'string' || value.length < longText || !isPlain(value)) return value;
    long.push(value);
    return mark;
  });
  // In the order in which they are written.
  const pieces = text.split(mark);
  const size = pieces.reduce((sum, piece, index) => {
    return sum + Buffer.byteLength(piece) + (long[index]?.length ?? 0);
  }, 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    at += bytes.write(piece, at, 'utf8');
    at += bytes.write(long[index] ?? '', at, 'latin1');
  }
  return bytes;
}
