/**
 * Meters each request: reserves its maximum use before a provider is called, writes its open record beside the call, and its final
 * record when it ends. The aggregator makes everything else of these two: sums, and the end of interrupted requests.
 *
 * Metering never fails an answer and delays it by at most `timeoutMs`. A final record that could not be written by then is
 * logged in full, for `replay`.
 */
import { retry } from '../async/retry.ts';
import { type FinishedRequest, type LedgerRecord, tokensOf } from '../core/accounting/ledger.ts';
import type { Hold } from '../core/accounting/limits.ts';
import { partitionsFor } from '../core/accounting/partitions.ts';
import { failureFields } from '../core/failure-fields.ts';
import type { ApiKey } from '../core/ports/api-keys.ts';
import type { Log } from '../core/ports/log.ts';
import type { CheckOptions, MaxUse, OpenMeter } from '../core/ports/metering.ts';
import type { UsageStore } from '../core/ports/usage-store.ts';
import { billOf } from './bill.ts';
import { failureWithin } from './deadline.ts';
import { lossMessage } from './log-lines.ts';
import { openRecordOf } from './open.ts';
import { differenceMessage, statedDifference } from './stated-cost.ts';

/**
 * How a request ended. Of one that was not served, because no provider was called, nothing counts. One without a record counts as
 * a request, and no record will release what is held for it.
 */
export type RequestEnd = 'recorded' | 'unrecorded' | 'not served';

/** The limits of one request's key, user and tenant. */
export interface LimitedRequest {
  /** As `RequestMeter.check`. */
  check(options: CheckOptions): Promise<void>;
  /**
   * Resolves with the output tokens that they grant. Rejects with GatewayError `rate_limited`, `budget_used_up`,
   * `insufficient_quota`, `limits_unavailable` or `permission_denied`.
   */
  admit(max: MaxUse): Promise<number>;
  /** What they hold until the actual use is known. */
  holds(): readonly Hold[];
  headers(form?: 'anthropic'): Readonly<Record<string, string>>;
  /** The request has ended. May reject. */
  release(end: RequestEnd): Promise<void>;
}

/** The reason of every such signal: without one, each would make an error of its own, with a stack. */
const ended = new Error('The request has ended.');

/** Undefined if key, user and tenant have no limits. */
export type OpenLimits = (key: ApiKey, requestId: string, user?: string) => LimitedRequest | undefined;

export interface MeterOptions {
  readonly usage: Pick<UsageStore, 'open' | 'record'>;
  /** Absent if there are no limits at all. */
  readonly openLimits?: OpenLimits;
  readonly log: Log;
  /** A random id with this prefix. */
  readonly newId: (prefix: string) => string;
  /** How long an answer waits for its record. The time limit of the Lambda function leaves three seconds for it. */
  readonly timeoutMs?: number;
}

export function createOpenMeter(options: MeterOptions): OpenMeter {
  const { log, openLimits, usage, timeoutMs = 2_000 } = options;
  return (key, requestId, user) => {
    const limits = openLimits?.(key, requestId, user);
    const { throughput, pricing } = key.tenantPolicy ?? {};
    const partitions = partitionsFor(throughput);
    let isFree = false;
    const withHolds = (request: FinishedRequest): FinishedRequest => {
      const holds = limits?.holds() ?? [];
      return holds.length > 0 ? { ...request, holds } : request;
    };
    /** The writes of the open record, one after the other; never rejects. */
    let opened: Promise<void> | undefined;
    let isOver = false;
    /** Aborted when the request is over: the final record needs no open one. Made only for a write that has failed. */
    let over: AbortController | undefined;
    const signalOfEnd = () => {
      over ??= new AbortController();
      if (isOver) over.abort(ended);
      return over.signal;
    };
    const open = async (record: LedgerRecord) => {
      try {
        await retry(() => usage.open(record, partitions), { pausesMs: openPausesMs, signal: signalOfEnd });
      } catch (error) {
        // Only the end of the process would leave no trace.
        log.warn('usage not opened', { request_id: requestId, ...failureFields(error) });
      }
    };
    const release = async (end: RequestEnd) => {
      const failure = await failureWithin(timeoutMs, limits?.release(end));
      if (failure) log.warn('limits not released', { request_id: requestId, ...failure });
    };
    const write = async (record: LedgerRecord) => {
      const { requestId: request_id, model, provider } = record;
      // A metric of the stack counts these lines. Without a price, an operator must add it.
      if (record.cost === null || record.charge === null) {
        const reason = tokensOf(record) === null ? 'uncounted' : 'no_price';
        log.error('usage unpriced', { request_id, model, provider, reason });
      }
      const write = options.newId('write_');
      const put = () => retry(() => usage.record(record, write, partitions), { pausesMs, timeoutMs });
      const failure = await failureWithin(timeoutMs, opened?.then(put) ?? put());
      if (failure) log.error(lossMessage, { request_id, ...failure, record: withoutRawUsage(record) });
    };
    return {
      check: async (options) => await limits?.check(options),
      async admit(max) {
        if (!limits) return undefined;
        const most = max();
        const output = await limits.admit(most);
        isFree = most.isFree === true;
        return isFree ? undefined : output;
      },
      headers: (form) => limits?.headers(form) ?? {},
      begin(request) {
        if (!request) return;
        const record = openRecordOf(withHolds(request), pricing);
        opened = opened ? opened.then(() => open(record)) : open(record);
      },
      async finish(request) {
        isOver = true;
        over?.abort(ended);
        const record = request && billOf(withHolds(request), pricing);
        for (const difference of request?.attempts.flatMap(statedDifference) ?? []) {
          log.warn(differenceMessage, { request_id: requestId, ...difference });
        }
        const end = record ? 'recorded' : isFree ? 'unrecorded' : 'not served';
        await Promise.all([release(end), record && write(record)]);
      },
    };
  };
}

/** As a log line has room for: its counts and cost are enough to restore it. */
function withoutRawUsage(record: LedgerRecord): LedgerRecord {
  return { ...record, attempts: record.attempts.map(({ rawUsage: _, ...attempt }) => attempt) };
}

/** The pauses between attempts to write a record. */
const pausesMs = [50, 200, 600];
/** The same for an open record, while its request runs: a fault of the database may last. */
const openPausesMs = [...pausesMs, 2_000, 5_000, 10_000, 20_000];
