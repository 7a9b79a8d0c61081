/** The ledger and its daily counters. */

import type { CounterKey, Counts, DailyCounter } from '../accounting/counters.ts';
import type { LedgerItem, StreamBatch } from '../accounting/journal.ts';
import type { LedgerRecord } from '../accounting/ledger.ts';
import type { Numbers, SumKey } from '../accounting/sums.ts';

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

/** What one change of the ledger adds to a counter, or to a sum of the dashboard. */
export interface CountedChange {
  /** Its position in its shard of the stream. */
  readonly sequence: string;
  /** In Unix milliseconds. */
  readonly at: number;
  /** `Counts`, and where there is a dashboard what it shows beside them. */
  readonly counts: Numbers;
  /** When the request took place, or failed at a deployment, in Unix milliseconds; absent: it counted before. */
  readonly lastAt?: number;
}

/** Open records of requests that have not ended. */
export interface OpenPage {
  /** Newest first. */
  readonly records: readonly LedgerRecord[];
  /** Older ones were not looked at. */
  readonly hasMore: boolean;
}

/** The ledger and its daily counters. Every method may reject; nothing is cached. */
export interface UsageStore {
  /**
   * Writes the open record of a request that is about to be sent to a provider, or sent once more. Beside a final record it means
   * nothing. `partitions`: those of its tenant; read from the tenant if absent, as in the other methods.
   */
  open(record: LedgerRecord, partitions?: number): Promise<unknown>;
  /**
   * Writes a final record; `known` if there already is one of its request. `write` is a unique name of this write: if its outcome
   * is unknown, it may be repeated under the same name.
   */
  record(record: LedgerRecord, write: string, partitions?: number): Promise<'new' | 'known'>;
  records(
    tenant: string,
    span: Span & { readonly limit: number; readonly after?: string | undefined },
  ): Promise<RecordPage>;
  /** The item of a request; undefined if the tenant has none, or the id holds no time. */
  find(tenant: string, requestId: string, partitions?: number): Promise<LedgerItem | undefined>;
  /** Replaces the costs of a record; false if it no longer exists or has changed. The sums follow by themselves. */
  reprice(record: LedgerRecord, bill: Pick<LedgerRecord, 'attempts' | 'cost' | 'charge'>): Promise<boolean>;
  /** The counters of a range of days, with `from` and `to`. */
  counters(
    tenant: string,
    days: { readonly from: string; readonly to: string },
  ): Promise<readonly DailyCounter[]>;
  /**
   * Sets a counter to the sum of the ledger. False, without a change, if it no longer equals `known`, which is undefined if there
   * was none. `since`: later changes of the ledger, in Unix milliseconds, are still to be added.
   */
  replaceCounter(key: CounterKey, counts: Counts, known: Counts | undefined, since: number): Promise<boolean>;
  /** The first day of which the ledger still has every record. */
  oldestDay(): string;
}

/** What the aggregator does with the ledger beside reading it. Each may be repeated. */
export interface AggregateStore {
  /** Adds the changes that the counter has not seen. They are of one batch, in its order. */
  addToCounter(key: CounterKey, changes: readonly CountedChange[], batch: StreamBatch): Promise<void>;
  /** The same for a sum of the dashboard. Does nothing if it has expired. */
  addToSum(key: SumKey, changes: readonly CountedChange[], batch: StreamBatch): Promise<void>;
  /** Stores since when there are sums of the dashboard, or that there are none. */
  noteSums(areKept: boolean): Promise<void>;
  /** Notes that all changes of a shard up to this one, made at `at`, are counted, in Unix milliseconds. */
  notePosition(batch: StreamBatch, at: number): Promise<void>;
  /** Notes that a batch failed, and comes again. */
  noteFailedBatch(batch: StreamBatch): Promise<void>;
  /** Writes the final record of a request whose process has ended; does nothing if it has one. */
  finish(record: LedgerRecord): Promise<void>;
  /**
   * The time up to which the open records of a tenant were finished, in Unix milliseconds, if the last look is longer ago than `pauseMs`;
   * undefined otherwise. It counts as a look. Without a tenant: the time up to which those with open records were looked for.
   */
  startSweep(tenant: string | undefined, pauseMs: number): Promise<number | undefined>;
  /** The open records of a span of time, also of requests that have ended. */
  opened(tenant: string, span: Span): Promise<readonly LedgerRecord[]>;
  /** Those of responses that are created in the background. All of the span are read, and charged for. */
  openedInBackground(tenant: string, span: Span): Promise<readonly LedgerRecord[]>;
  /** Of the newest open records of a span, so many at most, those without a final one. */
  newestOpen(tenant: string, span: Span & { readonly max: number }): Promise<OpenPage>;
  /** Those without a final record. */
  unfinished(tenant: string, span: Span): Promise<readonly LedgerRecord[]>;
  endSweep(tenant: string | undefined, until: number): Promise<void>;
  /** Notes that a tenant had an open record in a minute, in minutes since 1970. */
  noteOpen(tenant: string, minute: number): Promise<void>;
  /** The tenants of a minute. */
  openTenants(minute: number): Promise<readonly string[]>;
  /** Notes an open record that is older than others, since one process after the other works on its request. */
  noteLate(record: LedgerRecord, minute: number): Promise<void>;
  /** Those of a minute without a final record. */
  late(minute: number): Promise<readonly LedgerRecord[]>;
}
