/** Files of JSON lines: written while they are sent, and read line by line as they arrive. */
import { GatewayError } from '../../core/errors/errors.ts';
import { exactJson } from '../../core/formats/exact-json.ts';
import { readLines, withoutLineEnds } from '../../core/formats/json-lines.ts';
import { asObject, type JsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { BodyStream } from '../../core/ports/http.ts';
import type { LineResult } from './batch-form.ts';

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

/**
 * What `read` makes of the lines that are not blank. Rejects with `upstream_invalid_answer` for one that is too long, and with the
 * error of the body.
 *
 * @param read Gets numbers as they are written; see `exactJson`. Undefined for a line that is no result, which is left out.
 */
export async function* resultsIn(
  body: AsyncIterable<Uint8Array>,
  read: (row: JsonObject) => LineResult | undefined,
): AsyncGenerator<LineResult> {
  for await (const line of readLines(body, maxLineBytes, tooLong)) {
    const result = read(asObject(exactJson(line, parseJson(line))));
    if (result) yield result;
  }
}

const tooLong = () =>
  new GatewayError('upstream_invalid_answer', 'The provider returned a result that is too long.', {
    mayRetry: false,
  });
