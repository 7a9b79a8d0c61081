/**
 * What operators add to the ledger by hand or by closing a month. Entries are never changed or removed. Amounts are in whole
 * nano-dollars of what the tenant is charged.
 */
import type { Counts } from './counters.ts';
import type { LedgerRecord } from './ledger.ts';

/** A change of what a tenant is charged for a month. */
export interface Adjustment {
  readonly id: string;
  readonly tenant: string;
  /** The month whose invoice it changes, `YYYY-MM`. */
  readonly month: string;
  /** When it was made, in Unix milliseconds. */
  readonly at: number;
  /** Negative: in the tenant's favour. */
  readonly amount: number;
  readonly reason: string;
  /** Who made it. */
  readonly by: string;
  /** The request that it corrects. */
  readonly requestId?: string;
}

/** The sums of one model in a closed month. */
export interface ClosedModel {
  readonly model: string;
  readonly counts: Counts;
}

/** A closed month of a tenant: it is charged this and its adjustments, whatever happens to the ledger later. */
export interface MonthClose {
  readonly tenant: string;
  /** `YYYY-MM`. */
  readonly month: string;
  /** When it was closed, in Unix milliseconds. */
  readonly at: number;
  readonly by: string;
  readonly models: readonly ClosedModel[];
  /** SHA-256 of the daily sums, in hexadecimal. */
  readonly hash: string;
  /** The terms and the prices that the records of the month name; empty if the ledger no longer had them. */
  readonly pricing: readonly string[];
  readonly prices: readonly string[];
}

export interface Journal {
  /** False, without a change, if there is an adjustment with this id in that month. */
  adjust(adjustment: Adjustment): Promise<boolean>;
  /** Of one month, oldest first. */
  adjustments(tenant: string, month: string): Promise<readonly Adjustment[]>;
  /** False, without a change, if the month is closed already. */
  close(close: MonthClose): Promise<boolean>;
  /** Undefined while the month is open. */
  closed(tenant: string, month: string): Promise<MonthClose | undefined>;
}

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
