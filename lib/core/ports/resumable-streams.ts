/** Streams that are kept for a day, so that a caller whose connection broke reads on where it was. */
import type { AppendBlock, ReadBlock } from './event-log.ts';

export const streamPrefix = 'stream_';

export interface StreamRef {
  readonly tenant: string;
  readonly id: string;
}

/** `operation`: whose stream it is. */
export type CreateStream = (stream: {
  readonly tenant: string;
  readonly operation: string;
}) => Promise<{ readonly id: string; readonly append: AppendBlock }>;

interface FoundStream {
  readonly operation: string;
  readonly read: ReadBlock;
}

/** Undefined where there is none, or its day is over. */
export type FindStream = (stream: StreamRef) => Promise<FoundStream | undefined>;

/** How often its writer gives a sign, which is a comment of the stream. */
export const streamSignMs = 20_000;

export const streamSign = ': sign\n\n';

/** The last text of a stream that has ended, with or without an error. Without it, its writer is gone. */
export const streamEnd = ': end\n\n';
