/** Restores ledger records from the log: those that could not be written, and requests whose process ended early. */
import { dayOf } from '../core/accounting/counters.ts';
import type { LedgerRecord } from '../core/accounting/ledger.ts';
import { interrupted } from './bill.ts';
import { readLogLine } from './log-lines.ts';
import { type Difference, type ReconcileOptions, reconcile } from './reconcile.ts';

export interface ReplayOptions extends ReconcileOptions {
  readonly newId: (prefix: string) => string;
  /** How long after its start a request without a record counts as interrupted: the maximum duration of a request. */
  readonly deadAfterMs?: number;
}

export interface Replayed {
  /** Records written from lines about lost records. */
  readonly restored: number;
  /** Records written for requests that started and never ended. */
  readonly interrupted: number;
  /** Lines whose record is in the ledger already. */
  readonly known: number;
  /** Requests that started so recently that they may still be running. */
  readonly underWay: number;
  /** Records older than the retention of the ledger. */
  readonly tooOld: number;
  /** Counters that did not match the ledger. */
  readonly differences: readonly Difference[];
}

/** The maximum duration of a request. */
export const longestRequestMs = 960_000;

/** `lines` are the lines of a log in any order; other lines are ignored. Can be repeated safely. */
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
    else await write({ ...record, status: 499, error: interrupted, cost: null, charge: null }, 'interrupted');
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
    // Each attempt of a request logs a line. The last one names the provider that was called last.
    if (!other || other.attempts.length <= attempts.length) found[read.kind].set(requestId, read.record);
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
