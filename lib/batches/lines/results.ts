/** Writes what became of lines into parts of the files of a batch: its answers, and apart from them what has failed. */
import { type BatchCounts, type BatchRef, lineCancelled, lineExpired } from '../../core/batches.ts';
import type { ByteStore, FilePart } from '../../core/files.ts';
import type { BatchLine, LineAnswer } from '../ports.ts';
import { resultIdOf } from './job-lines.ts';
import { writeShards } from './shards.ts';

type NamedLine = Pick<BatchLine, 'n' | 'customId'>;

/** Why a line was not answered: a code of its error file. */
export interface NoAnswer {
  readonly code: string;
  readonly message: string;
}

export const notAnswered = {
  [lineCancelled]: {
    code: lineCancelled,
    message: 'The batch was cancelled before this request was answered.',
  },
  [lineExpired]: { code: lineExpired, message: 'The batch expired before this request was answered.' },
} as const satisfies Readonly<Record<string, NoAnswer>>;

export const noCounts: BatchCounts = { total: 0, completed: 0, failed: 0, cancelled: 0, expired: 0 };

export const addCounts = (one: BatchCounts, other: BatchCounts): BatchCounts => ({
  total: one.total + other.total,
  completed: one.completed + other.completed,
  failed: one.failed + other.failed,
  cancelled: one.cancelled + other.cancelled,
  expired: one.expired + other.expired,
});

export interface ResultParts {
  readonly output: readonly FilePart[];
  readonly errors: readonly FilePart[];
}

export interface ResultWriter {
  answered(line: NamedLine, answer: LineAnswer): Promise<void>;
  unanswered(line: NamedLine, why: NoAnswer): Promise<void>;
  /** Stores what is held. What is stored by now, in order. */
  flush(): Promise<ResultParts>;
  readonly counts: () => BatchCounts;
}

/** `nameOf`: the name of the n-th part of the answers, or of the errors. */
export function writeResults(
  bytes: ByteStore,
  batch: BatchRef,
  nameOf: (what: keyof ResultParts, n: number) => string,
): ResultWriter {
  const output = writeShards(bytes, (n) => nameOf('output', n));
  const errors = writeShards(bytes, (n) => nameOf('errors', n));
  let counts = noCounts;
  const count = (name: keyof BatchCounts) => {
    counts = { ...counts, [name]: counts[name] + 1, total: counts.total + 1 };
  };
  return {
    async answered({ n, customId }, { status, requestId, body }) {
      const isGood = status >= 200 && status <= 299;
      count(isGood ? 'completed' : 'failed');
      const response = `{"status_code":${status},"request_id":${JSON.stringify(requestId)},"body":${body}}`;
      const line = `{"id":"${resultIdOf(batch, n)}","custom_id":${JSON.stringify(customId)},"response":${response},"error":null}`;
      await (isGood ? output : errors).write(line);
    },
    async unanswered({ n, customId }, { code, message }) {
      count(code === lineCancelled ? 'cancelled' : code === lineExpired ? 'expired' : 'failed');
      const id = resultIdOf(batch, n);
      await errors.write(
        JSON.stringify({ id, custom_id: customId, response: null, error: { code, message } }),
      );
    },
    async flush() {
      await Promise.all([output.flush(), errors.flush()]);
      return { output: [...output.parts], errors: [...errors.parts] };
    },
    counts: () => counts,
  };
}
