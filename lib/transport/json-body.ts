/**
 * Writes JSON as the body of a request. Media that are held (`media-bytes.ts`) are encoded while it is sent, a block at a time: as
 * base64, as text and in the body they would be in memory three more times.
 */
import type { BodyPieces } from '../core/ports/http.ts';
import type { MediaBytes } from '../core/ports/media.ts';
import { base64Length, hashLength, headBytes, heldMark } from './media-bytes.ts';

/** Media by the texts that stand for them. */
export type HeldMedia = ReadonlyMap<string, MediaBytes>;

/** From here on, in characters, a text is kept as bytes. */
const largeText = 1024 * 1024;

/**
 * The HTTP client makes bytes of a text and keeps both while the provider answers; one character that is not Latin doubles the text,
 * with all of its base64. `inBase64`: what the body is sent in, as base64.
 */
export function jsonBody(
  body: object,
  held: HeldMedia = new Map(),
  inBase64?: (base64: string) => object,
): string | Uint8Array | BodyPieces {
  const text = JSON.stringify(body);
  const parts = held.size > 0 ? partsOf(text, held) : [text];
  if (inBase64) return wrapped(joined(parts), inBase64);
  if (parts.length > 1) return joined(parts);
  return text.length > largeText ? Buffer.from(text) : text;
}

type Part = string | Buffer | MediaBytes;

const isMedia = (part: Part): part is MediaBytes => typeof part === 'object' && 'blocks' in part;

/** The text in its order, with media in place of what stands for them. */
function partsOf(text: string, held: HeldMedia): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (let at = text.indexOf(heldMark); at >= 0; at = text.indexOf(heldMark, at + 1)) {
    const [start, end] = [at - base64Length(headBytes), at + heldMark.length + hashLength];
    const media = held.get(text.slice(start, end));
    // A caller may write the mark, too.
    if (!media || start < from) continue;
    parts.push(Buffer.from(text.slice(from, start)), media);
    from = end;
  }
  return [...parts, Buffer.from(text.slice(from))];
}

const bytesIn = (part: Part): number => {
  if (isMedia(part)) return base64Length(part.length);
  return typeof part === 'string' ? Buffer.byteLength(part) : part.length;
};

function joined(parts: readonly Part[]): BodyPieces {
  return {
    byteLength: parts.reduce((sum, part) => sum + bytesIn(part), 0),
    *pieces() {
      for (const part of parts) {
        if (isMedia(part)) for (const block of part.blocks) yield base64(block);
        else yield part;
      }
    },
  };
}

const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

function wrapped(inner: BodyPieces, inBase64: (base64: string) => object): BodyPieces {
  const [before = '', after = ''] = JSON.stringify(inBase64('\0')).split('\\u0000');
  return {
    byteLength: Buffer.byteLength(before + after) + base64Length(inner.byteLength),
    *pieces() {
      yield before;
      let rest = Buffer.alloc(0);
      for (const piece of inner.pieces()) {
        const bytes = Buffer.concat([rest, Buffer.from(piece)]);
        const whole = bytes.length - (bytes.length % 3);
        yield bytes.toString('base64', 0, whole);
        rest = bytes.subarray(whole);
      }
      yield rest.toString('base64') + after;
    },
  };
}
