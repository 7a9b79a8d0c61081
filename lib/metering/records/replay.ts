/** Restores ledger records that could not be written, or whose process ended before it could, from lines of a log or of a journal. */
import { mapConcurrently } from '../../async/map-concurrently.ts';
import { dayOf } from '../../core/accounting/counters.ts';
import { interrupted, interruptedOf, isOver } from '../../core/accounting/interrupted.ts';
import type { LedgerItem } from '../../core/accounting/journal.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { readLogLine, readOpenLine } from './log-lines.ts';

export interface ReplayOptions {
  readonly usage: Pick<UsageStore, 'find' | 'open' | 'record' | 'oldestDay'>;
  readonly newId: (prefix: string) => string;
  /** The time in milliseconds. */
  readonly now: () => number;
}

interface Replayed {
  /** Records that were written. The sums follow by themselves. */
  readonly restored: number;
  /** Lines whose record is in the ledger already. */
  readonly known: number;
  /** Records older than the retention of the ledger. */
  readonly tooOld: number;
}

const parallelWrites = 16;

/** `lines` are the lines of a log in any order; other lines are ignored. Can be repeated safely. */
export async function replay(
  lines: Iterable<string> | AsyncIterable<string>,
  options: ReplayOptions,
): Promise<Replayed> {
  const found = new Map<string, LedgerItem>();
  for await (const line of lines) {
    const lost = readLogLine(line);
    const opened = lost ? undefined : readOpenLine(line);
    if (lost) found.set(lost.requestId, { state: 'done', record: lost });
    else if (opened && isNews(opened, found.get(opened.requestId)))
      found.set(opened.requestId, { state: 'open', record: opened });
  }
  const results = await mapConcurrently([...found.values()], parallelWrites, (item) =>
    restore(item, options),
  );
  const count = (result: keyof Replayed) => results.filter((one) => one === result).length;
  return { restored: count('restored'), known: count('known'), tooOld: count('tooOld') };
}

/** A final record says more than an open one, and each attempt adds to the one before. */
const isNews = ({ attempts }: LedgerRecord, known: LedgerItem | undefined): boolean =>
  !known || (known.state === 'open' && known.record.attempts.length <= attempts.length);

async function restore(
  { state, record }: LedgerItem,
  { usage, newId, now }: ReplayOptions,
): Promise<keyof Replayed> {
  if (dayOf(record.at) < usage.oldestDay()) return 'tooOld';
  if (state === 'open') {
    const kept = await usage.find(record.tenant, record.requestId);
    if (kept && !lacksAttempts(kept, record)) return 'known';
    // It may still run, in another process.
    if (!isOver(record, now())) return await usage.open(record).then(() => 'restored');
  }
  const final = state === 'open' ? interruptedOf(record) : record;
  return (await usage.record(final, newId('write_'))) === 'new' ? 'restored' : 'known';
}

/** Whether the process ended after a further attempt was noted, and before the ledger had it. */
const lacksAttempts = ({ state, record }: LedgerItem, { attempts }: LedgerRecord): boolean =>
  (state === 'open' || record.error === interrupted) && record.attempts.length < attempts.length;
