/** Files of JSON lines: written while they are sent, and read line by line as they arrive. */
import { GatewayError } from '../../core/errors/errors.ts';
import { readLines, withoutLineEnds } from '../../core/formats/json-lines.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { BodyStream } from '../../core/ports/http.ts';

/** The longest line that is read: what the answer to a single request may have, and the words around it. */
const maxLineBytes = 65 * 1024 * 1024;

/** About how much is sent at a time, in characters. */
const pieceLength = 65_536;

/** Line breaks that only JSON's white space has. */
const breaks = /[\r\n]+/g;

/** The JSON text, without anything that could be read as the end of its line. */
export function onOneLine(value: JsonObject | string): string {
  const text = typeof value === 'string' ? value.replace(breaks, ' ') : JSON.stringify(value);
  return withoutLineEnds(text);
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
export const readJsonLines = (body: AsyncIterable<Uint8Array>): AsyncGenerator<string> =>
  readLines(body, maxLineBytes, tooLong);

const tooLong = () =>
  new GatewayError('upstream_invalid_answer', 'The provider returned a result that is too long.', {
    mayRetry: false,
  });
