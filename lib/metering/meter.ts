/**
 * Meters each request: reserves its maximum use before a provider is called, writes its open record beside the call, and its final
 * record when it ends. The aggregator makes everything else of these two: sums, and the end of interrupted requests.
 *
 * Metering never fails an answer and delays it by at most `timeoutMs`. A final record that could not be written by then is
 * logged in full, for `replay`.
 */
import { retry } from '../async/retry.ts';
import { type LedgerRecord, tokensOf } from '../core/accounting/ledger.ts';
import { partitionsFor } from '../core/accounting/partitions.ts';
import type { ApiKey } from '../core/ports/api-keys.ts';
import type { Log } from '../core/ports/log.ts';
import type { MaxUse, OpenMeter } from '../core/ports/metering.ts';
import type { UsageStore } from '../core/ports/usage-store.ts';
import { billOf } from './bill.ts';
import { outcomeWithin } from './deadline.ts';
import { lossMessage } from './log-lines.ts';
import { openRecordOf } from './open.ts';
import { differenceMessage, statedDifference } from './stated-cost.ts';

/** The actual use of a request; `cost` is what its tenant is charged. */
export interface ActualUse {
  /** Null if unknown. */
  readonly tokens: number | null;
  /** In nano-dollars; null if unknown. */
  readonly cost: number | null;
}

/** The limits of one request's key and tenant. */
export interface LimitedRequest {
  /** Rejects with GatewayError `rate_limited`, `insufficient_quota` or `permission_denied`. */
  admit(max: MaxUse): Promise<void>;
  headers(): Readonly<Record<string, string>>;
  /** Releases the unused part of the reservation; `undefined` if no provider was called. May reject. */
  release(actual: ActualUse | undefined): Promise<void>;
}

/** Undefined if key and tenant have no limits. */
export type OpenLimits = (key: ApiKey, requestId: string) => LimitedRequest | undefined;

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
  return (key, requestId) => {
    const limits = openLimits?.(key, requestId);
    const { throughput, pricing } = key.tenantPolicy ?? {};
    const partitions = partitionsFor(throughput);
    let unrecorded: ActualUse | undefined;
    /** The writes of the open record, one after the other; never rejects. */
    let opened: Promise<void> | undefined;
    const open = async (record: LedgerRecord) => {
      try {
        await usage.open(record, partitions);
      } catch {
        // The final record needs none. Only the end of the process would leave no trace.
        log.warn('usage not opened', { request_id: requestId });
      }
    };
    const release = async (record: LedgerRecord | undefined) => {
      const use = record ? actualUse(record) : unrecorded;
      const outcome = await outcomeWithin(timeoutMs, limits?.release(use));
      if (outcome !== 'done') log.warn('limits not released', { request_id: requestId });
    };
    const write = async (record: LedgerRecord) => {
      const { requestId: request_id, model, provider } = record;
      // An alarm of the stack counts these lines: an operator must add the price.
      if (record.cost === null || record.charge === null)
        log.error('usage unpriced', { request_id, model, provider });
      const write = options.newId('write_');
      const put = () => retry(() => usage.record(record, write, partitions), { pausesMs, timeoutMs });
      const outcome = await outcomeWithin(timeoutMs, opened?.then(put) ?? put());
      if (outcome !== 'done') log.error(lossMessage, { request_id, reason: outcome, record });
    };
    return {
      async admit(max) {
        if (!limits) return undefined;
        const most = max();
        await limits.admit(most);
        if (most.isFree) unrecorded = { tokens: 0, cost: 0 };
        return undefined;
      },
      headers: () => limits?.headers() ?? {},
      begin(request) {
        if (!request) return;
        const record = openRecordOf(request, pricing);
        opened = opened ? opened.then(() => open(record)) : open(record);
      },
      async finish(request) {
        const record = request && billOf(request, pricing);
        for (const difference of request?.attempts.flatMap(statedDifference) ?? []) {
          log.warn(differenceMessage, { request_id: requestId, ...difference });
        }
        await Promise.all([release(record), record && write(record)]);
      },
    };
  };
}

const actualUse = (record: LedgerRecord): ActualUse => ({ tokens: tokensOf(record), cost: record.charge });

/** The pauses between attempts to write a final record. */
const pausesMs = [50, 200, 600];
