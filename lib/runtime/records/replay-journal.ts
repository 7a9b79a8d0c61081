/** Replays the files of a journal that earlier processes have left. */
import { createReadStream } from 'node:fs';
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { retry } from '../../async/retry.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import type { Log } from '../../core/ports/log.ts';
import { type ReplayOptions, replay } from '../../metering/records/replay.ts';
import { journalExtension } from './journal.ts';

interface ReplayJournalOptions extends ReplayOptions {
  readonly directory: string;
  readonly log: Log;
}

/** A file without a new line for so long is of a process that has ended: no request runs for so long. */
const abandonedMs = 3_600_000;

/** While the database cannot be reached. */
const pausesMs = [1_000, 5_000, 20_000, 60_000, 120_000, 300_000];

/**
 * Now, and again once every file of now is abandoned. Never rejects. A file may be of a process that still runs, beside this one: then
 * replaying it changes nothing, and it stays.
 */
export async function replayJournal(options: ReplayJournalOptions): Promise<void> {
  await replayFiles(options);
  await sleep(abandonedMs + 60_000, undefined, { ref: false });
  await replayFiles(options);
}

export async function replayFiles({ directory, log, ...options }: ReplayJournalOptions): Promise<void> {
  try {
    const names = await readdir(directory).catch(() => []);
    const files = names
      .filter((name) => name.endsWith(journalExtension))
      .map((name) => join(directory, name));
    if (files.length === 0) return;
    const found = await Promise.all(files.map((path) => stat(path)));
    const result = await retry(() => replay(linesOf(files), options), { pausesMs });
    if (result.restored > 0) log.warn('journal replayed', { ...result });
    const abandoned = files.filter((_, index) => isAbandoned(found[index]?.mtimeMs, options.now()));
    for (const path of abandoned) await unlink(path);
  } catch (error) {
    log.warn('journal not replayed', { directory, ...failureFields(error) });
  }
}

const isAbandoned = (changedAt = Number.POSITIVE_INFINITY, now: number) => changedAt + abandonedMs < now;

async function* linesOf(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) {
    // Its process may have removed it in between.
    const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
    try {
      yield* lines;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
