/** Limits and records of one request. */
import type { FinishedRequest, LedgerRecord } from '../accounting/ledger.ts';
import type { ErrorForm } from '../operations.ts';
import type { ApiKey } from './api-keys.ts';

/** Tokens, and what the tenant is charged for them in nano-dollars; null: a target has no price. */
interface MaxAmounts {
  readonly tokens: number;
  readonly amount: number | null;
}

/** The maximum use of a request, whichever target answers. */
export interface MaxUse {
  /** Of the input, and of what is charged once. */
  readonly fixed: MaxAmounts;
  /** Of each token of output. */
  readonly perOutputToken: MaxAmounts;
  /** In tokens. */
  readonly output: {
    /** What the caller asked for; without that, what the model can write. */
    readonly max: number;
    /** What must be granted, or the request is refused. */
    readonly min: number;
    /** What the model usually writes; absent if the caller asked for less than it can. */
    readonly expected?: number;
  };
  /** How much more it is for budgets that count what own credentials take of the tenant; absent: there are none. */
  readonly ownKeys?: { readonly fixed: number | null; readonly perOutputToken: number | null };
  /** True for what no one here will count: it is not bounded by the amounts. */
  readonly isUnseen?: boolean;
  /** True for a request without a record that counts as a request all the same. */
  readonly isFree?: boolean;
}

const none = { tokens: 0, amount: 0 };

/** Of a request that counts as one, and uses nothing. */
export const noUse: MaxUse = { fixed: none, perOutputToken: none, output: { max: 0, min: 0 }, isFree: true };

/** What a check of the limits may do. */
export interface CheckOptions {
  /** Whether it may read them: one read for each scope and request. Without that it only knows what was refused a moment ago. */
  readonly mayRead: boolean;
  /** Whether the request may cost nothing. Asked only if what is paid for is used up. */
  readonly mayBeFree: () => Promise<boolean>;
}

/** What another process goes on with. */
export interface MeteredRequest {
  /** Its open record, with what is held for it. */
  readonly record: LedgerRecord;
  /** Those of its tenant in the ledger when the record was written. */
  readonly partitions: number;
  /** The output tokens that it may use; absent: no limits apply. */
  readonly granted?: number;
}

/** Counts one request against the limits of its key and tenant, and records it at the end. */
export interface RequestMeter {
  /**
   * Refuses what `admit` would certainly refuse, because a limit is used up, before the request is worth any work. Writes nothing;
   * where the limits cannot be read, `admit` decides. Rejects as `admit` does. Undefined: there is nothing to wait for.
   */
  check(options: CheckOptions): Promise<void> | undefined;
  /**
   * Reserves the maximum use of the request, before a provider is called; called again, it reserves for a further attempt.
   * Resolves with the output tokens that it may use; undefined without limits: then it writes nothing, and does not call
   * `maxUse`. Rejects with GatewayError `rate_limited` or `insufficient_quota`.
   */
  admit(maxUse: () => MaxUse): Promise<number | undefined> | undefined;
  /** Resolves, or rejects, as `admit` would, as far as one read shows, and reserves nothing. Absent: there are no limits. */
  preview?(maxUse: () => MaxUse): Promise<number | undefined>;
  /** The response headers about limits; none without limits. `form`: those of Anthropic, too. */
  headers(form?: ErrorForm): Readonly<Record<string, string>>;
  /**
   * Notes a request before it is sent to a provider, where the end of the process does not take it back, and writes its open record
   * beside the call.
   */
  begin(request: FinishedRequest | undefined): void;
  /**
   * Writes the open record of a request that was admitted, and that another process goes on with: from then on, `finish` does nothing
   * here. Undefined where requests are not metered. If it rejects, `finish` ends the record.
   */
  handOver(request: FinishedRequest | undefined): Promise<MeteredRequest | undefined>;
  /**
   * Releases the reservation and records the request; undefined for a request that reached no provider. Never rejects: a record
   * that cannot be written is logged, so that it can be replayed.
   */
  finish(request: FinishedRequest | undefined): Promise<void>;
}

/**
 * `user`: the caller's id of its own user, if given. `continued`: of a request that was handed over. Its first `admit` resolves with what
 * was granted, and its record replaces the open one.
 */
export type OpenMeter = (
  key: ApiKey,
  requestId: string,
  user?: string,
  continued?: MeteredRequest,
) => RequestMeter;

/**
 * Notes a record, before its request is sent, where it outlives the process: in a journal that the next start replays, or in the log. Call the
 * result once the ledger has the record. `open`: of a request that is about to be sent; `done`: of one whose final record is late.
 */
export type NoteRecord = (state: 'open' | 'done', record: LedgerRecord) => () => void;
