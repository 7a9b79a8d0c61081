/** Writes a ledger record and adds it to the daily counters. Retries until a deadline. */
import { retry } from '../async/retry.ts';
import type { LedgerRecord } from '../core/accounting/ledger.ts';
import type { UsageStore } from '../core/ports/usage-store.ts';
import { counterKeyOf, countsOf } from './counts.ts';

export interface RecordUsageOptions {
  readonly usage: Pick<UsageStore, 'record' | 'addToCounter'>;
  /** A unique name for this write, so that it can be repeated safely. */
  readonly write: string;
  readonly timeoutMs: number;
}

/** The pauses between the attempts. */
const pausesMs = [50, 200, 600];

/**
 * Writes the ledger first, because the counters can be recomputed from it. A step is retried only where that cannot apply
 * it twice. Rejects if the outcome of a step is unknown.
 */
export async function recordUsage(
  record: LedgerRecord,
  { usage, write, timeoutMs }: RecordUsageOptions,
  onRecorded: () => void,
): Promise<void> {
  const outcome = await retry(() => usage.record(record, write), { pausesMs, timeoutMs });
  onRecorded();
  if (outcome === 'new') await usage.addToCounter(counterKeyOf(record), countsOf(record));
}
