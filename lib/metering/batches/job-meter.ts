/**
 * Meters the lines of a job of a batch. What all of them may be charged is reserved once, before the job is sent, in budgets and credit
 * only: in the open record of the first line, which says until when it stays open. When the job has ended, each line gets its final
 * record, with its part of what is held. That of the first line is the last one: it has the rest, and ends the reservation.
 *
 * Everything may be repeated, after a crash at any write: a line that has its record keeps it. A job that no one goes on with ends as
 * interrupted: its first line is charged what its open record estimates, and everything that is held for lines without a record counts
 * against the limits.
 */
import { mapConcurrently } from '../../async/map-concurrently.ts';
import { retry } from '../../async/retry.ts';
import { notBegun, overAfterMs, surelyOverMs } from '../../core/accounting/interrupted.ts';
import type { FinishedAttempt, FinishedRequest, LedgerRecord } from '../../core/accounting/ledger.ts';
import type { Hold } from '../../core/accounting/limits.ts';
import { partitionsFor } from '../../core/accounting/partitions.ts';
import { lineRequestId, timeOfRequest } from '../../core/names/request-id.ts';
import type { ApiKey } from '../../core/ports/api-keys.ts';
import type { Log } from '../../core/ports/log.ts';
import type { MaxUse, MeteredRequest, OpenMeter } from '../../core/ports/metering.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { batchTier } from '../cost/batch-price.ts';
import { billOf } from '../cost/bill.ts';
import { checkRegion, limitedOf } from '../limits/limited.ts';
import { checkBounds } from '../limits/limits-refusal.ts';
import { openRecordOf } from '../records/open.ts';
import { reportDifferences, reportUnpriced } from '../records/report-bill.ts';
import { paidLimitsOf } from './paid-limits.ts';
import { linesWithin, type ReservationParts, reserveLines } from './reservation.ts';

export interface JobToReserve {
  readonly batch: string;
  /** The caller's id of its own user, if given. */
  readonly user?: string | undefined;
  /** The request of the first line, as `NotingMeter` has noted it. */
  readonly first: FinishedRequest;
  /** Which line of the batch that is, counted from 0. */
  readonly line: number;
  /**
   * When its reservation began, in Unix milliseconds. It is noted before: a process that goes on after a crash, or tries again after a
   * refusal, gives the same one, and finds what was reserved.
   */
  readonly at: number;
  /** The most that each line is charged, in nano-dollars; null: not known. */
  readonly amounts: readonly (number | null)[];
  /** The fewest lines that are worth a job; absent: all. */
  readonly atLeast?: number;
  /** When the job has surely ended and is read, in Unix milliseconds. */
  readonly until: number;
}

interface ReservedJob {
  readonly hold: MeteredRequest;
  /** So many lines, the first ones, are reserved for. */
  readonly lines: number;
}

/**
 * What the record of a line has of the hold of its job: its own amount, as it was reserved for; that of the first line what no other
 * record has. `inParts`: the sum of the parts of the other lines' records.
 */
export type LineShare = { readonly part: number } | { readonly inParts: number };

interface LineMeter {
  readonly openMeter: OpenMeter;
  /** The record of the line, once it is written; undefined if its request did not get so far. Rejects if it could not be written. */
  recorded(): Promise<LedgerRecord | undefined>;
}

/** The output tokens that its line was granted when it was prepared. */
interface LineOptions {
  readonly granted?: number | undefined;
}

export interface JobMeter {
  /**
   * Again with the same beginning, it resolves with what was reserved before. Rejects with GatewayError `insufficient_quota`,
   * `budget_used_up`, `rate_limited` (it would fit if less were held for what runs), `limits_unavailable` or `permission_denied`.
   */
  reserve(key: ApiKey, job: JobToReserve): Promise<ReservedJob>;
  /** Gives back what is held for a job of which nothing was sent. */
  release(hold: MeteredRequest): Promise<void>;
  /** Of a line that the job has answered. The record of the first line is written last. */
  line(hold: MeteredRequest, share: LineShare, options?: LineOptions): LineMeter;
  /** What the records of these lines have of the hold, in nano-dollars: of those that have one. The first line is not among them. */
  partsOf(hold: MeteredRequest, requestIds: readonly string[]): Promise<number>;
  /**
   * Ends a job whose first line was not answered, once all other lines have their records. `inParts`: as `LineShare` has it. `error`: the
   * code of why.
   */
  end(hold: MeteredRequest, inParts: number, error: string): Promise<void>;
}

interface JobMeterOptions extends ReservationParts {
  readonly usage: Pick<UsageStore, 'find' | 'open' | 'record'>;
  readonly log: Log;
  /** The region that serves callers with credit, if it is another one. */
  readonly creditElsewhere?: string | undefined;
  /** The pauses between attempts to write a record. */
  readonly pausesMs?: readonly number[];
}

/** What holds for a day is looked for in records that begin at most so long before it: see `surelyOverMs`. */
const longestStepMs = surelyOverMs / 2;

const defaultPausesMs = [50, 200, 600, 2_000];

/** Records that are looked for at a time. */
const readsAtOnce = 16;

export function createJobMeter(options: JobMeterOptions): JobMeter {
  const { usage, log, newId, creditElsewhere, pausesMs = defaultPausesMs } = options;

  async function write(record: LedgerRecord, partitions: number): Promise<LedgerRecord> {
    const write = newId('write_');
    await retry(() => usage.record(record, write, partitions), { pausesMs });
    return record;
  }

  const release = async ({ record, partitions }: MeteredRequest) => {
    await write({ ...unanswered(record), error: notBegun }, partitions);
  };

  /**
   * The id of the reservation, and its open record if it has one. Those that were given up have ids before. It holds the time of the
   * reservation, but for what `longestStepMs` is short of: so everything that was tried since it began is found.
   */
  async function firstUnended(tenant: string, { batch, line, at }: JobToReserve, partitions: number) {
    const last = Math.max(0, Math.floor((options.now() - at) / longestStepMs));
    for (let step = 0, attempt = 0; ; ) {
      const requestId = lineRequestId({ batch, line, attempt }, at + step * longestStepMs);
      const known = await usage.find(tenant, requestId, partitions);
      if (known?.state === 'open') return { requestId, known: known.record };
      if (known) attempt += 1;
      else if (step < last) {
        step += 1;
        attempt = 0;
      } else return { requestId };
    }
  }

  return {
    async reserve(key, job) {
      const { user, atLeast = job.amounts.length } = job;
      const limited = paidLimitsOf(limitedOf(key, user));
      checkRegion(limited, creditElsewhere);
      for (const { scope, limits } of limited) {
        const amount = job.amounts.includes(null) ? null : 0;
        checkBounds({ kind: scope.kind, limits }, useOfPrice(amount));
      }
      const amounts = job.amounts.map((amount) => amount ?? 0);
      const { throughput, pricing } = key.tenantPolicy ?? {};
      const partitions = partitionsFor(throughput);
      const { requestId, known } = await firstUnended(key.tenant, job, partitions);
      if (known) return { hold: { record: known, partitions }, lines: linesHeld(known, amounts) };
      const { holds, lines } = await reserveLines(options, limited, amounts, atLeast);
      const record = openRecordOf(openRequest(job, requestId, holds), pricing);
      const hold = { record, partitions };
      try {
        await retry(() => usage.open(record, partitions), { pausesMs });
      } catch (error) {
        // It may have been written after all: only a final record gives it back.
        await release(hold).catch(() => {});
        throw error;
      }
      return { hold, lines };
    },
    release,
    line(hold, share, { granted } = {}) {
      let written: Promise<LedgerRecord> | undefined;
      const openMeter: OpenMeter = (key) => ({
        check: async () => {},
        admit: async () => granted,
        headers: () => ({}),
        begin: () => {},
        handOver: async () => undefined,
        async finish(request) {
          if (!request) return;
          const record = billOf(lineRequest(request, hold.record, share), key.tenantPolicy?.pricing);
          reportDifferences(log, request.requestId, request);
          reportUnpriced(log, record);
          written = write(record, hold.partitions);
          await written.catch(() => {});
        },
      });
      return { openMeter, recorded: async () => await written };
    },
    async partsOf({ record: { tenant }, partitions }, requestIds) {
      const found = await mapConcurrently(requestIds, readsAtOnce, (id) =>
        usage.find(tenant, id, partitions),
      );
      return found.reduce((sum, item) => sum + (item?.state === 'done' ? partIn(item.record) : 0), 0);
    },
    async end({ record, partitions }, inParts, error) {
      await write(withShare({ ...unanswered(record), error }, record, { inParts }), partitions);
    },
  };
}

/** What the limits are asked of a job before it is reserved for: whether its price is known. */
const useOfPrice = (amount: number | null): MaxUse => ({
  fixed: { tokens: 0, amount },
  perOutputToken: { tokens: 0, amount: 0 },
  output: { max: 0, min: 0 },
});

/** The request of the first line, as it is while the job runs. */
function openRequest(
  { batch, first, until, ...job }: JobToReserve,
  requestId: string,
  holds: readonly Hold[],
): FinishedRequest {
  const at = timeOfRequest(requestId) ?? job.at;
  return {
    ...first,
    requestId,
    at,
    batch,
    attempts: first.attempts.map((attempt) => ({ ...ofBatch(attempt), at, endedAt: at })),
    status: 200,
    streamed: false,
    totalMs: Math.max(0, until - at - overAfterMs),
    ...(holds.length > 0 && { holds }),
  };
}

/** The request of a line, as its record has it. */
function lineRequest(request: FinishedRequest, open: LedgerRecord, share: LineShare): FinishedRequest {
  const { firstByteMs: _, ...kept } = request;
  const ended = request.at + Math.max(0, request.totalMs);
  const line = {
    ...kept,
    ...(open.batch !== undefined && { batch: open.batch }),
    attempts: request.attempts.map((attempt) => ({
      ...ofBatch(attempt),
      endedAt: Math.max(attempt.at, ended),
    })),
    streamed: false,
    totalMs: Math.max(0, request.totalMs),
  };
  return withShare(line, open, share);
}

/** Whatever tier its answer names: that of a batch API is the one that is paid for. */
const ofBatch = (attempt: FinishedAttempt): FinishedAttempt => ({ ...attempt, tier: batchTier });

/** A record with its share of what the open one holds. */
function withShare<Request extends Pick<LedgerRecord, 'holds'>>(
  request: Request,
  { holds }: LedgerRecord,
  share: LineShare,
): Request {
  if (!holds) return request;
  return { ...request, holds: holds.map((hold) => holdOf(hold, share)) };
}

function holdOf(whole: Hold, share: LineShare): Hold {
  if ('inParts' in share) return { ...whole, ...share };
  const { inParts: _, ...hold } = whole;
  return { ...hold, amount: share.part, isPart: true };
}

/** The open record as that of a line that nobody has answered: it costs nothing. */
const unanswered = (open: LedgerRecord): LedgerRecord => ({
  ...open,
  attempts: [],
  status: 499,
  cost: 0,
  charge: 0,
});

/** The same in each scope. */
const partIn = ({ holds: [hold] = [] }: LedgerRecord): number => (hold?.isPart ? hold.amount : 0);

/** How many lines there are in what is held. */
const linesHeld = ({ holds: [hold] = [] }: LedgerRecord, amounts: readonly number[]): number =>
  hold ? linesWithin(amounts, hold.amount) : amounts.length;
