/** Writes into the ledger what only the log has: records that were lost, and requests whose process was ended. */
import { dayOf } from '../core/accounting/counters.ts';
import type { LedgerRecord } from '../core/accounting/ledger.ts';
import { interrupted } from './bill.ts';
import { readLogLine } from './log-lines.ts';
import { type Difference, type ReconcileOptions, reconcile } from './reconcile.ts';

export interface ReplayOptions extends ReconcileOptions {
  readonly newId: (prefix: string) => string;
  /** After how long a request that began and has no record is taken for dead; the longest that one may take. */
  readonly deadAfterMs?: number;
}

export interface Replayed {
  /** Records written from lines that tell of lost ones. */
  readonly restored: number;
  /** Records written for requests that began and never ended. */
  readonly interrupted: number;
  /** Lines of which the ledger has the record. */
  readonly known: number;
  /** Requests that began too short a time ago: they may be under way. */
  readonly underWay: number;
  /** Records that would be older than anything the ledger keeps. */
  readonly tooOld: number;
  /** Sums that were not what the ledger says. */
  readonly differences: readonly Difference[];
}

/** No request takes longer. */
export const longestRequestMs = 960_000;

/** The lines of a log, in any order; those that tell of something else are passed over. May be repeated. */
export async function replay(
  lines: Iterable<string> | AsyncIterable<string>,
  options: ReplayOptions,
): Promise<Replayed> {
  const { lost, opened } = await collect(lines);
  const counts = { restored: 0, interrupted: 0, known: 0, underWay: 0, tooOld: 0 };
  const touched = new Map<string, Set<string>>();
  const write = async (record: LedgerRecord, kind: 'restored' | 'interrupted') => {
    const outcome = await restore(record, options);
    counts[outcome === 'new' ? kind : outcome] += 1;
    if (outcome !== 'tooOld') daysOf(touched, record.tenant).add(dayOf(record.at));
  };
  for (const record of lost.values()) await write(record, 'restored');
  for (const record of opened.values()) {
    if (lost.has(record.requestId)) continue;
    if (record.at + (options.deadAfterMs ?? longestRequestMs) > options.now()) counts.underWay += 1;
    else await write({ ...record, status: 499, error: interrupted, cost: null }, 'interrupted');
  }
  const differences: Difference[] = [];
  for (const [tenant, days] of touched) differences.push(...(await reconcile(options, tenant, [...days])));
  return { ...counts, differences };
}

async function collect(lines: Iterable<string> | AsyncIterable<string>) {
  const found = { lost: new Map<string, LedgerRecord>(), opened: new Map<string, LedgerRecord>() };
  for await (const line of lines) {
    const read = readLogLine(line);
    if (!read) continue;
    const { requestId, attempts } = read.record;
    const other = found[read.kind].get(requestId);
    // A request leaves a line before each of its attempts: the last one knows who was asked in the end.
    if (!other || other.attempts <= attempts) found[read.kind].set(requestId, read.record);
  }
  return found;
}

async function restore(
  record: LedgerRecord,
  { usage, newId }: ReplayOptions,
): Promise<'new' | 'known' | 'tooOld'> {
  if (dayOf(record.at) < usage.oldestDay()) return 'tooOld';
  return await usage.record(record, newId('write_'));
}

function daysOf(touched: Map<string, Set<string>>, tenant: string): Set<string> {
  const days = touched.get(tenant) ?? new Set();
  touched.set(tenant, days);
  return days;
}
