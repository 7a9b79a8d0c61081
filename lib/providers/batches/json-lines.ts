/** Files of JSON lines: written while they are sent, and read line by line as they arrive. */
import { GatewayError } from '../../core/errors/errors.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { BodyStream } from '../../core/ports/http.ts';

/** The longest line that is read: what the answer to a single request may have, and the words around it. */
const maxLineBytes = 65 * 1024 * 1024;

/** About how much is sent at a time, in characters. */
const pieceLength = 65_536;

const lineFeed = 10;

/** Line breaks that only JSON's white space has, and those that some readers of lines see inside of texts. */
const breaks = /[\r\n]+/g;
const readAsBreak = /[\u0085\u2028\u2029]/g;

/** The JSON text, without anything that could be read as the end of its line. */
export function onOneLine(value: JsonObject | string): string {
  const text = typeof value === 'string' ? value.replace(breaks, ' ') : JSON.stringify(value);
  return text.replace(readAsBreak, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A body of texts, which are asked for twice: once for their length. */
export async function streamOf(texts: () => AsyncIterable<string>): Promise<BodyStream> {
  let byteLength = 0;
  for await (const text of texts()) byteLength += Buffer.byteLength(text);
  return { byteLength, pieces: () => gathered(texts()) };
}

async function* gathered(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** The lines that are not blank. Rejects with `upstream_invalid_answer` for one that is too long, and with the error of the body. */
export async function* readJsonLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const take = (): string => {
    const text = Buffer.concat(parts).toString('utf8');
    parts = [];
    bytes = 0;
    return text;
  };
  const add = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes > maxLineBytes) throw tooLong();
    parts.push(part);
  };
  for await (const chunk of body) {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, to));
      from = to + 1;
      const line = take();
      if (line.trim() !== '') yield line;
    }
    add(chunk.subarray(from));
  }
  const last = take();
  if (last.trim() !== '') yield last;
}

const tooLong = () =>
  new GatewayError('upstream_invalid_answer', 'The provider returned a result that is too long.', {
    mayRetry: false,
  });
