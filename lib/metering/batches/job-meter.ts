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
import { notBegun, surelyOverMs } from '../../core/accounting/interrupted.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { partitionsFor } from '../../core/accounting/partitions.ts';
import { lineRequestId } from '../../core/names/request-id.ts';
import type { ApiKey } from '../../core/ports/api-keys.ts';
import type { Log } from '../../core/ports/log.ts';
import type { MaxUse, MeteredRequest, OpenMeter } from '../../core/ports/metering.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { billOf } from '../cost/bill.ts';
import { checkRegion, limitedOf } from '../limits/limited.ts';
import { checkBounds } from '../limits/limits-refusal.ts';
import { openRecordOf } from '../records/open.ts';
import { reportDifferences, reportUnpriced } from '../records/report-bill.ts';
import {
  type JobToReserve,
  type LineShare,
  lineRequest,
  linesHeld,
  openRequest,
  partIn,
  unanswered,
  withShare,
} from './job-records.ts';
import { paidLimitsOf } from './paid-limits.ts';
import { type ReservationParts, reserveLines } from './reservation.ts';

interface ReservedJob {
  readonly hold: MeteredRequest;
  /** So many lines, the first ones, are reserved for. */
  readonly lines: number;
}

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
