/** Writes lines of JSON, one after the other, in parts of stored bytes. A part is in memory at a time. */

import { type ByteStore, type FilePart, partBytes } from '../../core/files.ts';
import { withoutLineEnds } from '../../core/formats/json-lines.ts';

export interface ShardWriter {
  /** `json`: without a line feed. Resolves when the part is stored that it fills. */
  write(json: string): Promise<void>;
  /** Stores what is held. */
  flush(): Promise<void>;
  /** What is stored. */
  readonly parts: readonly FilePart[];
  /** Bytes that are held. */
  readonly held: () => number;
}

/** `nameOf`: the name of the n-th part. */
export function writeShards(bytes: ByteStore, nameOf: (n: number) => string): ShardWriter {
  const parts: FilePart[] = [];
  let pieces: Buffer[] = [];
  let size = 0;
  let named = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    if (pieces.length > 0) {
      const whole = Buffer.concat(pieces);
      const name = nameOf(named);
      named += 1;
      pieces = [];
      size = 0;
      // In their order, also where several lines are written at once.
      writing = writing.then(async () => {
        parts.push(await bytes.put(name, whole));
      });
    }
    await writing;
  };
  return {
    async write(json) {
      const line = Buffer.from(`${withoutLineEnds(json)}\n`);
      // What is full is taken at once, so that each line is in the order of its writing.
      const full = size > 0 && size + line.length > partBytes ? flush() : undefined;
      pieces.push(line);
      size += line.length;
      await full;
    },
    flush,
    parts,
    held: () => size,
  };
}
