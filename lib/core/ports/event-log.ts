/** Text that is read while it is written, by any number of readers: the events of a stream, in numbered blocks. */

export interface LogBlock {
  readonly text: string;
  /** The number of the block after it. */
  readonly next: number;
  /** When it was written, in Unix milliseconds; absent in those of earlier versions. */
  readonly at?: number;
}

/** Writes a block under the number `n`. Returns the number of the next one. The same block may be written again. */
export type AppendBlock = (n: number, text: string) => Promise<number>;

/** The block with the number `n`; undefined: it is not written yet. */
export type ReadBlock = (n: number) => Promise<LogBlock | undefined>;
