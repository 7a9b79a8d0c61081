/** Writes a record and adds it to its day's sums, trying again while there is time. */
import { retry } from '../async/retry.ts';
import type { LedgerRecord } from '../core/accounting/ledger.ts';
import type { UsageStore } from '../core/ports.ts';
import { counterKeyOf, countsOf } from './counts.ts';

export interface WriteDownOptions {
  readonly usage: Pick<UsageStore, 'record' | 'addToCounter'>;
  /** A name for this write that no other has. */
  readonly write: string;
  readonly timeoutMs: number;
}

/** The pauses between the tries. */
const pausesMs = [50, 200, 600];

/**
 * The ledger comes first: the sums can be made from it again. Each step is repeated only as far as that cannot do it
 * twice. Rejects where one of them is not known to be done.
 */
export async function writeDown(
  record: LedgerRecord,
  { usage, write, timeoutMs }: WriteDownOptions,
  onRecorded: () => void,
): Promise<void> {
  const outcome = await retry(() => usage.record(record, write), { pausesMs, timeoutMs });
  onRecorded();
  if (outcome === 'new') await usage.addToCounter(counterKeyOf(record), countsOf(record));
}
