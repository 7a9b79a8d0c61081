/** The records of the ledger from the newest to the oldest, of one or more tenants. */
import type { LedgerRecord } from '../accounting/ledger.ts';
import type { Span } from './usage-store.ts';

export interface LedgerQuestion extends Span {
  readonly tenants: readonly string[];
  readonly matches: (record: LedgerRecord) => boolean;
  /** Records of the page. */
  readonly limit: number;
  /** Records that may be read for the page. A few more may be, which come again with the next page. */
  readonly maxRead: number;
  /** `next` of the page before. */
  readonly after?: string | undefined;
  readonly signal: AbortSignal;
}

export interface LedgerFinding {
  readonly records: readonly LedgerRecord[];
  /** Where the next page begins; absent: everything was looked at. */
  readonly next?: string;
  /** Everything from this time on was looked at, in Unix milliseconds. */
  readonly searchedTo: number;
  /** The records that were looked at. */
  readonly lookedAt: number;
}

export interface LedgerSearch {
  /** Rejects if it cannot be read. Requests that are running are not found; those whose process has ended are interrupted ones. */
  newest(question: LedgerQuestion): Promise<LedgerFinding>;
}
