/**
 * Reads a JSON body whose long texts (images as base64) stay the bytes they came as: they are never decoded, joined or
 * copied. In the parsed body each has a placeholder; what stands behind it is read piece by piece.
 */
import { randomUUID } from 'node:crypto';
import { GatewayError } from '../core/errors.ts';
import type { Base64 } from '../core/generation/image.ts';
import type { HttpResponse } from '../core/ports.ts';

/** How many bytes may still be read; several answers may share it. */
export interface ByteBudget {
  left: number;
}

export interface LargeJson {
  readonly body: unknown;
  /** The text behind a placeholder, or any other text as it is. Throws `upstream_invalid_answer` if it is no base64. */
  base64(text: string): Base64;
}

/** From this many bytes on a text is long. */
const longBytes = 4 * 1024;

/** How much of a long text becomes a string at a time. */
const pieceBytes = 64 * 1024;

const quote = 0x22;
const backslash = 0x5c;

/** A text of the body, between its quotes, as views of the chunks it came in. */
interface Text {
  readonly views: Buffer[];
  bytes: number;
  hasEscapes: boolean;
}

interface Scan {
  /** The body without its long texts. */
  readonly rest: Buffer[];
  readonly long: Map<string, Text>;
  /** Tells our placeholders from whatever a provider may write. */
  readonly mark: string;
  /** The text that is being read; undefined between texts. */
  text: Text | undefined;
  /** The last byte was a backslash that begins an escape. */
  inEscape: boolean;
}

/** Rejects with GatewayError `upstream_invalid_answer` where it is no JSON or too large, and with what the body throws. */
export async function readLargeJson(response: HttpResponse, budget: ByteBudget): Promise<LargeJson> {
  const scan: Scan = { rest: [], long: new Map(), mark: randomUUID(), text: undefined, inEscape: false };
  for await (const chunk of response.body) {
    budget.left -= chunk.length;
    // What is too large once is so again, and every try is paid for.
    if (budget.left < 0)
      throw invalid('The provider returned a response that is too large.', response).with({
        mayRetry: false,
      });
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

/** Up to and with the quote that begins a text. */
function scanRest(scan: Scan, chunk: Buffer, from: number): number {
  const found = chunk.indexOf(quote, from);
  const end = found < 0 ? chunk.length : found + 1;
  scan.rest.push(chunk.subarray(from, end));
  if (found >= 0) scan.text = { views: [], bytes: 0, hasEscapes: false };
  return end;
}

/** Up to the quote that ends the text, which is left to `endText`. */
function scanText(scan: Scan, text: Text, chunk: Buffer, from: number): number {
  const end = endOfText(scan, text, chunk, from);
  text.views.push(chunk.subarray(from, end));
  text.bytes += end - from;
  if (end === chunk.length) return end;
  endText(scan, text, chunk.subarray(end, end + 1));
  return end + 1;
}

/** Where the text ends in this chunk; the chunk's end where it goes on. */
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

/** The beginning of an escape at the end of a piece. */
const brokenEscape = /(?<!\\)(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)$/;

function* piecesOf({ views, hasEscapes }: Text): Generator<string> {
  let kept = '';
  for (const view of views) {
    for (let from = 0; from < view.length; from += pieceBytes) {
      const piece = kept + view.toString('latin1', from, Math.min(from + pieceBytes, view.length));
      kept = hasEscapes ? (brokenEscape.exec(piece)?.[1] ?? '') : '';
      const whole = piece.slice(0, piece.length - kept.length);
      yield hasEscapes ? unescaped(whole) : whole;
    }
  }
}

/** What it stands for; what is no JSON stands for itself, and is no base64 either. */
function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
