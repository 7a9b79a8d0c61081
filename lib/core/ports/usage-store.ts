/** The ledger and its daily counters. */
import type { CounterKey, Counts, DailyCounter } from '../accounting/counters.ts';
import type { LedgerRecord } from '../accounting/ledger.ts';

/** A range of time in Unix milliseconds: `from` is included, `to` is not. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface RecordPage {
  /** In order of time. */
  readonly records: readonly LedgerRecord[];
  /** The cursor of the next page; absent on the last one. */
  readonly after?: string;
}

/** The ledger and its daily counters. Every method may reject; nothing is cached. */
export interface UsageStore {
  /**
   * Writes a record; `known` if there already is one of its request. `write` is a unique name of this write: if its outcome is
   * unknown, it may be repeated under the same name.
   */
  record(record: LedgerRecord, write: string): Promise<'new' | 'known'>;
  records(
    tenant: string,
    span: Span & { readonly limit: number; readonly after?: string | undefined },
  ): Promise<RecordPage>;
  /** Replaces the costs of a record; false if it no longer exists or has changed. */
  reprice(record: LedgerRecord, bill: Pick<LedgerRecord, 'attempts' | 'cost' | 'charge'>): Promise<boolean>;
  /** Adds once. If it rejects, the counts may have been added. */
  addToCounter(key: CounterKey, counts: Counts): Promise<void>;
  /** The counters of a range of days, with `from` and `to`. */
  counters(
    tenant: string,
    days: { readonly from: string; readonly to: string },
  ): Promise<readonly DailyCounter[]>;
  /** False, without a change, if the counter no longer equals `known`. `known` is undefined if there was none. */
  replaceCounter(key: CounterKey, counts: Counts, known: Counts | undefined): Promise<boolean>;
  /** The first day of which the ledger still has every record. */
  oldestDay(): string;
}
