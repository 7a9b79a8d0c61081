/** Writes lines of JSON, one after the other, in parts of stored bytes. A part is in memory at a time. */
import { type ByteStore, type FilePart, partBytes } from '../../core/files.ts';

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
      const line = Buffer.from(`${separatorsEscaped(json)}\n`);
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

/** Clients in Python divide what they read at these characters, too. They stand in texts only, where they may be escaped. */
const separators = /[\u0085\u2028\u2029]/g;

const separatorsEscaped = (json: string): string =>
  json.replace(separators, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
