/** JSON lines: one value on each, ended by a line feed. */

/**
 * Clients in Python that split a text with `splitlines` would end a line at these characters, which JSON may have in its texts as they
 * are. Source: docs.python.org/3/library/stdtypes.html#str.splitlines.
 */
const lineEnds = /[\u0085\u2028\u2029]/g;

/** A value as a line, with its end. */
export const jsonLine = (value: object): string =>
  `${JSON.stringify(value).replace(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;

const lineFeed = 0x0a;

/** The lines of a file, without their ends and without empty ones. No more is held than a line and what came with it. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let held: Uint8Array[] = [];
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      const line = textOf([...held, chunk.subarray(start, end)]);
      if (line !== '') yield line;
      held = [];
      start = end + 1;
    }
    if (start < chunk.length) held.push(chunk.subarray(start));
  }
  const last = textOf(held);
  if (last !== '') yield last;
}

const textOf = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString().trim();
