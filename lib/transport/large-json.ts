/**
 * Reads a JSON body with long texts (images as base64) that stay in the chunks in which they were received: they are never
 * decoded, joined or copied. The parsed body has a placeholder for each; its text is read piece by piece.
 */
import { randomUUID } from 'node:crypto';
import { GatewayError } from '../core/errors/errors.ts';
import type { Base64 } from '../core/generation/image.ts';
import type { HttpResponse } from '../core/ports/http.ts';
import { takeForImages } from './answer-memory.ts';

/** How many bytes may still be read. Several responses may share a budget. */
export interface ByteBudget {
  left: number;
}

export interface LargeJson {
  readonly body: unknown;
  /** The text of a placeholder, or any other text unchanged. Throws `upstream_invalid_answer` if it is not base64. */
  base64(text: string): Base64;
}

/** A text of at least this many bytes is long. */
const longBytes = 4 * 1024;

/** How much of a long text is converted to a string at a time. */
const pieceBytes = 64 * 1024;

const quote = 0x22;
const backslash = 0x5c;

/** A JSON string of the body, between its quotes, as views of the received chunks. */
interface Text {
  readonly views: Buffer[];
  bytes: number;
  hasEscapes: boolean;
}

interface Scan {
  /** The body without its long texts. */
  readonly rest: Buffer[];
  readonly long: Map<string, Text>;
  /** Random, so that no text of a provider looks like a placeholder. */
  readonly mark: string;
  /** The string that is being read; undefined between strings. */
  text: Text | undefined;
  /** The last byte was a backslash that starts an escape. */
  inEscape: boolean;
}

/** Rejects with GatewayError `upstream_invalid_answer` if it is too large or not JSON, and with the body's own error. */
export async function readLargeJson(response: HttpResponse, budget: ByteBudget): Promise<LargeJson> {
  const scan: Scan = { rest: [], long: new Map(), mark: randomUUID(), text: undefined, inEscape: false };
  for await (const chunk of response.body) {
    budget.left -= chunk.length;
    if (budget.left < 0) throw tooLarge(response);
    takeForImages(response, chunk.length);
    scanChunk(scan, Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }
  const body = parse(scan, response);
  return {
    body,
    base64(text) {
      const long = scan.long.get(text);
      const pieces = long ? { [Symbol.iterator]: () => piecesOf(long) } : [text];
      for (const piece of pieces) {
        if (!/^[A-Za-z0-9+/=]*$/.test(piece))
          throw invalid('The provider returned an image that is not valid base64.', response);
      }
      return pieces;
    },
  };
}

/** It would be too large again, and every attempt costs money. */
export const tooLarge = (response: HttpResponse): GatewayError =>
  invalid('The provider returned a response that is too large.', response).with({ mayRetry: false });

function parse({ rest, text }: Scan, response: HttpResponse): unknown {
  try {
    if (text) throw new SyntaxError('The body ends inside a text.');
    return JSON.parse(Buffer.concat(rest).toString());
  } catch (cause) {
    throw invalid('The provider returned a response that could not be read.', response, cause);
  }
}

function invalid(message: string, { status }: HttpResponse, cause?: unknown): GatewayError {
  return new GatewayError('upstream_invalid_answer', message, { upstreamStatus: status, cause });
}

function scanChunk(scan: Scan, chunk: Buffer): void {
  let at = 0;
  while (at < chunk.length) at = scan.text ? scanText(scan, scan.text, chunk, at) : scanRest(scan, chunk, at);
}

/** Reads up to and including the quote that starts a string. */
function scanRest(scan: Scan, chunk: Buffer, from: number): number {
  const found = chunk.indexOf(quote, from);
  const end = found < 0 ? chunk.length : found + 1;
  scan.rest.push(chunk.subarray(from, end));
  if (found >= 0) scan.text = { views: [], bytes: 0, hasEscapes: false };
  return end;
}

/** Reads up to the quote that ends the string. */
function scanText(scan: Scan, text: Text, chunk: Buffer, from: number): number {
  const end = endOfText(scan, text, chunk, from);
  text.views.push(chunk.subarray(from, end));
  text.bytes += end - from;
  if (end === chunk.length) return end;
  endText(scan, text, chunk.subarray(end, end + 1));
  return end + 1;
}

/** The index at which the string ends in this chunk; the chunk's length if it continues. */
function endOfText(scan: Scan, text: Text, chunk: Buffer, from: number): number {
  let at = from;
  if (scan.inEscape) {
    at += 1;
    scan.inEscape = false;
  }
  let mark = chunk.indexOf(backslash, at);
  let end = chunk.indexOf(quote, at);
  for (;;) {
    if (mark < 0 || (end >= 0 && end < mark)) return end < 0 ? chunk.length : end;
    text.hasEscapes = true;
    at = mark + 2;
    scan.inEscape = at > chunk.length;
    if (at >= chunk.length) return chunk.length;
    mark = chunk.indexOf(backslash, at);
    if (end >= 0 && end < at) end = chunk.indexOf(quote, at);
  }
}

function endText(scan: Scan, text: Text, closing: Buffer): void {
  scan.text = undefined;
  if (text.bytes < longBytes) {
    scan.rest.push(...text.views, closing);
    return;
  }
  const placeholder = `${scan.mark} ${scan.long.size}`;
  scan.long.set(placeholder, text);
  scan.rest.push(Buffer.from(placeholder), closing);
}

/** An incomplete escape at the end of a piece. */
const incompleteEscape = /(?<!\\)(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)$/;

function* piecesOf({ views, hasEscapes }: Text): Generator<string> {
  let kept = '';
  for (const view of views) {
    for (let from = 0; from < view.length; from += pieceBytes) {
      const piece = kept + view.toString('latin1', from, Math.min(from + pieceBytes, view.length));
      kept = hasEscapes ? (incompleteEscape.exec(piece)?.[1] ?? '') : '';
      const whole = piece.slice(0, piece.length - kept.length);
      yield hasEscapes ? unescaped(whole) : whole;
    }
  }
}

/** The unescaped text. Invalid JSON is returned unchanged: it is not base64 either. */
function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
