/**
 * Meters each request: reserves its maximum use before a provider is called, notes its open record and writes it beside the call, and
 * its final record when it ends. The aggregator makes everything else of these two: sums, and the end of interrupted requests.
 *
 * Metering never fails an answer and delays it by at most `timeoutMs`. A final record that could not be written is logged in full,
 * for `replay`. A process that goes on after its answers tries for minutes before that; one that is frozen between them cannot.
 */
import { retry } from '../async/retry.ts';
import { withTimeout } from '../async/with-timeout.ts';
import { unbegunOf } from '../core/accounting/interrupted.ts';
import type { FinishedRequest, LedgerRecord } from '../core/accounting/ledger.ts';
import type { Hold } from '../core/accounting/limits.ts';
import { partitionsFor } from '../core/accounting/partitions.ts';
import { type FailureFields, failureFields } from '../core/errors/failure-fields.ts';
import type { ErrorForm } from '../core/operations.ts';
import type { ApiKey } from '../core/ports/api-keys.ts';
import type { Log } from '../core/ports/log.ts';
import type { CheckOptions, MaxUse, NoteRecord, OpenMeter } from '../core/ports/metering.ts';
import { billOf } from './cost/bill.ts';
import type { LateRecords } from './records/late-records.ts';
import { lossMessage } from './records/log-messages.ts';
import { openRecordOf } from './records/open.ts';
import { reportDifferences, reportUnpriced } from './records/report-bill.ts';

/**
 * How a request ended. Of one that was not served, because no provider was called, nothing counts. One without a record counts as
 * a request, and no record will release what is held for it.
 */
type RequestEnd = 'recorded' | 'unrecorded' | 'not served';

/** The limits of one request's key, user and tenant. */
export interface LimitedRequest {
  /** As `RequestMeter.check`. */
  check(options: CheckOptions): Promise<void>;
  /**
   * Resolves with the output tokens that they grant. Rejects with GatewayError `rate_limited`, `budget_used_up`,
   * `insufficient_quota`, `limits_unavailable` or `permission_denied`.
   */
  admit(max: MaxUse): Promise<number>;
  /** The same, as far as one read of each shows: nothing is held. */
  preview(max: MaxUse): Promise<number>;
  /** What they hold until the actual use is known. */
  holds(): readonly Hold[];
  headers(form?: ErrorForm): Readonly<Record<string, string>>;
  /** The request has ended. May reject. */
  release(end: RequestEnd): Promise<void>;
}

/** The reason of every such signal: without one, each would make an error of its own, with a stack. */
const ended = new Error('The request has ended.');

/** `kept`: what is held for it already. Undefined if nothing is, and key, user and tenant have no limits. */
export type OpenLimits = (
  key: ApiKey,
  requestId: string,
  user?: string,
  kept?: readonly Hold[],
) => LimitedRequest | undefined;

export interface MeterOptions {
  readonly usage: {
    open(record: LedgerRecord, partitions: number): Promise<unknown>;
    record(record: LedgerRecord, write: string, partitions: number): Promise<unknown>;
  };
  /** Absent if there are no limits at all. */
  readonly openLimits?: OpenLimits;
  readonly log: Log;
  /** A random id with this prefix. */
  readonly newId: (prefix: string) => string;
  /** How long an answer waits for its record. The time limit of the Lambda function leaves three seconds for it. */
  readonly timeoutMs?: number;
  /** Absent in tests only: without it, a request whose process ends at once leaves no trace. */
  readonly note?: NoteRecord;
  /** The final records that are still being written after their answers; absent where the process is frozen between requests. */
  readonly late?: LateRecords;
}

export function createOpenMeter(options: MeterOptions): OpenMeter {
  const { log, openLimits, usage, late, note = () => () => {}, timeoutMs = 2_000 } = options;
  return (key, requestId, user, continued) => {
    const limits = openLimits?.(key, requestId, user, continued?.record.holds);
    const { throughput, pricing } = key.tenantPolicy ?? {};
    const partitions = continued?.partitions ?? partitionsFor(throughput);
    let isFree = false;
    let granted = continued?.granted;
    let isGranted = continued !== undefined;
    /** The open record of a request that did not begin yet. */
    let waiting = continued?.record;
    let isHandedOver = false;
    const withHolds = (request: FinishedRequest): FinishedRequest => {
      const holds = limits?.holds() ?? [];
      return holds.length > 0 ? { ...request, holds } : request;
    };
    /** What was noted, and the ledger does not have yet. */
    const noted = new Set<() => void>();
    const forgetAll = () => {
      for (const forget of noted) forget();
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
    const open = async (record: LedgerRecord, forget: () => void) => {
      try {
        await retry(() => usage.open(record, partitions), { pausesMs: openPausesMs, signal: signalOfEnd });
        forget();
      } catch (error) {
        // What was noted is kept until the final record is written.
        log.warn('usage not opened', { request_id: requestId, ...failureFields(error) });
      }
    };
    const admit = async (max: () => MaxUse) => {
      if (isGranted) {
        isGranted = false;
        return granted;
      }
      if (!limits) return undefined;
      const most = max();
      granted = await limits.admit(most);
      isFree = most.isFree === true;
      return isFree ? undefined : granted;
    };
    const release = async (limited: LimitedRequest, end: RequestEnd) => {
      const failure = await failureWithin(timeoutMs, limited.release(end));
      if (failure) log.warn('limits not released', { request_id: requestId, ...failure });
    };
    const write = async (record: LedgerRecord) => {
      const request_id = record.requestId;
      reportUnpriced(log, record);
      const write = options.newId('write_');
      const retries = late ?? { pausesMs, timeoutMs };
      const put = () => retry(() => usage.record(record, write, partitions), retries);
      const report = (failure: FailureFields | undefined) => {
        if (failure) log.error(lossMessage, { request_id, ...failure, record: withoutRawUsage(record) });
        forgetAll();
      };
      const written = put().then(() => undefined, failureFields);
      const failure = await withTimeout(written, timeoutMs, () => lateFailure);
      if (failure !== lateFailure || !late?.add(record, () => report(lateFailure))) return report(failure);
      noted.add(note('done', withoutRawUsage(record)));
      void written.then((failed) => late.remove(record) && report(failed));
    };
    return {
      check: (options) => (continued ? undefined : limits?.check(options)),
      admit: (max) => (limits || isGranted ? admit(max) : undefined),
      preview: async (max) => await limits?.preview(max()),
      headers: (form) => limits?.headers(form) ?? {},
      begin(request) {
        if (!request) return;
        const record = openRecordOf(withHolds(request), pricing);
        const forget = note('open', record);
        noted.add(forget);
        opened = opened ? opened.then(() => open(record, forget)) : open(record, forget);
      },
      async handOver(request) {
        if (!request) return undefined;
        const record = openRecordOf(withHolds(request), pricing);
        waiting = record;
        await retry(() => usage.open(record, partitions), { pausesMs });
        isHandedOver = true;
        return { record, partitions, ...(granted !== undefined && { granted }) };
      },
      async finish(request) {
        if (isHandedOver) return;
        isOver = true;
        over?.abort(ended);
        const record = request ? billOf(withHolds(request), pricing) : waiting && unbegunOf(waiting);
        if (request) reportDifferences(log, requestId, request);
        const end = record ? 'recorded' : isFree ? 'unrecorded' : 'not served';
        const written = record ? write(record) : forgetAll();
        await (limits ? Promise.all([release(limits, end), written]) : written);
      },
    };
  };
}

/** As a log line has room for: its counts and cost are enough to restore it. */
function withoutRawUsage(record: LedgerRecord): LedgerRecord {
  return { ...record, attempts: record.attempts.map(({ rawUsage: _, ...attempt }) => attempt) };
}

/** Why a record is lost that was not written in time. */
const lateFailure: FailureFields = { reason: 'late' };

/** The pauses between attempts to write a record. */
const pausesMs = [50, 200, 600];
/** The same for an open record, while its request runs: a fault of the database may last. */
const openPausesMs = [...pausesMs, 2_000, 5_000, 10_000, 20_000];

/** Resolves with why the work is not done: it failed, or is `late`, and then continues unobserved. Undefined: it is done. */
async function failureWithin(
  milliseconds: number,
  work: Promise<unknown>,
): Promise<FailureFields | undefined> {
  const failure = work.then(() => undefined, failureFields);
  return await withTimeout(failure, milliseconds, () => ({ reason: 'late' }));
}
