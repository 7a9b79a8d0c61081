/** Writes a ledger record and adds it to the daily counters. Retries until a deadline. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerRecord } from '../core/accounting/ledger.ts';
import type { UsageStore } from '../core/ports.ts';
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
  const until = performance.now() + timeoutMs;
  const outcome = await retry(() => usage.record(record, write), until);
  onRecorded();
  if (outcome === 'new') await usage.addToCounter(counterKeyOf(record), countsOf(record));
}

async function retry<Result>(work: () => Promise<Result>, until: number): Promise<Result> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() + pauseMs >= until) throw error;
    }
    await sleep(pauseMs);
  }
  return await work();
}
