/** The bytes of files as their parts: stored as they come, and read one after the other. A process holds one part at a time. */
import { type ByteRange, type ByteStore, type FilePart, partBytes } from './files.ts';

export interface StoredBytes {
  readonly parts: readonly FilePart[];
  readonly bytes: number;
}

/** Rejects as the source and the store do, and then leaves nothing. */
export async function storeBytes(
  source: AsyncIterable<Uint8Array>,
  store: ByteStore,
  newName: () => string,
): Promise<StoredBytes> {
  const names: string[] = [];
  const parts: FilePart[] = [];
  // One for all parts: only what is written to takes memory.
  const piece = Buffer.allocUnsafe(partBytes);
  let filled = 0;
  let bytes = 0;
  const putPiece = async () => {
    const name = newName();
    names.push(name);
    parts.push(await store.put(name, piece.subarray(0, filled)));
    filled = 0;
  };
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      for (let at = 0; at < chunk.length; ) {
        const taken = chunk.subarray(at, at + partBytes - filled);
        piece.set(taken, filled);
        filled += taken.length;
        at += taken.length;
        if (filled === partBytes) await putPiece();
      }
    }
    if (filled > 0) await putPiece();
    return { parts, bytes };
  } catch (thrown) {
    await store.delete(names).catch(() => {});
    throw thrown;
  }
}

/** The bytes of a range, all without one. Throws Error where a part has fewer bytes than it should. */
export async function* readParts(
  parts: readonly FilePart[],
  store: ByteStore,
  range: ByteRange = { start: 0, end: Number.POSITIVE_INFINITY },
): AsyncGenerator<Uint8Array> {
  let before = 0;
  for (const { name, bytes } of parts) {
    const start = Math.max(range.start - before, 0);
    const end = Math.min(range.end - before, bytes);
    before += bytes;
    if (start < end) yield* exactly(store.get(name, { start, end }), end - start);
  }
}

async function* exactly(source: AsyncIterable<Uint8Array>, expected: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of source) {
    read += chunk.length;
    yield chunk;
  }
  if (read !== expected) throw new Error(`A part of a file has ${read} bytes in place of ${expected}.`);
}
