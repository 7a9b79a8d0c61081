/**
 * The bytes of media that the gateway has fetched, and the short text that stands for their base64 in a request until a body is
 * written (`json-body.ts`). They are in memory once.
 */
import { createHash } from 'node:crypto';
import type { MediaBytes } from '../core/ports/media.ts';

/** Base64 has four characters for three bytes: the blocks can be encoded one by one. */
const blockBytes = 48 * 1024;

/** Copies chunks into blocks: a server may send one byte at a time, and a chunk takes more than its bytes. */
export function createMediaBytes() {
  const blocks: Buffer[] = [];
  let length = 0;
  return {
    add(chunk: Uint8Array): void {
      for (let from = 0; from < chunk.length; ) {
        const at = length % blockBytes;
        if (at === 0) blocks.push(Buffer.allocUnsafeSlow(blockBytes));
        const part = chunk.subarray(from, from + blockBytes - at);
        blocks.at(-1)?.set(part, at);
        length += part.length;
        from += part.length;
      }
    },
    /** Call it once, when all has been added. */
    end(): MediaBytes {
      const last = blocks.pop();
      if (last) blocks.push(last.subarray(0, length - blocks.length * blockBytes));
      return { blocks, length };
    },
  };
}

/** Media that are one piece, as such blocks. */
export const blocksOf = (bytes: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / blockBytes) }, (_, index) =>
    bytes.subarray(index * blockBytes, (index + 1) * blockBytes),
  );

export const base64Length = (length: number): number => Math.ceil(length / 3) * 4;

/** From the first bytes of media their type is detected, also where a text stands for them: it begins with these. */
export const headBytes = 48;

/** Stands between the head and the hash. */
export const heldMark = '/held+by+the+gateway/';

export const hashLength = base64Length(32);

/** Media from this size on are held. */
const minHeldBytes = 4 * 1024;

/**
 * The base64 of media, or a text in its place. The hash makes it the same for the same media, so that what is known of a body by its
 * own hash, such as content that a provider caches, is found again.
 */
export function base64Of({ blocks, length }: MediaBytes): string {
  if (length < minHeldBytes) return Buffer.concat(blocks).toString('base64');
  const hash = createHash('sha256');
  for (const block of blocks) hash.update(block);
  return Buffer.concat(blocks, headBytes).toString('base64') + heldMark + hash.digest('base64');
}
