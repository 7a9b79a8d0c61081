/** Restores ledger records that could not be written from the log. */
import { dayOf } from '../core/accounting/counters.ts';
import type { LedgerRecord } from '../core/accounting/ledger.ts';
import type { UsageStore } from '../core/ports/usage-store.ts';
import { readLogLine } from './log-lines.ts';

export interface ReplayOptions {
  readonly usage: Pick<UsageStore, 'record' | 'oldestDay'>;
  readonly newId: (prefix: string) => string;
}

export interface Replayed {
  /** Records that were written. The sums follow by themselves. */
  readonly restored: number;
  /** Lines whose record is in the ledger already. */
  readonly known: number;
  /** Records older than the retention of the ledger. */
  readonly tooOld: number;
}

/** `lines` are the lines of a log in any order; other lines are ignored. Can be repeated safely. */
export async function replay(
  lines: Iterable<string> | AsyncIterable<string>,
  options: ReplayOptions,
): Promise<Replayed> {
  const lost = new Map<string, LedgerRecord>();
  for await (const line of lines) {
    const record = readLogLine(line);
    if (record) lost.set(record.requestId, record);
  }
  const counts = { restored: 0, known: 0, tooOld: 0 };
  for (const record of lost.values()) counts[await restore(record, options)] += 1;
  return counts;
}

async function restore(record: LedgerRecord, { usage, newId }: ReplayOptions): Promise<keyof Replayed> {
  if (dayOf(record.at) < usage.oldestDay()) return 'tooOld';
  return (await usage.record(record, newId('write_'))) === 'new' ? 'restored' : 'known';
}
