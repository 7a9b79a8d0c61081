/** The changes of the ledger, in the order of the stream that delivers them to the aggregator. */
import type { LedgerRecord } from './ledger.ts';

/** A record as it is stored: `open` until the request has ended. */
export interface LedgerItem {
  readonly state: 'open' | 'done';
  readonly record: LedgerRecord;
}

/** What one write did to one item. */
export interface LedgerChange {
  /** Its position in the shard of the stream, as digits. */
  readonly sequence: string;
  /** In Unix milliseconds; its seconds are exact. */
  readonly at: number;
  /** Absent if the item is new. */
  readonly before?: LedgerItem;
  /** Absent if the item was removed, because it had expired. */
  readonly after?: LedgerItem;
}

/** One batch of a shard of the stream, as an item that adds it up needs to know it. */
export interface StreamBatch {
  /** The id of the shard. */
  readonly shard: string;
  /** The time in Unix milliseconds. */
  readonly now: number;
}
