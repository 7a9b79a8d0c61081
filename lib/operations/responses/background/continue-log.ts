/**
 * The log of a background response as one of its workers writes it. A worker that reads on what another has begun gets the events of the
 * provider again, from the first one, and makes the same of them: those that the log has are left out.
 */
import type { BackgroundStore, LogPosition, Run } from '../../../core/background.ts';
import { eventsOf, firstOfWorker, textOf } from './event-text.ts';

/** Of a log that no worker has written to. */
export const beforeWorker: LogPosition = { next: 0, sequence: firstOfWorker - 1 };

export interface ContinuedLog {
  /** As `createBlockWriter` calls it. */
  readonly append: (n: number, text: string) => Promise<number>;
  position(): LogPosition;
  /** Nothing more is written. */
  close(): void;
  /** Resolves when no write runs. */
  written(): Promise<void>;
}

/** `mayWrite`: whether the worker is sure that the run is its own. */
export async function continueLog(
  runs: Pick<BackgroundStore, 'append' | 'follow'>,
  run: Run,
  mayWrite: () => boolean,
): Promise<ContinuedLog> {
  let position = run.upstream ? await endOf(runs, run) : beforeWorker;
  let isClosed = false;
  let writing: Promise<unknown> = Promise.resolve();
  const write = async (text: string): Promise<number> => {
    const fresh = eventsOf(text).filter(({ sequence }) => sequence > position.sequence);
    const last = fresh.at(-1);
    if (!last || isClosed) return position.next;
    if (!mayWrite()) throw new Error('Another worker may write the log.');
    const next = await runs.append(run, position.next, fresh.map(textOf).join(''));
    position = { next, sequence: last.sequence };
    return next;
  };
  return {
    append(_n, text) {
      const written = write(text);
      writing = written.catch(() => {});
      return written;
    },
    position: () => position,
    close() {
      isClosed = true;
    },
    async written() {
      await writing;
    },
  };
}

/** A worker that is lost may have written more than is known. */
async function endOf(runs: Pick<BackgroundStore, 'follow'>, run: Run): Promise<LogPosition> {
  let position = run.logged ?? beforeWorker;
  for (;;) {
    const block = await runs.follow(run, position.next);
    if (!block) return position;
    position = { next: block.next, sequence: eventsOf(block.text).at(-1)?.sequence ?? position.sequence };
  }
}
