/**
 * Notes records that the ledger does not have yet as lines in files of a directory, which the next start replays. The lines of one turn
 * of the event loop are one write at its end, which their requests wait for: what the system has of them, the end of the process does
 * not take back.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import type { Log } from '../../core/ports/log.ts';
import type { NoteRecord } from '../../core/ports/metering.ts';
import { lossMessage, openMessage } from '../../metering/records/log-messages.ts';

/** A file gets no more lines after so many bytes, or so long; it is removed once the ledger has all of its records. */
export const maxFileBytes = 1_048_576;
export const maxFileMs = 60_000;

export const journalExtension = '.jsonl';

interface JournalOptions {
  readonly directory: string;
  readonly now: () => number;
  readonly log: Log;
  /** Notes what cannot be written here. */
  readonly otherwise: NoteRecord;
}

export interface Journal {
  readonly note: NoteRecord;
  /** Resolves once all lines are written; undefined if they are. */
  written(): Promise<void> | undefined;
  /** Writes what waits, and removes the file that it writes to, if the ledger has all of it. */
  close(): void;
}

interface JournalFile {
  readonly path: string;
  readonly descriptor: number;
  readonly openedAt: number;
  bytes: number;
  /** Its records that the ledger does not have yet. */
  pending: number;
}

/** A line that is not written yet. */
interface Waiting {
  readonly state: 'open' | 'done';
  readonly record: LedgerRecord;
  /** The ledger has its record. */
  forget: () => void;
}

/** Creates the directory in one that exists. A file of it is written by one process. */
export function openJournal({ directory, now, log, otherwise }: JournalOptions): Journal {
  let current: JournalFile | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  function remove({ path, descriptor }: JournalFile): void {
    try {
      closeSync(descriptor);
      unlinkSync(path);
    } catch {
      // Another process has replayed it, and has removed it.
    }
  }
  function next(): JournalFile {
    const time = now();
    if (current && current.bytes < maxFileBytes && time - current.openedAt < maxFileMs) return current;
    if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 });
    const path = join(directory, `${randomUUID()}${journalExtension}`);
    const opened = { path, descriptor: openSync(path, 'ax', 0o600), openedAt: time, bytes: 0, pending: 0 };
    const before = current;
    current = opened;
    if (before?.pending === 0) remove(before);
    return opened;
  }
  let waiting: Waiting[] = [];
  let writing: PromiseWithResolvers<void> | undefined;
  function write(lines: readonly Waiting[]): void {
    try {
      const file = next();
      const text = lines.map(lineOf).join('');
      const bytes = Buffer.byteLength(text);
      file.bytes += bytes;
      if (writeSync(file.descriptor, text) < bytes) throw new Error('The disk is full.');
      file.pending += lines.length;
      // V8 makes a function that is written as the value of a property in its old generation: one for each line would keep what it
      // reaches, most of a request, until that is collected.
      const forget = () => {
        file.pending -= 1;
        if (file.pending === 0 && file !== current) remove(file);
      };
      for (const line of lines) line.forget = forget;
    } catch (error) {
      log.error('journal not written', { directory, ...failureFields(error) });
      failedAt = now();
      noteOtherwise(lines);
    }
  }
  function noteOtherwise(lines: readonly Waiting[]): void {
    for (const line of lines) line.forget = otherwise(line.state, line.record);
  }
  function leaveOut(line: Waiting): void {
    waiting = waiting.filter((other) => other !== line);
  }
  function writeWaiting(): void {
    const lines = waiting;
    waiting = [];
    try {
      if (now() - failedAt < maxFileMs) noteOtherwise(lines);
      else if (lines.length > 0) write(lines);
    } finally {
      writing?.resolve();
      writing = undefined;
    }
  }
  return {
    note(state, record) {
      const line: Waiting = { state, record, forget: () => leaveOut(line) };
      waiting.push(line);
      if (!writing) {
        writing = Promise.withResolvers();
        setImmediate(writeWaiting);
      }
      return () => {
        line.forget();
        line.forget = nothing;
      };
    },
    written: () => writing?.promise,
    close() {
      writeWaiting();
      if (current?.pending === 0) remove(current);
      current = undefined;
    },
  };
}

const nothing = () => {};

/** As `usage replay` reads it. */
const lineOf = ({ state, record }: Waiting): string =>
  `${JSON.stringify({ message: state === 'open' ? openMessage : lossMessage, record })}\n`;
